#pragma once

#include <string_view>

#include "gxr/message.hpp"
#include "gxr/tensor.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// Whether pixel positions are the same before and after an operator.
enum class Geometry { Kept, Changed };

/// Carries over to `output` what an operator that replaced the part `processed` does not touch:
/// source time and sequence, every Timestamp, the Bayer pattern when pixels stay where they are,
/// and all other parts but streams and events of a GPU. Parts are shared, not copied. `processed`
/// is the part's data.
void pass_on(const Message& input, const void* processed, Geometry geometry, Message& output);
/// The same for a picture of `input`, whose format may say a Bayer pattern, too.
void pass_on(const Message& input, const InputImage& processed, Geometry geometry, Message& output);
/// Carries over source time, sequence and all parts but `processed`; they are shared.
void pass_all_on(const Message& input, const void* processed, Message& output);

/// The tensor called `name`, or the first with one dimension of uint8 when `name` is empty; `port`
/// appears in error texts. Throws Error: NotFound when there is none, WrongType when it has another
/// form or gaps.
const Tensor& find_bytes(const Message& message, std::string_view name, std::string_view port);

/// The tensor or VideoBuffer called `name`; without a name the first tensor or VideoBuffer of one
/// plane, else the first VideoBuffer; nullptr when there is none.
const detail::Part* peek_picture(const Message& message, std::string_view name) noexcept;
/// The same; `port` appears in error texts. Throws Error(NotFound).
const detail::Part& find_picture(const Message& message, std::string_view name,
                                 std::string_view port);

}  // namespace gxr::image
