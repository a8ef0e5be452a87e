#pragma once

#include <cstddef>

#include "common/byte.hpp"
#include "gxf/serialization/endpoint.hpp"
#include "gxf/std/allocator.hpp"

namespace gxr {

class SerializationBuffer;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// gxr's endpoint in memory: what was written is read in the same order.
class GXR_GXF_API SerializationBuffer final : public NativeEndpoint {
 public:
  using OnlyOfGxr = void;

  explicit SerializationBuffer(gxr::SerializationBuffer& buffer) noexcept;
  ~SerializationBuffer() override;

  MemoryStorageType storage_type() const;
  /// What has not been read.
  const byte* data() const;
  size_t capacity() const;
  /// Bytes that have not been read.
  size_t size() const;
  /// Drops all content.
  void reset();

 private:
  gxr::SerializationBuffer& buffer_;
};

}  // namespace gxf
}  // namespace nvidia
