#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// At most N elements.
template <class T, std::size_t N>
struct FixedVector {
  using value_type = T;
  std::vector<T> elements;
};

/// A text of at most N bytes.
template <std::size_t N>
struct FixedString {
  std::string text;
};

/// Any YAML, kept as text on one line.
struct YamlNode {
  std::string text;
};

}  // namespace gxr::testing

template <class T, std::size_t N>
struct gxr::ParameterTraits<gxr::testing::FixedVector<T, N>> {
  using List = gxr::ParameterTraits<std::vector<T>>;

  static gxr::ParameterType type() {
    return {gxr::ParameterType::Kind::List, {}, {gxr::ParameterTraits<T>::type()}, N, {}};
  }
  static gxr::testing::FixedVector<T, N> parse(const gxr::Value& value,
                                               gxr::ParameterContext& context) {
    gxr::detail::require_list(value, 0, N);
    return {List::parse(value, context)};
  }
  static std::string to_yaml(const gxr::testing::FixedVector<T, N>& v) {
    return List::to_yaml(v.elements);
  }
};

template <std::size_t N>
struct gxr::ParameterTraits<gxr::testing::FixedString<N>> {
  using Text = gxr::ParameterTraits<std::string>;

  static gxr::ParameterType type() { return {gxr::ParameterType::Kind::String, {}, {}, N, {}}; }
  static gxr::testing::FixedString<N> parse(const gxr::Value& value,
                                            gxr::ParameterContext& context) {
    gxr::testing::FixedString<N> result{Text::parse(value, context)};
    gxr::detail::require_room(result.text, N);
    return result;
  }
  static std::string to_yaml(const gxr::testing::FixedString<N>& v) {
    return Text::to_yaml(v.text);
  }
};

template <>
struct gxr::ParameterTraits<gxr::testing::YamlNode> {
  static gxr::ParameterType type() {
    return {gxr::ParameterType::Kind::Any, "gxr::testing::YamlNode", {}, 0, {}};
  }
  static gxr::testing::YamlNode parse(const gxr::Value& value, gxr::ParameterContext&) {
    return {value.to_yaml()};
  }
  static std::string to_yaml(const gxr::testing::YamlNode& node) { return node.text; }
};
