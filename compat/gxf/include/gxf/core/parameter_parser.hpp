#pragma once

#include <cstdint>
#include <string>

#include <yaml-cpp/yaml.h>

#include "common/fixed_string.hpp"
#include "common/fixed_vector.hpp"
#include "common/logger.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/filepath.hpp"
#include "gxf/core/handle.hpp"

namespace YAML {

template <>
struct convert<nvidia::gxf::FilePath> {
  static Node encode(const nvidia::gxf::FilePath& path) {
    return Node(static_cast<const std::string&>(path));
  }
  static bool decode(const Node& node, nvidia::gxf::FilePath& path) {
    if (!node.IsScalar()) {
      return false;
    }
    path = node.Scalar();
    return true;
  }
};

}  // namespace YAML

namespace nvidia {
namespace gxf {

/// How a parameter's value is made of YAML. Sources specialize it for types of their own; without
/// that, YAML::convert<T> does it.
template <typename T, typename V = void>
struct ParameterParser {
  static Expected<T> Parse(gxf_context_t, gxf_uid_t, const char* key, const YAML::Node& node,
                           const std::string&) {
    try {
      return node.as<T>();
    } catch (const std::exception& error) {
      GXF_LOG_ERROR("parameter '%s': %s", key, error.what());
      return Unexpected{GXF_PARAMETER_PARSER_ERROR};
    }
  }
};

/// The text of a node, also of a list or map.
template <>
struct ParameterParser<std::string> {
  static Expected<std::string> Parse(gxf_context_t, gxf_uid_t, const char*, const YAML::Node& node,
                                     const std::string&) {
    return node.IsScalar() ? node.Scalar() : YAML::Dump(node);
  }
};

template <>
struct ParameterParser<FilePath> {
  static Expected<FilePath> Parse(gxf_context_t context, gxf_uid_t cid, const char* key,
                                  const YAML::Node& node, const std::string& prefix) {
    return ParameterParser<std::string>::Parse(context, cid, key, node, prefix)
        .map([](const std::string& text) { return FilePath(text); });
  }
};

/// A number; YAML::convert would take it for a character.
template <>
struct ParameterParser<std::uint8_t> {
  static Expected<std::uint8_t> Parse(gxf_context_t context, gxf_uid_t cid, const char* key,
                                      const YAML::Node& node, const std::string& prefix) {
    return ParameterParser<std::uint32_t>::Parse(context, cid, key, node, prefix)
        .map([](std::uint32_t number) { return static_cast<std::uint8_t>(number); });
  }
};

template <std::size_t N>
struct ParameterParser<FixedString<N>> {
  static Expected<FixedString<N>> Parse(gxf_context_t context, gxf_uid_t cid, const char* key,
                                        const YAML::Node& node, const std::string& prefix) {
    const auto text = ParameterParser<std::string>::Parse(context, cid, key, node, prefix);
    if (!text) {
      return ForwardError(text);
    }
    FixedString<N> fixed;
    if (!fixed.copy(text->c_str(), text->size())) {
      return Unexpected{GXF_PARAMETER_PARSER_ERROR};
    }
    return fixed;
  }
};

template <typename T, ssize_t N>
struct ParameterParser<FixedVector<T, N>> {
  static Expected<FixedVector<T, N>> Parse(gxf_context_t context, gxf_uid_t cid, const char* key,
                                           const YAML::Node& node, const std::string& prefix) {
    if (!node.IsSequence()) {
      return Unexpected{GXF_PARAMETER_PARSER_ERROR};
    }
    FixedVector<T, N> list;
    if constexpr (N < 0) {
      if (!list.reserve(node.size())) {
        return Unexpected{GXF_OUT_OF_MEMORY};
      }
    }
    for (const auto& element : node) {
      auto parsed = ParameterParser<T>::Parse(context, cid, key, element, prefix);
      if (!parsed) {
        return ForwardError(parsed);
      }
      if (!list.push_back(std::move(parsed.value()))) {
        return Unexpected{GXF_PARAMETER_OUT_OF_RANGE};
      }
    }
    return Expected<FixedVector<T, N>>(std::move(list));
  }
};

template <typename S>
struct ParameterParser<Handle<S>> {
  static Expected<Handle<S>> Parse(gxf_context_t context, gxf_uid_t cid, const char*,
                                   const YAML::Node& node, const std::string& prefix) {
    if (!node.IsScalar()) {
      return Unexpected{GXF_PARAMETER_PARSER_ERROR};
    }
    return CreateHandleFromString<S>(context, cid, (prefix + node.Scalar()).c_str());
  }
};

/// A node as it stands.
template <>
struct ParameterParser<YAML::Node> {
  static Expected<YAML::Node> Parse(gxf_context_t, gxf_uid_t, const char*, const YAML::Node& node,
                                    const std::string&) {
    return node;
  }
};

}  // namespace gxf
}  // namespace nvidia
