#pragma once

#include "gxr/message.hpp"
#include "gxr/tensor.hpp"

namespace gxr::image {

/// Whether pixel positions are the same before and after an operator.
enum class Geometry { Kept, Changed };

/// Carries over to `output` what an operator that replaced `processed` does not touch: source time
/// and sequence, every Timestamp, the other tensors (shared, not copied: they keep `input` alive)
/// and, when pixels stay where they are, the Bayer pattern. Parts of other types cannot be copied
/// and stay behind.
void pass_on(const Message& input, const Tensor& processed, Geometry geometry, Message& output);

}  // namespace gxr::image
