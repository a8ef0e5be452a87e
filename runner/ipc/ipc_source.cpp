#include "ipc/ipc_source.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/device_engine.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

/// Between two looks whether the transmitter is there.
constexpr std::chrono::milliseconds kLookPeriod{20};
/// In which the other side takes a few bytes: it reads all the time.
constexpr int kSayTimeMs = 1000;

/// Nothing more is said.
void hang_up(const FileDescriptor& socket) noexcept {
  if (socket.is_open()) {
    static_cast<void>(::shutdown(socket.get(), SHUT_WR));
  }
}

/// Until the stop, something on `socket` (-1: nothing), or the time is over. False: the stop.
bool wait_for(int stop, int socket, std::chrono::milliseconds time) {
  std::array<pollfd, 2> events = {{{stop, POLLIN, 0}, {socket, POLLIN, 0}}};
  static_cast<void>(::poll(events.data(), events.size(), static_cast<int>(time.count())));
  return events[0].revents == 0;
}

/// False: some may still use its memory.
bool finish_all(const std::vector<DeviceWork>& work) noexcept {
  return std::ranges::all_of(work, [](const DeviceWork& each) { return finish_on_host(each); });
}

}  // namespace

IpcSource::IpcSource(const Component& owner, LocalAddress address,
                     std::chrono::milliseconds connect_timeout)
    : owner_(owner),
      address_(std::move(address)),
      connect_timeout_(connect_timeout),
      begin_(std::chrono::steady_clock::now()) {
  thread_.emplace("the thread that receives messages", [this](int stop) { serve(stop); });
}

IpcSource::~IpcSource() {
  thread_.reset();
  close_memory();
}

std::size_t IpcSource::slots() const {
  const std::lock_guard lock(mutex_);
  return holds_.size();
}

std::size_t IpcSource::arrived() const {
  const std::lock_guard lock(mutex_);
  return arrived_.size();
}

std::vector<IpcSource::Arrived> IpcSource::take_arrived() {
  const std::lock_guard lock(mutex_);
  return std::exchange(arrived_, {});
}

bool IpcSource::is_open() const {
  const std::lock_guard lock(mutex_);
  if (failure_) {
    throw Error(*failure_);
  }
  return flow_ == Flow::Open;
}

void IpcSource::watch(const Component& term) {
  const std::lock_guard lock(mutex_);
  watchers_.push_back(&term);
}

void* IpcSource::device_memory(std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (!memory_ || offset > memory_->slot_bytes || bytes > memory_->slot_bytes - offset) {
    throw_nonsense("a tensor of " + std::to_string(bytes) +
                   " bytes of device memory is not in its slot");
  }
  if (opened_ == nullptr) {
    opened_ = DeviceEngine::get().memory().open_shared_memory(memory_->memory);
  }
  return static_cast<std::byte*>(opened_) + slot * memory_->slot_bytes + offset;
}

void IpcSource::hold(std::uint32_t slot) {
  const std::lock_guard lock(mutex_);
  ++holds_[slot];
}

void IpcSource::drop(std::uint32_t slot) noexcept {
  const std::lock_guard lock(mutex_);
  release(slot);
}

void IpcSource::drop_after(std::uint32_t slot, std::vector<DeviceWork> work) noexcept {
  std::erase_if(work,
                [](const DeviceWork& each) { return each.stream->is_known_done(each.number); });
  if (!work.empty()) {
    const std::lock_guard lock(mutex_);
    if (!finished_) {
      drops_.push_back({slot, std::move(work)});
      wake_.wake();
      return;
    }
  }
  if (finish_all(work)) {
    drop(slot);
  }
}

void IpcSource::settle_drops() noexcept {
  std::vector<Drop> drops;
  {
    const std::lock_guard lock(mutex_);
    drops.swap(drops_);
  }
  for (const Drop& each : drops) {
    if (finish_all(each.work)) {
      drop(each.slot);
    }
  }
}

void IpcSource::take(std::uint32_t slot) noexcept {
  const std::lock_guard lock(mutex_);
  ++taken_;
  release(slot);
}

void IpcSource::release(std::uint32_t slot) noexcept {
  if (--holds_[slot] == 0) {
    say(encode_frame(IpcFrame::Returned, slot));
    close_if_unused();
  }
}

/// Such words are short and few, and the other side reads them all the time.
void IpcSource::say(const IpcBytes& bytes) noexcept {
  try {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      sent = send_some(socket_, bytes, sent);
      pollfd event{socket_.get(), POLLOUT, 0};
      if (sent < bytes.size() && ::poll(&event, 1, kSayTimeMs) == 0) {
        return;
      }
    }
  } catch (const Error&) {
    // Nobody is there any more.
  }
}

