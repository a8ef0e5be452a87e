#include "stream_playback/video_stream_replayer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gxr::stream_playback {
namespace {

constexpr double kSecond = 1e9;
constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();
/// A gap between messages that is announced: so long, and longer than usual by this factor.
constexpr std::int64_t kLongGap = 10'000'000'000;
constexpr std::int64_t kUnusual = 10;

/// b - a, as far as it can be told; 0 when time went backwards.
std::int64_t elapsed(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t difference = b > a ? b - a : 0;
  return static_cast<std::int64_t>(std::min(difference, static_cast<std::uint64_t>(kForever)));
}

std::int64_t later(std::int64_t time, std::int64_t delay) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(time, delay, &sum) ? kForever : sum;
}

}  // namespace

void VideoStreamReplayer::declare(Interface& interface) {
  parameters_.declare(interface);
  interface
      .parameter(frame_rate_, "frame_rate", "Messages per second",
                 "0: as far apart as the times in the recording's index.")
      .default_value(0.0F)
      .minimum(0)
      .unit("1/s");
  interface
      .parameter(realtime_, "realtime", "Keep to that pace, by the scheduler's clock",
                 "Switched off: as fast as the entity ticks.")
      .default_value(true);
  interface.parameter(repeat_, "repeat", "Begin again behind the last message",
                      "Not when no entity of the recording could be read.")
      .default_value(false);
  interface.parameter(count_, "count", "Messages to publish; 0: all")
      .default_value(0)
      .unit("messages");
  interface
      .parameter(max_gap_, "max_gap", "Longest time between two messages; 0: no limit",
                 "After a longer gap in the recording's index the next message follows after this time, "
                 "and all later ones come earlier by as much. Not with a frame_rate.")
      .default_value({});
}

void VideoStreamReplayer::initialize() {
  playback_.open(parameters_.directory->path, parameters_.basename.try_get());
  published_ = 0;
  taken_ = 0;
  last_wait_ = 0;
  parameters_.boolean_scheduling_term->enable_tick();
}

bool VideoStreamReplayer::find_next() {
  if (*count_ > 0 && published_ >= *count_) {
    return false;
  }
  // A repetition without a message would be followed by another one, for ever.
  if (playback_.at_end() && *repeat_ && playback_.found_any()) {
    rewind();
  }
  return !playback_.at_end();
}

void VideoStreamReplayer::tick() {
  EntitySerializer& serializer = *parameters_.entity_serializer.get().get();
  for (std::size_t i = 0; i < *parameters_.batch_size; ++i) {
    if (!find_next()) {
      playback_.finish();
      log_info("end of the recording, or of the count: " + std::to_string(published_) +
               " messages published");
      parameters_.boolean_scheduling_term->disable_tick();
      return;
    }
    if (taken_++ == 0) {
      start_ = execution_timestamp();
      first_log_ = last_log_ = playback_.next_record().log_time;
      last_planned_ = start_;
    } else if (i > 0) {
      static_cast<void>(advance_to_next());
    }
    if (Message message = playback_.read(serializer, *parameters_.ignore_corrupted_entities)) {
      parameters_.transmitter->publish(std::move(message));
      ++published_;
    }
  }
  plan_next();
}

/// The next tick comes when the next message is due; the tick that finds the end, at once.
void VideoStreamReplayer::plan_next() {
  if (find_next()) {
    const std::int64_t before = last_planned_;
    const std::uint64_t log_before = last_log_;
    const std::int64_t due = advance_to_next();
    if (*realtime_) {
      announce(due - before, elapsed(log_before, last_log_));
      parameters_.boolean_scheduling_term->enable_tick_at(due);
    }
  }
}

/// `gap` is what the index says; a wall clock that was set makes it longer than the wait.
void VideoStreamReplayer::announce(std::int64_t wait, std::int64_t gap) {
  if (*frame_rate_ == 0 && wait >= kLongGap && wait / kUnusual > last_wait_) {
    log_warning("the next message lies " +
                std::to_string(std::llround(static_cast<double>(gap) / kSecond)) +
                " s later in the recording's index; 'max_gap' limits such gaps");
  }
  last_wait_ = wait;
}

/// Precondition: find_next().
std::int64_t VideoStreamReplayer::advance_to_next() {
  if (*frame_rate_ > 0) {
    const double delay = static_cast<double>(taken_) * kSecond / static_cast<double>(*frame_rate_);
    return later(start_, delay < static_cast<double>(kForever) ? std::llround(delay) : kForever);
  }
  const std::uint64_t log_time = last_log_ = playback_.next_record().log_time;
  // Where the recorder's wall clock was set back, messages follow at once.
  std::int64_t due = std::max(last_planned_, later(start_, elapsed(first_log_, log_time)));
  const std::int64_t longest = max_gap_->nanoseconds;
  if (longest > 0 && due - last_planned_ > longest) {
    const std::int64_t cut = due - last_planned_ - longest;
    start_ -= cut;
    due -= cut;
  }
  last_planned_ = due;
  return due;
}

/// The next repetition. What lies between the last message and its first is not recorded: the mean
/// interval.
void VideoStreamReplayer::rewind() {
  playback_.rewind();
  if (*frame_rate_ > 0) {
    return;  // messages are counted through
  }
  const std::uint64_t intervals = playback_.reader().size() - 1;
  const std::uint64_t last_log = playback_.reader().record(intervals).log_time;
  const std::int64_t all = elapsed(first_log_, last_log);
  const std::int64_t mean = intervals > 0 ? all / static_cast<std::int64_t>(intervals) : 0;
  start_ = later(later(start_, all), mean);
}

std::optional<std::uint64_t> VideoStreamReplayer::ticks_in_run() const {
  if (*repeat_) {
    return *count_ > 0 ? std::optional<std::uint64_t>(*count_) : std::nullopt;
  }
  return *count_ > 0 ? std::min<std::uint64_t>(*count_, playback_.size()) : playback_.size();
}

void VideoStreamReplayer::deinitialize() { playback_.close(); }

}  // namespace gxr::stream_playback
