#pragma once

#include "gxr/device_work.hpp"
#include "gxr/export.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

/// A copy of a tensor in page-locked memory, with the same shape, element type and strides: for
/// processing on the CPU of what may lie in device memory. Returns when the copy is there; it is
/// made after `after`, the work that writes the tensor. That of messages from Receiver::receive()
/// is done, but for codelets with gxr::cuda::Streams.
///
/// Throws Error: NotSupported without a GPU, OutOfMemory, Device.
GXR_API Tensor copy_to_host(const Tensor& tensor, const DeviceWork& after = {});

}  // namespace gxr
