#include <memory>
#include <string_view>
#include <typeinfo>

#include "context.hpp"
#include "facades.hpp"
#include "gxf/cuda/cuda_allocator.hpp"
#include "gxf/cuda/cuda_scheduling_terms.hpp"
#include "gxf/cuda/cuda_stream_pool.hpp"
#include "gxf/cuda/cuda_stream_sync.hpp"
#include "gxf/cuda/stream_ordered_allocator.hpp"
#include "gxf/rmm/rmm_allocator.hpp"
#include "gxr/cuda/cuda_allocator.hpp"
#include "gxr/cuda/stream_pool.hpp"
#include "gxr/scheduling_term.hpp"
#include "gxr/type_name.hpp"
#include "native.hpp"

// The components of gxr's extension `cuda` as sources see them.

namespace nvidia::gxf {
namespace layer {
namespace {

/// Is it of this type? The extension has the classes, and only their names are known here.
bool has_type(const gxr::Component& component, std::string_view mangled) {
  return mangled == typeid(component).name();
}

template <class Facade, class Native>
MadeFacade make_one(Native& native) {
  return {std::make_unique<Facade>(native), TypenameAsString<Facade>()};
}

}  // namespace

MadeFacade make_cuda_facade(gxr::Component& component) {
  if (auto* const pool = dynamic_cast<gxr::cuda::CudaStreamPool*>(&component); pool != nullptr) {
    return make_one<CudaStreamPool>(*pool);
  }
  if (auto* const memory = dynamic_cast<gxr::cuda::CudaAllocator*>(&component); memory != nullptr) {
    if (has_type(component, "N3gxr4cuda22StreamOrderedAllocatorE")) {
      return make_one<StreamOrderedAllocator>(*memory);
    }
    if (has_type(component, "N3gxr4cuda12RMMAllocatorE")) {
      return make_one<RMMAllocator>(*memory);
    }
    return {std::make_unique<NativeCudaAllocator>(*memory), TypenameAsString<CudaAllocator>()};
  }
  if (auto* const term = dynamic_cast<gxr::SchedulingTerm*>(&component); term != nullptr) {
    if (has_type(component, "N3gxr4cuda24CudaStreamSchedulingTermE")) {
      return make_one<CudaStreamSchedulingTerm>(*term);
    }
    if (has_type(component, "N3gxr4cuda23CudaEventSchedulingTermE")) {
      return make_one<CudaEventSchedulingTerm>(*term);
    }
    if (has_type(component, "N3gxr4cuda33CudaBufferAvailableSchedulingTermE")) {
      return make_one<CudaBufferAvailableSchedulingTerm>(*term);
    }
  }
  if (has_type(component, "N3gxr4cuda14CudaStreamSyncE")) {
    return {std::make_unique<CudaStreamSync>(), TypenameAsString<CudaStreamSync>()};
  }
  return {};
}

}  // namespace layer

CudaAllocator::~CudaAllocator() = default;

Expected<byte*> CudaAllocator::allocate_async(std::uint64_t size, cudaStream_t stream) {
  void* pointer = nullptr;
  const gxf_result_t code = allocate_async_abi(size, &pointer, stream);
  return ExpectedOrCode(code, static_cast<byte*>(pointer));
}

Expected<void> CudaAllocator::free_async(byte* pointer, cudaStream_t stream) {
  return ExpectedOrCode(free_async_abi(pointer, stream));
}

NativeCudaAllocator::~NativeCudaAllocator() = default;

gxf_result_t NativeCudaAllocator::is_available_abi(std::uint64_t size) {
  return allocator_.is_available(size) ? GXF_SUCCESS : GXF_FAILURE;
}

gxf_result_t NativeCudaAllocator::allocate_abi(std::uint64_t size, std::int32_t type,
                                               void** pointer) {
  if (pointer == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::allocate_native(allocator_, size, type, pointer);
}

gxf_result_t NativeCudaAllocator::free_abi(void* pointer) {
  return layer::free_native(allocator_, pointer);
}

std::uint64_t NativeCudaAllocator::block_size_abi() const { return allocator_.block_size(); }

gxf_result_t NativeCudaAllocator::allocate_async_abi(std::uint64_t size, void** pointer,
                                                     cudaStream_t stream) {
  if (pointer == nullptr || stream == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::guarded([&] {
    *pointer = allocator_.allocate_async(size == 0 ? 1 : size, stream);
    return GXF_SUCCESS;
  });
}

gxf_result_t NativeCudaAllocator::free_async_abi(void* pointer, cudaStream_t stream) {
  if (pointer == nullptr || stream == nullptr) {
    return GXF_ARGUMENT_NULL;
  }
  return layer::guarded([&] {
    allocator_.free_async(pointer, stream);
    return GXF_SUCCESS;
  });
}

Expected<std::size_t> NativeCudaAllocator::get_pool_size(MemoryStorageType type) const {
  if (type != MemoryStorageType::kDevice) {
    return Unexpected{GXF_NOT_IMPLEMENTED};
  }
  std::size_t size = 0;
  const gxf_result_t code = layer::guarded([&] {
    size = allocator_.device_bytes();
    return GXF_SUCCESS;
  });
  return ExpectedOrCode(code, size);
}

StreamOrderedAllocator::~StreamOrderedAllocator() = default;
RMMAllocator::~RMMAllocator() = default;
CudaStreamSchedulingTerm::~CudaStreamSchedulingTerm() = default;
CudaEventSchedulingTerm::~CudaEventSchedulingTerm() = default;
CudaBufferAvailableSchedulingTerm::~CudaBufferAvailableSchedulingTerm() = default;
CudaStreamSync::~CudaStreamSync() = default;
gxf_result_t CudaStreamSync::tick() { return GXF_NOT_IMPLEMENTED; }

}  // namespace nvidia::gxf
