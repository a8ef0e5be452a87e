#include "ipc/ipc_sender.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/socket.h>

namespace gxr {
namespace {

/// In which a client has to say what it is.
constexpr std::chrono::milliseconds kHelloTime{5000};
/// After which it is looked whether there are file descriptors again.
constexpr std::chrono::milliseconds kClientPause{100};
/// Frames that are prepared while others are sent.
constexpr std::size_t kPreparedFrames = 4;

std::string messages_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " message" : " messages");
}

std::string milliseconds_text(std::chrono::milliseconds time) {
  return std::to_string(time.count()) + " ms";
}

}  // namespace

/// Who is connected.
struct IpcSender::Peer {
  FileDescriptor socket;
  Clock::time_point since;
  IpcInput input;
  std::deque<IpcBytes> output;
  std::size_t sent = 0;      // bytes of output.front()
  bool is_receiver = false;  // its hello was right
  bool memory_told = false;
  bool end_told = false;
  bool broken = false;                 // nothing can be sent any more
  std::uint64_t messages = 0;          // that were put into the output
  std::optional<std::uint64_t> taken;  // as its Bye said
};

IpcSender::IpcSender(const Component& owner, const LocalAddress& address, std::uint32_t slots,
                     std::chrono::milliseconds connect_timeout)
    : owner_(owner),
      connect_timeout_(connect_timeout),
      socket_(address),
      slots_(slots),
      thread_("the thread that sends messages", [this](int stop) { serve(stop); }) {}

IpcSender::~IpcSender() = default;

std::size_t IpcSender::in_use() const {
  const std::lock_guard lock(mutex_);
  return in_use_;
}

void IpcSender::check() {
  const std::lock_guard lock(mutex_);
  if (failure_) {
    told_ = true;
    throw Error(*failure_);
  }
}

std::uint32_t IpcSender::take_slot() {
  const std::lock_guard lock(mutex_);
  const auto free = std::ranges::find(slots_, Slot::Free);
  *free = Slot::Waiting;
  ++in_use_;
  return static_cast<std::uint32_t>(free - slots_.begin());
}

void IpcSender::give_up_slot(std::uint32_t slot) {
  const std::lock_guard lock(mutex_);
  slots_[slot] = Slot::Free;
  --in_use_;
}

void IpcSender::send(std::uint32_t slot, IpcBytes message, const DeviceWork& work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({slot, std::move(message), work});
  }
  wake_.wake();
}

void IpcSender::set_memory(const IpcMemory& memory) {
  const std::lock_guard lock(mutex_);
  memory_ = memory;
}

void IpcSender::watch(const Component& term) {
  const std::lock_guard lock(mutex_);
  watchers_.push_back(&term);
}

bool IpcSender::finish(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  end_ = true;
  wake_.wake();
  const auto done = [this] {
    const bool told = !connected_ || (end_sent_ && !memory_);
    return failure_.has_value() || (in_use_ == 0 && told);
  };
  static_cast<void>(changed_.wait_for(lock, timeout, done));
  if (failure_ && !told_) {
    throw Error(*failure_);
  }
  if (in_use_ > 0 && !failure_) {
    throw Error(ErrorCode::NotFinished, messages_text(in_use_) + " published at " +
                                            socket_.address().called() +
                                            " were not taken, or are still in use there, after " +
                                            milliseconds_text(timeout) + " (drain_timeout_ms)");
  }
  return !memory_ || (!connected_ && !abandoned_);
}

void IpcSender::serve(int stop) {
  while (!stopped_) {
    wait_for_events(stop);
    try {
      hear();
      accept_clients();
      talk();
      look_at_time();
    } catch (const Error& error) {
      fail(error.code(), error.message());
    } catch (const std::exception& error) {
      fail(ErrorCode::Failure, error.what());
    }
  }
}

void IpcSender::wait_for_events(int stop) {
  std::array<pollfd, 4> events = {
      {{stop, POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLIN, 0}, {-1, 0, 0}}};
  const bool failed = [this] {
    const std::lock_guard lock(mutex_);
    return failure_.has_value();
  }();
  if (!failed) {  // else nothing but the end is awaited
    events[1].fd = wake_.descriptor();
    events[2].fd = full_ ? -1 : socket_.descriptor();
  }
  if (peer_) {
    const bool more = !peer_->output.empty() && !peer_->broken;
    events[3] = {peer_->socket.get(), static_cast<short>(more ? POLLIN | POLLOUT : POLLIN), 0};
  }
  static_cast<void>(::poll(events.data(), events.size(), patience()));
  stopped_ = events[0].revents != 0;
  wake_.reset();
}

