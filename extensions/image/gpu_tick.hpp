#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gxr/allocator.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/device_work.hpp"
#include "gxr/message.hpp"
#include "image/device_kernels.hpp"
#include "image/placement.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// The part of a tick that gives work to the GPU. Nothing here waits: all is in the order of the
/// tick's stream, and memory goes back in that order, too.
///
/// Make it before messages are received, whose work it then is ordered after, and keep it until the
/// results are published.
class GpuTick {
 public:
  explicit GpuTick(Placement& placement);

  /// For a message that was received before this was made.
  void use(const Message& message) const;

  /// The stream, to be asked for after the messages were received.
  [[nodiscard]] kernels::Stream stream() const { return streams_.stream(); }
  /// The same.
  [[nodiscard]] DeviceStream& device_stream() const;
  /// All work of the stream so far.
  [[nodiscard]] DeviceWork work() const { return device_stream().mark(); }
  [[nodiscard]] int device() const noexcept { return streams_.device(); }

  [[nodiscard]] const DeviceKernels& kernels() const noexcept { return kernels_; }
  template <class T>
  [[nodiscard]] const TypedDeviceKernels<T>& kernels() const noexcept {
    return kernels_.of<T>();
  }

  /// Memory until the tensor goes, content undefined.
  [[nodiscard]] Tensor scratch(std::size_t bytes) const;
  /// Copies `bytes` of host memory, which may change as soon as this returns.
  void upload(const void* from, void* to, std::size_t bytes) const;
  /// The picture in device memory: as it is, or copied to `copy`.
  InputImage on_device(const InputImage& image, Tensor& copy) const;
  /// Throws Error(Device) when CUDA refused work.
  void check() const;

 private:
  void upload_rows(const InputImage& image, void* to) const;

  const DeviceKernels& kernels_;
  cuda::Streams& streams_;
  cuda::Streams::Tick tick_;
};

/// The picture where it is worked on, on the GPU of `gpu`, or the CPU if that is null, with its
/// channels in order: as it is, or copied to `copy`, which on the CPU waits for memory of a GPU.
InputImage reachable(const InputImage& image, const GpuTick* gpu, Tensor& copy);

/// Allocates a tensor where it is worked on; from `pool` if that is not null and gives such memory.
/// Throws Error of the allocator's code; the text says what for.
void allocate_result(Tensor& tensor, Allocator* pool, const GpuTick* gpu, const Shape& shape,
                     ElementType type);
/// The same for a picture.
void allocate_image(Tensor& tensor, Allocator* pool, const GpuTick* gpu, const ImageShape& shape,
                    ElementType type);

/// Numbers that a codelet's kernels read in every tick: copied to the GPU the first time and kept.
class DeviceConstant {
 public:
  /// Where the numbers are, for work that the tick's stream is given from now on.
  const void* get(const GpuTick& gpu, const void* values, std::size_t bytes);
  /// Forgets them, for others to be copied; what was given to the GPU still reads the old ones.
  void reset() noexcept;

 private:
  std::optional<Tensor> memory_;
  DeviceWork copied_;  // null when the copy is known to be done
};

}  // namespace gxr::image
