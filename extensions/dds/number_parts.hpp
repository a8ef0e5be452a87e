#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "dds/message_type.hpp"
#include "gxr/message.hpp"
#include "gxr/tensor.hpp"

namespace gxr::dds {

/// The kind of number that a part of this type is; nothing for other parts.
[[nodiscard]] std::optional<FieldKind> number_kind(TypeId part) noexcept;
/// By its name: "float64".
[[nodiscard]] std::optional<FieldKind> number_kind(std::string_view name) noexcept;
/// Adds a number from bytes of its size, at any address.
void add_number(Message& message, std::string_view name, FieldKind kind, const std::byte* value);
/// Of tensors; uint8 for Boolean.
[[nodiscard]] ElementType element_type(FieldKind kind) noexcept;

}  // namespace gxr::dds
