#pragma once

#include "gxr/message.hpp"

namespace gxr {

/// Tensors that were in device memory where a message comes from get into that of GPU `device`.
/// They stay in system memory where there is no GPU. Throws Error(Device or OutOfMemory).
void put_back_on_device(Message& message, int device);

}  // namespace gxr
