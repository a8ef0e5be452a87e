#include "media/connection.hpp"

#include <exception>
#include <optional>
#include <utility>

#include "gxr/plain_text.hpp"
#include "media/load_gstreamer.hpp"

namespace gxr::media {
namespace {

std::string text_of(std::chrono::nanoseconds time) {
  return general_text(std::chrono::duration<double>(time).count()) + " s";
}

}  // namespace

Connection::Connection(CaptureOptions capture, const ConnectionOptions& options,
                       ConnectionListener& listener)
    : capture_options_(std::move(capture)), options_(options), listener_(listener) {
  capture_ = gstreamer().make_capture(capture_options_, *this);
}

void Connection::start() {
  state_ = State::Connecting;
  is_live_ = true;
  is_interrupted_ = false;
  last_picture_ = Clock::now();
  delay_ = options_.delay;
  attempts_ = 0;
  pictures_ = 0;
  most_pictures_ = 0;
  interruptions_ = 0;
  offset_ = 0;
  last_time_ = 0;
  copies_ = 0;
  open();
  if (options_.reconnects || options_.timeout.count() > 0) {
    thread_ = std::thread([this] { run(); });
  }
}

void Connection::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    state_ = State::Stopped;
    changed_.notify_all();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
  close();
}

/// A capture is for one connection: its elements stay linked as the streams of that were.
void Connection::open() {
  if (capture_ == nullptr) {
    capture_ = gstreamer().make_capture(capture_options_, *this);
  }
  capture_->start();
}

void Connection::close() {
  if (capture_ != nullptr) {
    capture_->stop();
    copies_ += capture_->copies();
    capture_.reset();
  }
}

std::uint64_t Connection::interruptions() const {
  const std::lock_guard lock(mutex_);
  return interruptions_;
}

bool Connection::is_open() const {
  return state_ == State::Connecting || state_ == State::Delivering;
}

bool Connection::on_picture(Picture picture) {
  std::optional<std::chrono::nanoseconds> pause;
  {
    const std::lock_guard lock(mutex_);
    if (!is_open()) {
      return false;
    }
    state_ = State::Delivering;
    is_live_ = picture.live;
    if (std::exchange(is_interrupted_, false)) {
      pause = Clock::now() - interrupted_;
      follow(picture, *pause);
    }
    if (!picture.live && picture.time >= 0) {
      picture.time += offset_;
      last_time_ = picture.time;
    }
    note_progress(picture.live);
    is_listening_ = true;
  }
  if (pause) {
    listener_.on_pictures_again(*pause);
  }
  const bool more = listener_.on_picture(std::move(picture));
  const std::lock_guard lock(mutex_);
  is_listening_ = false;
  last_picture_ = Clock::now();
  return more;
}

/// A stream that is not live begins again, and may fail at the same place each time: pictures that
/// came before are no progress.
void Connection::note_progress(bool is_live) {
  if (++pictures_ > most_pictures_ || is_live) {
    most_pictures_ = pictures_;
    attempts_ = 0;
    delay_ = options_.delay;
  }
}

/// A stream that begins again tells its own times from the beginning: they go on.
void Connection::follow(Picture& picture, std::chrono::nanoseconds pause) {
  picture.follows_gap = true;
  if (!picture.live && picture.time >= 0) {
    offset_ = last_time_ + pause.count() - picture.time;
  }
}

/// Servers that stop say that the stream ends.
void Connection::on_end() {
  {
    const std::lock_guard lock(mutex_);
    if (!is_open()) {
      return;
    }
    if (!options_.reconnects || !is_live_) {
      state_ = State::Ended;
    }
  }
  if (options_.reconnects && is_live_) {
    on_error("the stream has ended", Failing::ForNow);
  } else {
    listener_.on_end();
  }
}

std::string Connection::describe_failure(const std::string& text) const {
  const std::string again = "; connects again in " + text_of(delay_);
  return (state_ == State::Delivering ? "interruption " + std::to_string(interruptions_ + 1)
                                      : std::string("no connection")) +
         ": " + text + again;
}

void Connection::on_error(const std::string& text, Failing failing) {
  std::string warning;
  std::string error = text;
  {
    const std::lock_guard lock(mutex_);
    if (!is_open()) {
      return;
    }
    const bool tried_enough = options_.attempts > 0 && attempts_ >= options_.attempts;
    if (options_.reconnects && failing == Failing::ForNow && !tried_enough) {
      warning = describe_failure(text);
      if (state_ == State::Delivering) {
        ++interruptions_;
        is_interrupted_ = true;
        interrupted_ = Clock::now();
      }
      state_ = State::Failed;
    } else {
      error += attempts_ > 0
                   ? " (after " + std::to_string(attempts_) +
                         (attempts_ == 1 ? " attempt" : " attempts") + " to connect again)"
                   : "";
      state_ = State::Ended;
    }
    changed_.notify_all();
  }
  if (warning.empty()) {
    listener_.on_error(error, failing);
  } else {
    listener_.on_warning(warning);
  }
}

void Connection::run() {
  std::unique_lock lock(mutex_);
  while (state_ != State::Stopped) {
    if (state_ == State::Failed) {
      reconnect(lock);
    } else if (options_.timeout.count() == 0 || state_ == State::Ended) {
      changed_.wait(lock);
    } else if (is_overdue()) {
      lock.unlock();
      on_error("no picture for " + text_of(options_.timeout), Failing::ForNow);
      lock.lock();
    } else {
      changed_.wait_until(lock, last_picture_ + options_.timeout);
    }
  }
}

/// A listener that waits is no failure of the source.
bool Connection::is_overdue() {
  const auto now = Clock::now();
  last_picture_ = is_listening_ ? now : last_picture_;
  return now - last_picture_ >= options_.timeout;
}

void Connection::reconnect(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  close();
  lock.lock();
  if (changed_.wait_for(lock, delay_, [this] { return state_ == State::Stopped; })) {
    return;
  }
  state_ = State::Connecting;
  pictures_ = 0;
  last_picture_ = Clock::now();
  delay_ = delay_ < options_.longest_delay / 2 ? 2 * delay_ : options_.longest_delay;
  ++attempts_;
  lock.unlock();
  try {
    open();
  } catch (const std::exception& error) {
    on_error(error.what(), Failing::ForGood);
  }
  lock.lock();
}

}  // namespace gxr::media
