#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gxr/message.hpp"
#include "gxr/serialization/component_serializer.hpp"
#include "gxr/serialization/entity_serializer.hpp"
#include "ipc/ipc_protocol.hpp"
#include "recording/tensor_payload.hpp"

namespace gxr {

/// A tensor whose elements are in the device memory of a message's slot.
struct DeviceTensor {
  CheckedTensor tensor;
  std::uint64_t offset = 0;  ///< bytes from the begin of the slot
  std::uint64_t span = 0;    ///< bytes from the first to behind the last element
};

/// Turns messages into bytes and back: an IpcEnvelope, and the format of recordings, in which a
/// word stands before each tensor, picture or sound. 0: as in recordings; 1: a TensorHeader and the
/// tensor's offset in the slot.
///
/// One thread.
class MessageCodec {
 public:
  /// Puts the elements of a device tensor into the slot; returns the offset.
  using Put = std::function<std::uint64_t(const Tensor&)>;
  /// Gives a tensor that memory. Throws when there is no such.
  using Take = std::function<void(Tensor&, const DeviceTensor&)>;

  /// `owner`: in whose name it speaks. `allocator`: gives system memory to tensors that are read;
  /// nullptr: the heap. `further`: for parts of other types.
  MessageCodec(const Component& owner, Allocator* allocator,
               const std::vector<Handle<ComponentSerializer>>& further);
  ~MessageCodec();

  /// Behind `head`. Without `put`, elements of device tensors are written like those of others.
  /// Throws Error(NotSupported) for a part that nobody can write.
  IpcBytes encode(const Message& message, Put put, std::span<const std::byte> head = {});
  /// Throws Error(InvalidData) for what is no message.
  Message decode(std::span<const std::byte> bytes, Take take);

 private:
  class TensorSerializer;

  void require_known(const Message& message) const;

  std::vector<Handle<ComponentSerializer>> serializers_;
  StdComponentSerializer std_;
  std::unique_ptr<TensorSerializer> tensors_;
  StdEntitySerializer entity_;
};

/// Does this part only order device work inside of a process, so that it means nothing elsewhere?
[[nodiscard]] bool stays_in_process(TypeId part) noexcept;

}  // namespace gxr
