#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dds/definitions.hpp"
#include "gxr/parameter.hpp"
#include "gxr/topics.hpp"

namespace gxr::dds {

/// A type of samples, as its number in kDefinitions.
enum class MessageType : std::uint8_t {};
inline constexpr MessageType kOwnMessages{kOwnType};
/// One of ROS 2, likewise.
enum class RosType : std::uint8_t {};

enum class FieldKind : std::uint8_t {
  Boolean,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float32,
  Float64,
  Text,
  Structure,
};
/// Bytes of a number, which is also its alignment; 0 for texts and structures.
[[nodiscard]] std::size_t size_of(FieldKind kind) noexcept;
/// "uint8"
[[nodiscard]] const char* to_string(FieldKind kind) noexcept;

enum class FieldForm : std::uint8_t { Single, Array, Sequence };

struct Description;

struct Field {
  std::string name;
  FieldKind kind = FieldKind::UInt8;
  FieldForm form = FieldForm::Single;
  std::uint32_t length = 1;                ///< elements of an array
  const Description* structure = nullptr;  ///< of a Structure
  std::size_t least_bytes = 1;             ///< that one element takes
};

/// The fields of a type, in the order of its samples.
struct Description {
  std::string name;       ///< "sensor_msgs/msg/Image"
  std::string wire_name;  ///< of the type in DDS: "sensor_msgs::msg::dds_::Image_"
  std::string type_hash;  ///< "RIHS01_…", as newer versions of ROS 2 tell it; empty: none
  std::vector<Field> fields;
  std::size_t least_bytes = 0;

  [[nodiscard]] bool is_ros() const noexcept { return !type_hash.empty(); }
};

[[nodiscard]] const Description& describe(MessageType type);
[[nodiscard]] inline const Description& describe(RosType type) {
  return describe(static_cast<MessageType>(type));
}
/// All of them, by number.
[[nodiscard]] const std::vector<Description>& all_descriptions();
/// By the name in DDS; nullptr when there is none.
[[nodiscard]] const Description* find_by_wire_name(std::string_view name);
/// Its name in gxr: that in DDS of a type that neither gxr nor ROS 2 has.
[[nodiscard]] std::string type_called(const std::string& wire_name);
[[nodiscard]] const Description* find_by_name(std::string_view name);
/// For people.
[[nodiscard]] MessageDefinition definition_of(const Description& type);
/// The topic in DDS of a name in gxr: "/camera/image" is "rt/camera/image" for types of ROS 2, and
/// "camera/image" for gxr's own. Throws Error(InvalidParameter) for what is no name.
[[nodiscard]] std::string wire_topic(std::string_view name, const Description& type);
/// Backwards: "/camera/image".
[[nodiscard]] std::string topic_name(std::string_view wire_topic);

}  // namespace gxr::dds

namespace gxr {

namespace dds {

/// Of the types with this number and those behind it.
template <class Type, std::size_t kFirst>
constexpr auto names_of_types() {
  std::array<std::pair<Type, const char*>, std::size(kDefinitions) - kFirst> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = {Type(kFirst + i), kDefinitions[kFirst + i].name};
  }
  return names;
}

}  // namespace dds

template <>
struct EnumNames<dds::MessageType> {
  static constexpr auto values = dds::names_of_types<dds::MessageType, dds::kOwnType>();
};
template <>
struct EnumNames<dds::RosType> {
  static constexpr auto values = dds::names_of_types<dds::RosType, dds::kOwnType + 1>();
};

}  // namespace gxr
