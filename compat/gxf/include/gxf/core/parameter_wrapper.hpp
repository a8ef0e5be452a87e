#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "common/fixed_string.hpp"
#include "common/fixed_vector.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/filepath.hpp"
#include "gxf/core/handle.hpp"

namespace nvidia {
namespace gxf {

namespace layer {

template <typename T, typename = void>
struct HasEncode : std::false_type {};
template <typename T>
struct HasEncode<T, std::void_t<decltype(YAML::convert<T>::encode(std::declval<const T&>()))>>
    : std::true_type {};

/// "entity/component", or an empty text.
GXR_GXF_API std::string NameOf(const UntypedHandle& handle);

}  // namespace layer

/// How YAML is made of a parameter's value. A type without YAML::convert becomes a null node, so
/// that sources which have only a parser still compile.
template <typename T, typename V = void>
struct ParameterWrapper {
  static Expected<YAML::Node> Wrap(gxf_context_t, const T& value) {
    if constexpr (std::is_same_v<T, YAML::Node>) {
      return value;
    } else if constexpr (layer::HasEncode<T>::value) {
      return YAML::Node(value);
    } else {
      return YAML::Node();
    }
  }
};

template <typename S>
struct ParameterWrapper<Handle<S>> {
  static Expected<YAML::Node> Wrap(gxf_context_t, const Handle<S>& value) {
    return YAML::Node(layer::NameOf(value));
  }
};

namespace layer {

template <typename List>
Expected<YAML::Node> WrapList(gxf_context_t context, const List& list) {
  YAML::Node node(YAML::NodeType::Sequence);
  for (const auto& element : list) {
    auto wrapped = ParameterWrapper<std::decay_t<decltype(element)>>::Wrap(context, element);
    if (!wrapped) {
      return ForwardError(wrapped);
    }
    node.push_back(wrapped.value());
  }
  return node;
}

}  // namespace layer

template <typename T>
struct ParameterWrapper<std::vector<T>> {
  static Expected<YAML::Node> Wrap(gxf_context_t context, const std::vector<T>& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return YAML::Node(value);
    } else {
      return layer::WrapList(context, value);
    }
  }
};

template <typename T, std::size_t N>
struct ParameterWrapper<std::array<T, N>> {
  static Expected<YAML::Node> Wrap(gxf_context_t context, const std::array<T, N>& value) {
    return layer::WrapList(context, value);
  }
};

template <typename T, ssize_t N>
struct ParameterWrapper<FixedVector<T, N>> {
  static Expected<YAML::Node> Wrap(gxf_context_t context, const FixedVector<T, N>& value) {
    YAML::Node node(YAML::NodeType::Sequence);
    for (std::size_t i = 0; i < value.size(); ++i) {
      auto wrapped = ParameterWrapper<T>::Wrap(context, value.at(i).value());
      if (!wrapped) {
        return ForwardError(wrapped);
      }
      node.push_back(wrapped.value());
    }
    return node;
  }
};

template <std::size_t N>
struct ParameterWrapper<FixedString<N>> {
  static Expected<YAML::Node> Wrap(gxf_context_t, const FixedString<N>& value) {
    return YAML::Node(std::string(value.c_str()));
  }
};

template <typename T>
struct ParameterWrapper<std::unordered_map<std::string, T>> {
  static Expected<YAML::Node> Wrap(gxf_context_t context,
                                   const std::unordered_map<std::string, T>& value) {
    YAML::Node node(YAML::NodeType::Map);
    for (const auto& [key, element] : value) {
      auto wrapped = ParameterWrapper<T>::Wrap(context, element);
      if (!wrapped) {
        return ForwardError(wrapped);
      }
      node[key] = wrapped.value();
    }
    return node;
  }
};

}  // namespace gxf
}  // namespace nvidia
