#pragma once

#include <cstdint>

#include "common/byte.hpp"
#include "gxf/core/component.hpp"
#include "gxf/core/parameter_parser.hpp"
#include "gxf/std/memory_storage.hpp"

namespace gxr {

class Allocator;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// Gives memory. Sources may derive from it.
struct GXR_GXF_API Allocator : public Component {
 public:
  ~Allocator() override;

  virtual gxf_result_t is_available_abi(std::uint64_t size) = 0;
  virtual gxf_result_t allocate_abi(std::uint64_t size, std::int32_t type, void** pointer) = 0;
  virtual gxf_result_t free_abi(void* pointer) = 0;
  virtual std::uint64_t block_size_abi() const;

  bool is_available(std::uint64_t size);
  Expected<byte*> allocate(std::uint64_t size, MemoryStorageType type);
  Expected<void> free(byte* pointer);
  std::uint64_t block_size() const;

  // Of the layer.
  gxr::Component* make_adapter() override;

 private:
  gxr::Allocator* adapter_ = nullptr;  // of an allocator that a source wrote
};

/// An allocator that gxr has itself.
class GXR_GXF_API NativeAllocator : public Allocator {
 public:
  explicit NativeAllocator(gxr::Allocator& allocator) noexcept : allocator_(allocator) {}
  ~NativeAllocator() override;

  gxf_result_t is_available_abi(std::uint64_t size) override;
  gxf_result_t allocate_abi(std::uint64_t size, std::int32_t type, void** pointer) override;
  gxf_result_t free_abi(void* pointer) override;
  std::uint64_t block_size_abi() const override;
  gxr::Allocator& native() const noexcept { return allocator_; }

 private:
  gxr::Allocator& allocator_;
};

template <>
struct ParameterParser<MemoryStorageType> {
  static Expected<MemoryStorageType> Parse(gxf_context_t context, gxf_uid_t cid, const char* key,
                                           const YAML::Node& node, const std::string& prefix) {
    if (node.IsScalar()) {
      const std::string& text = node.Scalar();
      if (text == "Host" || text == "kHost") return MemoryStorageType::kHost;
      if (text == "Device" || text == "kDevice") return MemoryStorageType::kDevice;
      if (text == "System" || text == "kSystem") return MemoryStorageType::kSystem;
      if (text == "Managed" || text == "kCudaManaged") return MemoryStorageType::kCudaManaged;
    }
    const auto number = ParameterParser<std::int32_t>::Parse(context, cid, key, node, prefix);
    if (!number) {
      return ForwardError(number);
    }
    if (number.value() < 0 || number.value() > 3) {
      return Unexpected{GXF_PARAMETER_OUT_OF_RANGE};
    }
    return static_cast<MemoryStorageType>(number.value());
  }
};

template <>
struct ParameterWrapper<MemoryStorageType> {
  static Expected<YAML::Node> Wrap(gxf_context_t, const MemoryStorageType& value) {
    return YAML::Node(static_cast<std::int32_t>(value));
  }
};

}  // namespace gxf
}  // namespace nvidia
