#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/device_work.hpp"
#include "gxr/error.hpp"
#include "ipc/ipc_protocol.hpp"
#include "ipc/local_socket.hpp"
#include "ipc/service_thread.hpp"

namespace gxr {

/// The half of an IpcReceiver that talks to the other process. A thread of its own finds the
/// transmitter and takes in what it sends, until finish(). Messages may outlive that: each holds
/// this object, and a slot, which goes back when nobody holds it any more. Functions are for any
/// thread unless said otherwise.
class IpcSource {
 public:
  struct Arrived {
    std::uint32_t slot;  ///< held once for the message
    IpcBytes message;
  };

  /// `connect_timeout`: 0: without end.
  IpcSource(const Component& owner, LocalAddress address,
            std::chrono::milliseconds connect_timeout);
  IpcSource(const IpcSource&) = delete;
  IpcSource& operator=(const IpcSource&) = delete;
  /// Closes the memory of the other process.
  ~IpcSource();

  [[nodiscard]] const LocalAddress& address() const noexcept { return address_; }
  /// Of the transmitter; 0 before it is known.
  [[nodiscard]] std::size_t slots() const;
  /// Messages that take_arrived() would give.
  [[nodiscard]] std::size_t arrived() const;
  [[nodiscard]] std::vector<Arrived> take_arrived();
  /// Can more arrive? Throws the failure of the connection.
  [[nodiscard]] bool is_open() const;
  /// Context::notify is called for it whenever something has arrived, and at the end.
  void watch(const Component& term);

  /// Device memory of a slot. Throws Error: InvalidData when the slot has no such, NotSupported,
  /// NotFound or Device when this process cannot open it.
  [[nodiscard]] void* device_memory(std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes);
  void hold(std::uint32_t slot);
  void drop(std::uint32_t slot) noexcept;
  /// The same when this work is done. The caller does not wait, but after finish().
  void drop_after(std::uint32_t slot, std::vector<DeviceWork> work) noexcept;
  /// The message of the slot was received, by a codelet; drops the hold of it.
  void take(std::uint32_t slot) noexcept;
  /// Nothing will be received any more: says so, and ends the thread. Once, by one thread.
  void finish() noexcept;

 private:
  struct Drop {
    std::uint32_t slot;
    std::vector<DeviceWork> work;
  };
  enum class Flow : std::uint8_t { Open, Ended };

  // the thread
  void serve(int stop);
  bool find_transmitter(int stop);
  bool try_to_connect(int stop);
  bool hear_hello(int stop, FileDescriptor socket);
  void greet(const IpcHello& hello);
  void listen(int stop);
  [[nodiscard]] bool wait_for_events(int stop, bool listens) const;
  bool hear();
  [[noreturn]] void throw_nonsense_of_transmitter(const Error& error) const;
  void settle_drops() noexcept;
  void check_frame(const IpcHeader& header) const;
  void take_in(const IpcHeader& header, IpcBytes body);
  void set_memory(const IpcBytes& body);
  [[nodiscard]] bool has_ended() const;
  void lose_transmitter();
  void end(const std::string& warning);
  void fail(ErrorCode code, const std::string& text);
  void notify();
  bool is_late();
  [[nodiscard]] IpcInput::Listener listener();

  // with mutex_ held
  void release(std::uint32_t slot) noexcept;
  void say(const IpcBytes& bytes) noexcept;
  void close_if_unused() noexcept;
  void close_memory() noexcept;
  [[nodiscard]] bool is_unused() const noexcept;

  const Component& owner_;  // until finish()
  const LocalAddress address_;
  const std::chrono::milliseconds connect_timeout_;
  const std::chrono::steady_clock::time_point begin_;
  WakeUp wake_;
  IpcInput input_;       // of the thread
  std::string silence_;  // why there is no transmitter yet; of the thread

  mutable std::mutex mutex_;  // guards the members below
  FileDescriptor socket_;     // when the hello was right
  Flow flow_ = Flow::Open;
  std::vector<std::uint32_t> holds_;  // by slot
  std::vector<Arrived> arrived_;
  std::vector<Drop> drops_;  // which the thread is to wait for
  std::uint64_t taken_ = 0;
  std::optional<IpcMemory> memory_;
  void* opened_ = nullptr;  // that memory
  bool closes_ = false;     // what was opened; says so when that is done
  bool finished_ = false;
  std::optional<Error> failure_;
  std::vector<const Component*> watchers_;

  std::optional<ServiceThread> thread_;
};

}  // namespace gxr