bool IpcSource::is_unused() const noexcept {
  return (flow_ == Flow::Ended || finished_) &&
         std::ranges::all_of(holds_, [](std::uint32_t holds) { return holds == 0; });
}

void IpcSource::close_if_unused() noexcept {
  if (is_unused()) {
    close_memory();
  }
}

/// The other process may free its memory when it hears that this one has closed it, which is later
/// than now while a loop runs on a GPU.
void IpcSource::close_memory() noexcept {
  void* const opened = std::exchange(opened_, nullptr);
  if (opened == nullptr && !closes_) {
    hang_up(socket_);
  } else if (opened != nullptr) {
    closes_ = true;
    const auto socket = std::make_shared<FileDescriptor>(::dup(socket_.get()));
    DeviceEngine::get().memory().close_shared_memory(opened, [socket] { hang_up(*socket); });
  }
}

void IpcSource::finish() noexcept {
  thread_.reset();
  {
    const std::lock_guard lock(mutex_);
    if (socket_.is_open()) {
      say(encode_frame(IpcFrame::Bye, 0, taken_));
    }
    finished_ = true;
  }
  settle_drops();
  const std::lock_guard lock(mutex_);
  watchers_.clear();
  close_if_unused();
}

void IpcSource::serve(int stop) {
  try {
    if (find_transmitter(stop)) {
      listen(stop);
    }
  } catch (const Error& error) {
    fail(error.code(), error.message());
  } catch (const std::exception& error) {
    fail(ErrorCode::Failure, error.what());
  }
}

bool IpcSource::is_late() {
  return connect_timeout_.count() > 0 &&
         std::chrono::steady_clock::now() - begin_ >= connect_timeout_;
}

/// False: it is to stop.
bool IpcSource::find_transmitter(int stop) {
  while (!try_to_connect(stop)) {
    if (is_late()) {
      throw Error(ErrorCode::NotFound, "nobody sends at " + address_.called() + ": " + silence_ +
                                           " within " + std::to_string(connect_timeout_.count()) +
                                           " ms (connect_timeout_ms)");
    }
    if (!wait_for(stop, -1, kLookPeriod)) {
      return false;
    }
  }
  return true;
}

bool IpcSource::try_to_connect(int stop) {
  silence_ = "no gxr::cuda::IpcTransmitter was there";
  FileDescriptor socket = address_.make_socket(SOCK_NONBLOCK);
  const int error = address_.connect(socket);
  if (error == ENOENT || error == ECONNREFUSED || error == EAGAIN) {
    return false;
  }
  if (error != 0) {
    throw Error(ErrorCode::InputOutput, address_.called() + ": " + system_error_text(error));
  }
  if (!is_of_same_user(socket)) {
    throw Error(ErrorCode::Incompatible,
                "who listens at " + address_.called() + " belongs to another user");
  }
  return hear_hello(stop, std::move(socket));
}

/// False: whoever is there has said nothing yet, and gone or been silent for too long.
bool IpcSource::hear_hello(int stop, FileDescriptor socket) {
  input_ = {};
  try {
    static_cast<void>(send_some(socket, encode(IpcHello{IpcRole::Receiver, 0}), 0));
  } catch (const Error&) {
    return false;  // it is about to end
  }
  const int number = socket.get();
  {
    const std::lock_guard lock(mutex_);
    socket_ = std::move(socket);
  }
  while (!input_.has_hello()) {
    bool open = true;
    try {
      open = input_.read(socket_, listener());
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Incompatible) {
        throw Error(error.code(),
                    "who listens at " + address_.called() +
                        " is no gxr::cuda::IpcTransmitter of this gxr: " + error.message());
      }
      if (error.code() == ErrorCode::InvalidData) {
        throw_nonsense_of_transmitter(error);  // it came together with the hello
      }
      throw;
    }
    if (!open && !input_.has_hello()) {
      return false;
    }
    if (!open) {
      lose_transmitter();
    }
    if (!input_.has_hello()) {
      silence_ = "who listens there said nothing";
      if (is_late() || !wait_for(stop, number, kLookPeriod)) {
        return false;
      }
    }
  }
  return true;
}

IpcInput::Listener IpcSource::listener() {
  return {[this](const IpcHello& hello) { greet(hello); },
          [this](const IpcHeader& header) { check_frame(header); },
          [this](const IpcHeader& header, IpcBytes body) { take_in(header, std::move(body)); }};
}

