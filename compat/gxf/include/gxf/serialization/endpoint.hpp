#pragma once

#include <cstddef>
#include <type_traits>

#include "gxf/core/component.hpp"
#include "gxf/std/memory_storage.hpp"

namespace gxr {

class Endpoint;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// Where serialised bytes go to and come from. Sources may derive from it.
class GXR_GXF_API Endpoint : public Component {
 public:
  ~Endpoint() override;

  virtual gxf_result_t is_write_available_abi();
  virtual gxf_result_t is_read_available_abi();
  virtual gxf_result_t write_abi(const void* data, size_t size, size_t* bytes_written) = 0;
  virtual gxf_result_t read_abi(void* data, size_t size, size_t* bytes_read) = 0;
  virtual gxf_result_t write_ptr_abi(const void* pointer, size_t size, MemoryStorageType type);

  bool isWriteAvailable();
  bool isReadAvailable();
  /// Returns the bytes that were written.
  Expected<size_t> write(const void* data, size_t size);
  /// Returns the bytes that were read. The endpoints of gxr fail when there are fewer than `size`.
  Expected<size_t> read(void* data, size_t size);
  Expected<void> write_ptr(const void* pointer, size_t size, MemoryStorageType type);

  /// Writes an object as the bytes that it has in memory.
  template <typename T>
  Expected<size_t> writeTrivialType(const T* object) {
    static_assert(std::is_trivially_copyable_v<T>, "the object is more than its bytes");
    return write(object, sizeof(T));
  }
  /// Reads what writeTrivialType() wrote.
  template <typename T>
  Expected<size_t> readTrivialType(T* object) {
    static_assert(std::is_trivially_copyable_v<T>, "the object is more than its bytes");
    return read(object, sizeof(T));
  }

  // Of the layer.
  gxr::Component* make_adapter() override;
};

/// An endpoint that gxr has itself.
class GXR_GXF_API NativeEndpoint : public Endpoint {
 public:
  explicit NativeEndpoint(gxr::Endpoint& endpoint) noexcept : endpoint_(endpoint) {}
  ~NativeEndpoint() override;

  gxf_result_t is_read_available_abi() override;
  gxf_result_t write_abi(const void* data, size_t size, size_t* bytes_written) override;
  gxf_result_t read_abi(void* data, size_t size, size_t* bytes_read) override;
  gxr::Endpoint& native() const noexcept { return endpoint_; }

 private:
  gxr::Endpoint& endpoint_;
};

}  // namespace gxf
}  // namespace nvidia
