#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
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

/// The half of an IpcTransmitter that talks to the other process, on a thread of its own: one
/// receiver at a time, and one after the other. Functions are for any thread.
class IpcSender {
 public:
  /// `connect_timeout`: how long messages may wait for a receiver; 0: without end. Throws as
  /// LocalSocket does.
  IpcSender(const Component& owner, const LocalAddress& address, std::uint32_t slots,
            std::chrono::milliseconds connect_timeout);
  IpcSender(const IpcSender&) = delete;
  IpcSender& operator=(const IpcSender&) = delete;
  ~IpcSender();

  /// Slots that are not free.
  [[nodiscard]] std::size_t in_use() const;
  [[nodiscard]] std::uint32_t slots() const noexcept {
    return static_cast<std::uint32_t>(slots_.size());
  }
  /// Throws the failure that ended the connection.
  void check();
  /// A free slot, which is not any more. Precondition: there is one.
  std::uint32_t take_slot();
  /// Nothing will be sent of that slot: it is free again.
  void give_up_slot(std::uint32_t slot);
  /// Sends a message of that slot when `work` is done, behind those before.
  void send(std::uint32_t slot, IpcBytes message, const DeviceWork& work);
  /// Told to a receiver before the next message.
  void set_memory(const IpcMemory& memory);
  /// Context::notify is called for it whenever a slot is free again, and when the connection fails.
  void watch(const Component& term);
  /// Nothing more is sent: waits until all slots are free. False when the other process may still
  /// have the device memory open. Throws the failure, if check() has not, and Error(NotFinished)
  /// when `timeout` is over.
  bool finish(std::chrono::milliseconds timeout);

 private:
  using Clock = std::chrono::steady_clock;
  enum class Slot : std::uint8_t { Free, Waiting, Sent };

  struct Outgoing {
    std::uint32_t slot;
    IpcBytes message;
    DeviceWork work;
  };
  struct Peer;

  // the thread
  void serve(int stop);
  void wait_for_events(int stop);
  [[nodiscard]] int patience() const;
  void hear();
  void greet(const IpcHello& hello);
  void check_frame(const IpcHeader& header) const;
  void take_in(const IpcHeader& header, const IpcBytes& body);
  void say_bye(std::uint64_t taken);
  void part();
  void abandon();
  void accept_clients();
  void talk();
  bool next_message();
  void flush();
  void look_at_time();
  void fail(ErrorCode code, const std::string& text);
  void warn(const std::string& text) const;
  void notify();
  void set_connected(bool connected);

  const Component& owner_;
  const std::chrono::milliseconds connect_timeout_;
  LocalSocket socket_;
  WakeUp wake_;
  std::unique_ptr<Peer> peer_;                    // who is connected; of the thread
  std::optional<Clock::time_point> waits_since_;  // messages, for a receiver; of the thread
  bool stopped_ = false;                          // of the thread
  bool full_ = false;                             // no room for another client; of the thread

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::vector<Slot> slots_;  // the size never changes
  std::size_t in_use_ = 0;
  std::deque<Outgoing> queue_;
  std::optional<IpcMemory> memory_;
  std::optional<Error> failure_;
  bool told_ = false;  // by check()
  std::vector<const Component*> watchers_;
  bool connected_ = false;
  bool abandoned_ = false;  // a receiver that may have the memory open
  bool end_ = false;        // finish() was called
  bool end_sent_ = false;   // to who is connected

  ServiceThread thread_;
};

}  // namespace gxr