void IpcSource::greet(const IpcHello& hello) {
  if (hello.role == IpcRole::Busy) {
    throw Error(ErrorCode::InvalidState,
                "another process receives at " + address_.called() + " already");
  }
  if (hello.role != IpcRole::Transmitter) {
    throw_stranger("it is a receiver, too");
  }
  if (hello.slots == 0) {
    throw_stranger("it says that it has 0 slots");
  }
  {
    const std::lock_guard lock(mutex_);
    holds_.assign(hello.slots, 0);
  }
  owner_.context().log(LogLevel::Debug, owner_,
                       "found the transmitter at " + address_.called() + ", with " +
                           std::to_string(hello.slots) + " slots");
  notify();
}

void IpcSource::listen(int stop) {
  for (bool open = true; wait_for_events(stop, open && !has_ended());) {
    wake_.reset();
    settle_drops();
    if (open && !has_ended()) {
      open = hear();
    }
  }
}

/// False: the stop.
bool IpcSource::wait_for_events(int stop, bool listens) const {
  std::array<pollfd, 3> events = {{{stop, POLLIN, 0},
                                   {wake_.descriptor(), POLLIN, 0},
                                   {listens ? socket_.get() : -1, POLLIN, 0}}};
  static_cast<void>(::poll(events.data(), events.size(), -1));
  return events[0].revents == 0;
}

void IpcSource::throw_nonsense_of_transmitter(const Error& error) const {
  throw Error(error.code(), "what the transmitter at " + address_.called() +
                                " sent makes no sense: " + error.message());
}

/// False: the transmitter has gone.
bool IpcSource::hear() {
  bool open = true;
  try {
    open = input_.read(socket_, listener());
  } catch (const Error& error) {
    throw_nonsense_of_transmitter(error);
  }
  if (!open) {
    lose_transmitter();
  }
  return open;
}

bool IpcSource::has_ended() const {
  const std::lock_guard lock(mutex_);
  return flow_ == Flow::Ended;
}

/// It has closed, perhaps after it said that nothing follows.
void IpcSource::lose_transmitter() {
  if (has_ended()) {
    return;
  }
  end("the transmitter at " + address_.called() + " ended without saying so" +
      (input_.is_amid_frame() ? ", in the middle of a message" : ""));
}

void IpcSource::check_frame(const IpcHeader& header) const {
  const std::lock_guard lock(mutex_);
  bool right = flow_ == Flow::Open;
  if (header.kind == IpcFrame::Message) {
    right = right && header.slot < holds_.size() && holds_[header.slot] == 0 &&
            header.bytes >= sizeof(IpcEnvelope);
  } else if (header.kind == IpcFrame::Memory) {
    right = right && !memory_ && header.bytes == sizeof(IpcMemory);
  } else {
    right = right && header.kind == IpcFrame::End && header.bytes == 0;
  }
  if (!right) {
    throw_nonsense("a frame of kind " + std::to_string(static_cast<std::uint32_t>(header.kind)) +
                   " with slot " + std::to_string(header.slot) + " and " +
                   std::to_string(header.bytes) + " bytes cannot come now");
  }
}

void IpcSource::take_in(const IpcHeader& header, IpcBytes body) {
  if (header.kind == IpcFrame::Memory) {
    set_memory(body);
    return;
  }
  if (header.kind == IpcFrame::End) {
    end({});
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    holds_[header.slot] = 1;
    arrived_.push_back({header.slot, std::move(body)});
  }
  notify();
}

void IpcSource::set_memory(const IpcBytes& body) {
  IpcMemory memory;
  std::memcpy(&memory, body.data(), sizeof(memory));
  const std::lock_guard lock(mutex_);
  std::uint64_t all = 0;
  if (memory.slot_bytes == 0 ||
      __builtin_mul_overflow(memory.slot_bytes, std::uint64_t{holds_.size()}, &all)) {
    throw_nonsense("slots of device memory cannot have " + std::to_string(memory.slot_bytes) +
                   " bytes");
  }
  memory_ = memory;
}

/// Nothing follows. `warning`: why, if that was to be expected no more than now.
void IpcSource::end(const std::string& warning) {
  if (!warning.empty()) {
    owner_.context().log(LogLevel::Warn, owner_, warning);
  }
  {
    const std::lock_guard lock(mutex_);
    flow_ = Flow::Ended;
    close_if_unused();
  }
  notify();
}

void IpcSource::fail(ErrorCode code, const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    failure_.emplace(code, text);
  }
  notify();
}

void IpcSource::notify() {
  std::vector<const Component*> watchers;
  {
    const std::lock_guard lock(mutex_);
    watchers = watchers_;
  }
  for (const Component* term : watchers) {
    term->context().notify(*term);
  }
}

}  // namespace gxr