/// Milliseconds until time itself is an event.
int IpcSender::patience() const {
  std::optional<Clock::time_point> end;
  if (peer_ && !peer_->is_receiver) {
    end = peer_->since + kHelloTime;
  }
  if (waits_since_ && connect_timeout_.count() > 0) {
    const Clock::time_point late = *waits_since_ + connect_timeout_;
    end = end ? std::min(*end, late) : late;
  }
  if (full_) {
    const Clock::time_point again = Clock::now() + kClientPause;
    end = end ? std::min(*end, again) : again;
  }
  if (!end) {
    return -1;
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

/// What the client says.
void IpcSender::hear() {
  if (!peer_) {
    return;
  }
  const IpcInput::Listener listener = {
      [this](const IpcHello& hello) { greet(hello); },
      [this](const IpcHeader& header) { check_frame(header); },
      [this](const IpcHeader& header, const IpcBytes& body) { take_in(header, body); }};
  bool open = true;
  try {
    open = peer_->input.read(peer_->socket, listener);
  } catch (const Error& error) {
    if (peer_->is_receiver) {
      abandon();
      throw Error(error.code(), "what the receiver at " + socket_.address().called() +
                                    " sent makes no sense: " + error.message());
    }
    warn("a client of " + socket_.address().called() +
         " is no receiver of this gxr: " + error.message());
    peer_.reset();
    return;
  }
  if (!open) {
    part();
  }
}

/// The receiver lives on, and may use the memory.
void IpcSender::abandon() {
  const bool has_memory = peer_->memory_told;
  peer_.reset();
  set_connected(false);
  const std::lock_guard lock(mutex_);
  abandoned_ = abandoned_ || has_memory;
}

void IpcSender::greet(const IpcHello& hello) {
  if (hello.role != IpcRole::Receiver) {
    throw_stranger("it is a transmitter, too");
  }
  owner_.context().log(LogLevel::Debug, owner_,
                       "a receiver has connected at " + socket_.address().called());
  peer_->is_receiver = true;
  set_connected(true);
}

void IpcSender::check_frame(const IpcHeader& header) const {
  if (header.kind == IpcFrame::Returned) {
    const std::lock_guard lock(mutex_);
    if (header.bytes != 0 || header.slot >= slots_.size() || slots_[header.slot] != Slot::Sent) {
      throw_nonsense("slot " + std::to_string(header.slot) + " cannot be given back");
    }
  } else if (header.kind != IpcFrame::Bye || header.bytes != sizeof(std::uint64_t) ||
             peer_->taken) {
    throw_nonsense("a receiver does not say that");
  }
}

void IpcSender::take_in(const IpcHeader& header, const IpcBytes& body) {
  if (header.kind == IpcFrame::Bye) {
    std::uint64_t taken = 0;
    std::memcpy(&taken, body.data(), sizeof(taken));
    say_bye(taken);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    slots_[header.slot] = Slot::Free;
    --in_use_;
  }
  notify();
}

/// The receiver takes nothing more; it may still use the memory of what it took.
void IpcSender::say_bye(std::uint64_t taken) {
  if (taken > peer_->messages) {
    throw_nonsense("more messages were taken than sent");
  }
  peer_->taken = taken;
  if (const std::uint64_t lost = peer_->messages - taken; lost > 0) {
    fail(ErrorCode::InvalidState, "the receiver at " + socket_.address().called() +
                                      " ended before it took " + messages_text(lost) +
                                      " that were sent");
  }
}

/// The client has gone.
void IpcSender::part() {
  const bool was_receiver = peer_->is_receiver;
  const bool said_bye = peer_->taken || peer_->end_told;
  std::size_t lost = 0;
  {
    const std::lock_guard lock(mutex_);
    lost = static_cast<std::size_t>(std::ranges::count(slots_, Slot::Sent));
    std::ranges::replace(slots_, Slot::Sent, Slot::Free);
    in_use_ -= lost;
  }
  const bool took_all = peer_->taken == peer_->messages;
  peer_.reset();
  set_connected(false);
  if (was_receiver && lost > 0 && !took_all) {
    fail(ErrorCode::InvalidState, "the receiver at " + socket_.address().called() +
                                      " went away while " + messages_text(lost) +
                                      " were not taken, or in use there");
  } else if (was_receiver && !said_bye) {
    warn("the receiver at " + socket_.address().called() + " went away without a word");
  }
  notify();
}

void IpcSender::accept_clients() {
  for (;;) {
    FileDescriptor client = socket_.accept();
    if (!client.is_open()) {
      full_ = has_no_room_for_clients();
      return;
    }
    if (!is_of_same_user(client)) {
      warn("a client of " + socket_.address().called() + " is another user's and was refused");
      continue;
    }
    if (peer_ && peer_->is_receiver) {
      const IpcBytes busy = encode(IpcHello{IpcRole::Busy, 0});
      try {
        static_cast<void>(send_some(client, busy, 0));
      } catch (const Error&) {
        // It has gone.
      }
      continue;
    }
    peer_ = std::make_unique<Peer>();  // in the place of one that has said nothing yet
    peer_->socket = std::move(client);
    peer_->since = Clock::now();
    peer_->output.push_back(encode(IpcHello{IpcRole::Transmitter, slots()}));
  }
}

/// Says what is to be said.
void IpcSender::talk() {
  if (!peer_) {
    return;
  }
  flush();
  while (peer_->is_receiver && !peer_->taken && !peer_->broken &&
         peer_->output.size() < kPreparedFrames && next_message()) {
    flush();
  }
  const std::lock_guard lock(mutex_);
  if (peer_->end_told && peer_->output.empty() && !end_sent_) {
    end_sent_ = true;
    changed_.notify_all();
  }
}

/// Puts the next message, or the end, into the output. False: there is none.
bool IpcSender::next_message() {
  std::optional<Outgoing> next;
  std::optional<IpcMemory> memory;
  {
    const std::lock_guard lock(mutex_);
    if (failure_ || (queue_.empty() && (!end_ || peer_->end_told))) {
      return false;
    }
    if (!queue_.empty()) {
      next = std::move(queue_.front());
      queue_.pop_front();
      slots_[next->slot] = Slot::Sent;
      memory = memory_;
    }
  }
  if (!next) {
    peer_->end_told = true;
    peer_->output.push_back(encode_frame(IpcFrame::End));
    return true;
  }
  ++peer_->messages;
  if (next->work) {
    next->work.stream->wait_on_host(next->work.number);
  }
  if (memory && !std::exchange(peer_->memory_told, true)) {
    peer_->output.push_back(encode_frame(IpcFrame::Memory, 0, *memory));
  }
  const IpcHeader header{IpcFrame::Message, next->slot, next->message.size()};
  IpcBytes bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  peer_->output.push_back(std::move(bytes));
  peer_->output.push_back(std::move(next->message));
  return true;
}

void IpcSender::flush() {
  try {
    while (!peer_->output.empty() && !peer_->broken) {
      const IpcBytes& bytes = peer_->output.front();
      peer_->sent = send_some(peer_->socket, bytes, peer_->sent);
      if (peer_->sent < bytes.size()) {
        return;
      }
      peer_->output.pop_front();
      peer_->sent = 0;
    }
  } catch (const Error&) {
    peer_->broken = true;  // what it said before it went is still to be read
  }
}

void IpcSender::look_at_time() {
  const Clock::time_point now = Clock::now();
  if (peer_ && !peer_->is_receiver && now - peer_->since >= kHelloTime) {
    warn("a client of " + socket_.address().called() + " said nothing");
    peer_.reset();
  }
  bool waits = false;
  {
    const std::lock_guard lock(mutex_);
    waits = !queue_.empty() && !connected_ && !failure_;
  }
  if (!waits) {
    waits_since_.reset();
    return;
  }
  if (!waits_since_) {
    waits_since_ = now;
  }
  if (connect_timeout_.count() > 0 && now - *waits_since_ >= connect_timeout_) {
    fail(ErrorCode::NotFound, "nobody received at " + socket_.address().called() + " within " +
                                  milliseconds_text(connect_timeout_) + " (connect_timeout_ms)");
    waits_since_.reset();
  }
}

void IpcSender::fail(ErrorCode code, const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_) {
      failure_.emplace(code, text);
    }
  }
  notify();
}

void IpcSender::warn(const std::string& text) const {
  owner_.context().log(LogLevel::Warn, owner_, text);
}

void IpcSender::notify() {
  std::vector<const Component*> watchers;
  {
    const std::lock_guard lock(mutex_);
    watchers = watchers_;
    changed_.notify_all();
  }
  for (const Component* term : watchers) {
    term->context().notify(*term);
  }
}

void IpcSender::set_connected(bool connected) {
  const std::lock_guard lock(mutex_);
  connected_ = connected;
  end_sent_ = false;
}

}  // namespace gxr
