#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gxr/export.hpp"
#include "gxr/interface.hpp"
#include "gxr/message_account.hpp"
#include "gxr/outside_queue.hpp"
#include "gxr/queue.hpp"
#include "gxr/serialization/component_serializer.hpp"

namespace gxr::cuda {

/// An output queue whose messages go to an IpcReceiver in another process of the same user on the
/// same machine, through a Unix socket. Tensors in device memory are copied into device memory that
/// both processes share (cudaIpcMemHandle_t); all else travels through the socket in the format of
/// recordings. Messages keep source time and sequence number.
///
/// It holds `slots` messages: those that wait, are under way, or whose device tensors are still in
/// use at the other end. A message more is Error(Overflow); a DownstreamReceptiveSchedulingTerm
/// waits for room. Nothing is dropped and the order is kept.
class GXR_API IpcTransmitter final : public Transmitter, public OutsideQueue {
 public:
  IpcTransmitter();
  ~IpcTransmitter() override;
  void declare(Interface& interface) override;
  /// Listens at `address`. Throws Error: InvalidArgument for a path of no or more than 107 bytes,
  /// InvalidState when another process listens there or a file is there that is no socket,
  /// InputOutput.
  void initialize() override;
  /// Waits until the other end has taken everything. Throws Error when it did not, or ended before.
  void deinitialize() override;

  /// Throws Error(Overflow) when there is no room.
  void push(Message message) override;
  /// Null: nothing passes connections.
  Message pop() override;
  [[nodiscard]] const Message* peek(std::size_t index) const override;
  [[nodiscard]] std::size_t capacity() const override;
  /// Messages that are not at the other end, or are in use there.
  [[nodiscard]] std::size_t size() const override;
  [[nodiscard]] std::size_t back_size() const override;
  /// Sends what was pushed. Throws Error: NotSupported for parts that cannot travel and for device
  /// memory without a GPU, InvalidParameter for more device memory than a slot has, OutOfMemory,
  /// Device, and the failure of the connection.
  void sync() override;
  /// Sends what is left.
  void clear() override;
  [[nodiscard]] bool is_concurrent() const noexcept override { return true; }

  [[nodiscard]] bool is_open() override;
  void watch(const Component& term) override;

 private:
  class Impl;

  Parameter<FilePath> address_;
  Parameter<std::uint32_t> slots_;
  Parameter<std::uint64_t> slot_bytes_;
  Parameter<std::int64_t> connect_timeout_ms_;
  Parameter<std::int64_t> drain_timeout_ms_;
  Parameter<std::vector<Handle<ComponentSerializer>>> component_serializers_;
  std::unique_ptr<Impl> impl_;
};

/// An input queue that gets the messages of an IpcTransmitter in another process. Their device
/// tensors are that process's memory, which is given back when they go; whoever keeps a message
/// keeps one of the transmitter's slots. When the other process ends, or dies, what has arrived can
/// still be received; then terms that wait for more answer NEVER.
class GXR_API IpcReceiver final : public Receiver, public OutsideQueue, public MessageAccount {
 public:
  IpcReceiver();
  ~IpcReceiver() override;
  void declare(Interface& interface) override;
  /// Begins to look for the transmitter. Throws Error(InvalidArgument) for a path of no or more
  /// than 107 bytes.
  void initialize() override;
  void deinitialize() override;

  /// Throws Error(NotSupported): messages come from the other process only.
  void push(Message message) override;
  Message pop() override;
  [[nodiscard]] const Message* peek(std::size_t index) const override;
  /// Slots of the transmitter; 0 before it is known.
  [[nodiscard]] std::size_t capacity() const override;
  [[nodiscard]] std::size_t size() const override;
  [[nodiscard]] std::size_t back_size() const override;
  /// Takes in what has arrived. Throws Error: InvalidData for what is no message, NotSupported and
  /// NotFound for device memory that this process cannot open, OutOfMemory, Device.
  void sync() override;
  /// Drops what has not been received; the other process is told.
  void clear() override;
  [[nodiscard]] bool is_concurrent() const noexcept override { return true; }
  [[nodiscard]] std::vector<Discard> discards() const override { return {}; }
  [[nodiscard]] std::size_t unread() const override { return size() + back_size(); }

  /// Throws the failure of the connection: nobody there within `connect_timeout_ms`, or somebody
  /// else.
  [[nodiscard]] bool is_open() override;
  void watch(const Component& term) override;

 private:
  class Impl;

  Parameter<FilePath> address_;
  Parameter<std::int64_t> connect_timeout_ms_;
  Parameter<Handle<Allocator>> allocator_;
  Parameter<std::vector<Handle<ComponentSerializer>>> component_serializers_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gxr::cuda
