#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dds/message_type.hpp"

namespace gxr::dds {

// What the types of ROS 2 mean in gxr, where that is not by their fields alone.

inline constexpr std::string_view kTime = "builtin_interfaces/msg/Time";
inline constexpr std::string_view kImage = "sensor_msgs/msg/Image";
inline constexpr std::string_view kCompressedImage = "sensor_msgs/msg/CompressedImage";
inline constexpr std::string_view kPointCloud = "sensor_msgs/msg/PointCloud2";
inline constexpr std::string_view kQuaternion = "geometry_msgs/msg/Quaternion";

inline constexpr std::string_view kPicturePart = "image";
inline constexpr std::string_view kTimestampPart = "timestamp";
inline constexpr std::string_view kFramePart = "frame_id";

/// The name of the part for a field: "header.stamp" is "timestamp", "header.frame_id" is
/// "frame_id", and others are called as they are.
[[nodiscard]] std::string part_name(std::string_view path);

/// Are all fields single floating-point numbers of one kind, at least two? It is a tensor then.
[[nodiscard]] bool is_vector(const Description& type);

/// The numbers of a field of points, by the constant of sensor_msgs/msg/PointField.
[[nodiscard]] std::optional<FieldKind> point_kind(std::uint8_t datatype) noexcept;
[[nodiscard]] std::optional<std::uint8_t> point_datatype(FieldKind kind) noexcept;

}  // namespace gxr::dds
