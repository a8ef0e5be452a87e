#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "dds/message_type.hpp"
#include "dds/sample_bytes.hpp"
#include "gxr/type_id.hpp"

namespace gxr::dds {

/// Part of a message: a sample of a type of ROS 2 as it is on the wire. Subscribers of such types
/// publish it, and Publishers of them take it; FromRos and ToRos turn it into other parts and back.
/// Copies share the bytes, which nobody changes any more.
struct Sample {
  const Description* type = nullptr;
  SharedBytes bytes;

  [[nodiscard]] std::span<const std::byte> body() const noexcept {
    return {bytes->body(), bytes->size()};
  }
};

/// Part of a message: a text. Its name says what it is, as "frame_id".
struct Text {
  std::string value;
};

}  // namespace gxr::dds

namespace gxr {

template <>
struct TypeIdOf<dds::Sample> {
  static constexpr TypeId value{0x8d1c0a8f6e5b4c2dULL, 0x9f3a7b5d1e204c86ULL};
};
template <>
struct TypeIdOf<dds::Text> {
  static constexpr TypeId value{0x35e9f1b2c7d84a60ULL, 0xa8b4d2f60c1e3975ULL};
};

}  // namespace gxr
