#include "image/gpu_tick.hpp"

#include <cstring>

#include "gxr/device_runtime.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/kernels/convert.hpp"
#include "image/picture_memory.hpp"

namespace gxr::image {
namespace {

/// Page-locked memory from which a stream copies; used again when its work is done.
class Staging {
 public:
  Staging(std::size_t bytes, DeviceStream& stream)
      : memory_(DeviceRuntime::get().allocate_pinned(bytes)) {
    if (memory_ == nullptr) {
      throw Error(ErrorCode::OutOfMemory,
                  "the system has no " + std::to_string(bytes) + " bytes of page-locked memory");
    }
    users_.add(stream);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() {
    try {
      DeviceRuntime::get().free_pinned(memory_, users_);
    } catch (...) {
      // Memory that the runtime gave is only refused after the device has failed.
    }
  }

  [[nodiscard]] std::byte* data() const noexcept { return static_cast<std::byte*>(memory_); }

 private:
  void* memory_;
  DeviceUsers users_;
};

/// The picture in memory that is worked on, with its samples as they are.
InputImage in_reach(const InputImage& image, const GpuTick* gpu, Tensor& copy) {
  if (gpu != nullptr) {
    return gpu->on_device(image, copy);
  }
  if (image.tensor->storage_type() != MemoryStorageType::Device) {
    return image;
  }
  copy = copy_to_host(*image.tensor);
  InputImage moved = image;
  moved.tensor = &copy;
  return moved;
}

std::size_t row_bytes(const InputImage& image) {
  return static_cast<std::size_t>(image.shape.width * image.shape.channels) *
         image.tensor->bytes_per_element();
}

/// Copies a picture's rows one behind the other.
void gather_rows(const InputImage& image, std::byte* to) {
  const std::size_t bytes = row_bytes(image);
  const auto* from = static_cast<const std::byte*>(image.tensor->pointer());
  for (std::int64_t y = 0; y < image.shape.height; ++y) {
    std::memcpy(to, from, bytes);
    from += image.tensor->stride(0);
    to += bytes;
  }
}

}  // namespace

GpuTick::GpuTick(Placement& placement)
    : kernels_(device_kernels()), streams_(placement.streams()), tick_(streams_) {}

void GpuTick::use(const Message& message) const {
  for (const detail::Part& part : message) {
    if (part.id == TypeIdOf<Tensor>::value) {
      static_cast<void>(streams_.uses(*static_cast<const Tensor*>(part.data), stream()));
    }
  }
}

DeviceStream& GpuTick::device_stream() const {
  static_cast<void>(streams_.stream());
  return *current_device_stream();
}

Tensor GpuTick::scratch(std::size_t bytes) const {
  static_cast<void>(stream());
  Tensor memory;
  // Rows of 256, since a tensor counts in 32 bits and pictures of floats may have 4 GiB.
  constexpr std::size_t kRow = 256;
  const auto rows = static_cast<std::int32_t>((bytes + kRow - 1) / kRow);
  allocate_on_device(memory, nullptr, Shape{rows, static_cast<std::int32_t>(kRow)},
                     ElementType::UInt8, device());
  return memory;
}

void GpuTick::upload(const void* from, void* to, std::size_t bytes) const {
  DeviceStream& stream = device_stream();
  const Staging staging(bytes, stream);
  std::memcpy(staging.data(), from, bytes);
  DeviceRuntime::get().copy(to, staging.data(), bytes, stream);
}

void GpuTick::upload_rows(const InputImage& image, void* to) const {
  DeviceRuntime& runtime = DeviceRuntime::get();
  DeviceStream& stream = device_stream();
  const std::size_t bytes = row_bytes(image);
  const auto rows = static_cast<std::size_t>(image.shape.height);
  const Tensor& tensor = *image.tensor;
  if (tensor.storage_type() == MemoryStorageType::System) {
    // Of memory that may be paged out, CUDA copies only when the stream's work before is done.
    const Staging staging(bytes * rows, stream);
    gather_rows(image, staging.data());
    runtime.copy(to, staging.data(), bytes * rows, stream);
  } else if (rows == 1 || tensor.stride(0) == bytes) {
    runtime.copy(to, tensor.pointer(), bytes * rows, stream);
  } else {
    runtime.copy_rows(to, bytes, tensor.pointer(), tensor.stride(0), bytes, rows, stream);
  }
}

InputImage GpuTick::on_device(const InputImage& image, Tensor& copy) const {
  if (image.tensor->storage_type() == MemoryStorageType::Device) {
    return image;
  }
  allocate_image(copy, nullptr, this, image.shape, image.type());
  upload_rows(image, copy.pointer());
  InputImage moved = image;
  moved.tensor = &copy;
  return moved;
}

void GpuTick::check() const { streams_.check(); }

InputImage reachable(const InputImage& image, const GpuTick* gpu, Tensor& copy) {
  if (image.in_order) {
    return in_reach(image, gpu, copy);
  }
  InputImage samples = image;
  samples.shape.channels = image.packed->samples;
  Tensor between;
  samples = in_reach(samples, gpu, between);
  allocate_image(copy, nullptr, gpu, image.shape, image.type());
  visit_image(samples, [&](auto from) {
    using T = ElementOf<decltype(from)>;
    const auto to = view_as<T>(copy, image.shape);
    if (gpu != nullptr) {
      gpu->kernels<T>().permute_channels(from, to, image.packed->order.data(), gpu->stream());
    } else {
      kernels::permute_channels<T>(from, to, image.packed->order.data());
    }
  });
  InputImage ordered = image;
  ordered.tensor = &copy;
  ordered.in_order = true;
  return ordered;
}

void allocate_result(Tensor& tensor, Allocator* pool, const GpuTick* gpu, const Shape& shape,
                     ElementType type) {
  try {
    if (gpu != nullptr) {
      static_cast<void>(gpu->stream());
      allocate_on_device(tensor, pool, shape, type, gpu->device());
    } else {
      allocate_on_host(tensor, pool, shape, type);
    }
  } catch (const Error& error) {
    throw Error(error.code(),
                "no memory for the picture " + describe(shape, type) + ": " + error.message());
  }
}

void allocate_image(Tensor& tensor, Allocator* pool, const GpuTick* gpu, const ImageShape& shape,
                    ElementType type) {
  allocate_result(tensor, pool, gpu, tensor_shape(shape), type);
}

const void* DeviceConstant::get(const GpuTick& gpu, const void* values, std::size_t bytes) {
  DeviceStream& stream = gpu.device_stream();
  if (!memory_) {
    memory_ = gpu.scratch(bytes);
    gpu.upload(values, memory_->pointer(), bytes);
    copied_ = stream.mark();
  } else if (copied_ && copied_.stream->is_done(copied_.number)) {
    copied_ = {};
  } else if (copied_) {
    stream.wait_for(copied_);
  }
  memory_->add_device_user(stream);
  return memory_->pointer();
}

void DeviceConstant::reset() noexcept {
  memory_.reset();
  copied_ = {};
}

}  // namespace gxr::image
