#pragma once

#include <string_view>

#include "gxr/message.hpp"
#include "gxr/tensor.hpp"

namespace gxr::image {

/// Whether pixel positions are the same before and after an operator.
enum class Geometry { Kept, Changed };

/// Carries over to `output` what an operator that replaced `processed` does not touch: source time
/// and sequence, every Timestamp, the Bayer pattern when pixels stay where they are, and all other
/// parts but pictures of another form (VideoBuffer) and streams and events of a GPU. Parts are
/// shared, not copied.
void pass_on(const Message& input, const Tensor& processed, Geometry geometry, Message& output);
/// Carries over source time, sequence and all parts but `processed`; they are shared.
void pass_all_on(const Message& input, const Tensor& processed, Message& output);

/// The tensor called `name`, or the first with one dimension of uint8 when `name` is empty; `port`
/// appears in error texts. Throws Error: NotFound when there is none, WrongType when it has another
/// form or gaps.
const Tensor& find_bytes(const Message& message, std::string_view name, std::string_view port);

/// The tensor or VideoBuffer called `name`, or the first of these when `name` is empty; `port`
/// appears in error texts. Throws Error(NotFound).
const detail::Part& find_picture(const Message& message, std::string_view name,
                                 std::string_view port);

}  // namespace gxr::image
