#include "dds/ros_shapes.hpp"

#include <algorithm>

namespace gxr::dds {
namespace {

/// From the constant 1 on.
constexpr FieldKind kPointKinds[] = {FieldKind::Int8,    FieldKind::UInt8,  FieldKind::Int16,
                                     FieldKind::UInt16,  FieldKind::Int32,  FieldKind::UInt32,
                                     FieldKind::Float32, FieldKind::Float64};

}  // namespace

std::string part_name(std::string_view path) {
  return std::string(path == "header.stamp"      ? kTimestampPart
                     : path == "header.frame_id" ? kFramePart
                                                 : path);
}

bool is_vector(const Description& type) {
  const FieldKind kind = type.fields.front().kind;
  return type.fields.size() > 1 && (kind == FieldKind::Float32 || kind == FieldKind::Float64) &&
         std::ranges::all_of(type.fields, [&](const Field& field) {
           return field.kind == kind && field.form == FieldForm::Single;
         });
}

std::optional<FieldKind> point_kind(std::uint8_t datatype) noexcept {
  return datatype >= 1 && datatype <= std::size(kPointKinds)
             ? std::optional(kPointKinds[datatype - 1])
             : std::nullopt;
}

std::optional<std::uint8_t> point_datatype(FieldKind kind) noexcept {
  const auto* const found = std::ranges::find(kPointKinds, kind);
  return found == std::end(kPointKinds)
             ? std::nullopt
             : std::optional(static_cast<std::uint8_t>(found - std::begin(kPointKinds) + 1));
}

}  // namespace gxr::dds
