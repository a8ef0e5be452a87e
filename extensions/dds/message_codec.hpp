#pragma once

#include "dds/sample_bytes.hpp"
#include "gxr/message.hpp"

namespace gxr::dds {

/// A message as a sample of gxr/v1/Message: its tensors, pictures, timestamps, numbers and texts.
/// Throws Error: NotSupported for a part of another type, custom elements without a size, and
/// pictures in blocks; InvalidData for more than fits into a sample; and what HostView throws.
[[nodiscard]] SharedBytes encode_message(const Message& message);

/// Adds the parts of such a sample to `message`. Tensors and pictures use the memory of the sample
/// where they are aligned in it. Throws Error(InvalidData) for what cannot be a message.
void decode_message(const SharedBytes& sample, Message& message);

}  // namespace gxr::dds
