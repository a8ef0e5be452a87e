#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gxf/core/parameter_parser_std.hpp"
#include "gxf/core/parameter_value.hpp"
#include "gxf/core/parameter_wrapper.hpp"

namespace nvidia {
namespace gxf {
namespace layer {

/// gxr reads these types itself, by its own rules, and knows what YAML they accept. All others go
/// through ParameterParser and ParameterWrapper, which sources may specialize.
template <typename T, typename = void>
struct ReadByGxr : std::false_type {};

template <>
struct ReadByGxr<bool> : std::true_type {
  static TypeDescription type() { return {TypeDescription::Kind::Bool, {}, {}, 0}; }
  static bool parse(ValueView value, const ParseSite&) { return ParseBool(value); }
  static std::string text(bool value) { return TextOf(value); }
};

template <typename T>
struct ReadByGxr<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>>
    : std::true_type {
  static TypeDescription type() {
    using K = TypeDescription::Kind;
    constexpr K kKinds[2][4] = {{K::UInt8, K::UInt16, K::UInt32, K::UInt64},
                                {K::Int8, K::Int16, K::Int32, K::Int64}};
    constexpr int kSize = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return {kKinds[std::is_signed_v<T> ? 1 : 0][kSize], {}, {}, 0};
  }
  static T parse(ValueView value, const ParseSite&) {
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(
          ParseInt(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    } else {
      return static_cast<T>(ParseUint(value, std::numeric_limits<T>::max()));
    }
  }
  static std::string text(T value) {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return TextOf(static_cast<Wide>(value));
  }
};

template <>
struct ReadByGxr<float> : std::true_type {
  static TypeDescription type() { return {TypeDescription::Kind::Float32, {}, {}, 0}; }
  static float parse(ValueView value, const ParseSite&) { return ParseFloat(value); }
  static std::string text(float value) { return TextOf(value); }
};

template <>
struct ReadByGxr<double> : std::true_type {
  static TypeDescription type() { return {TypeDescription::Kind::Float64, {}, {}, 0}; }
  static double parse(ValueView value, const ParseSite&) { return ParseDouble(value); }
  static std::string text(double value) { return TextOf(value); }
};

template <typename T>
struct ReadByGxr<std::complex<T>> : std::true_type {
  static TypeDescription type() {
    return {sizeof(T) == 4 ? TypeDescription::Kind::Complex64 : TypeDescription::Kind::Complex128,
            {},
            {},
            0};
  }
  static std::complex<T> parse(ValueView value, const ParseSite&) {
    return static_cast<std::complex<T>>(ParseComplex(value));
  }
  static std::string text(const std::complex<T>& value) {
    const std::string imaginary = TextOf(value.imag());
    return TextOf(value.real()) + (imaginary.front() == '-' ? "" : "+") + imaginary + "j";
  }
};

template <>
struct ReadByGxr<std::string> : std::true_type {
  static TypeDescription type() { return {TypeDescription::Kind::String, {}, {}, 0}; }
  static std::string parse(ValueView value, const ParseSite&) { return ParseString(value); }
  static std::string text(const std::string& value) { return TextOf(value); }
};

template <>
struct ReadByGxr<FilePath> : std::true_type {
  static TypeDescription type() { return {TypeDescription::Kind::File, {}, {}, 0}; }
  static FilePath parse(ValueView value, const ParseSite&) { return FilePath(ParsePath(value)); }
  static std::string text(const FilePath& value) { return TextOf(value); }
};

template <std::size_t N>
struct ReadByGxr<FixedString<N>> : std::true_type {
  static TypeDescription type() { return {TypeDescription::Kind::String, {}, {}, N}; }
  static FixedString<N> parse(ValueView value, const ParseSite&) {
    const std::string text = ParseString(value);
    FixedString<N> fixed;
    if (!fixed.copy(text.c_str(), text.size())) {
      ThrowTooLong(value, N);
    }
    return fixed;
  }
  static std::string text(const FixedString<N>& value) {
    return TextOf(std::string(value.c_str()));
  }
};

template <typename S>
struct ReadByGxr<Handle<S>> : std::true_type {
  static TypeDescription type() {
    return {TypeDescription::Kind::Handle, TypenameAsString<S>(), {}, 0};
  }
  static Handle<S> parse(ValueView value, const ParseSite& site) {
    const Target target = ResolveHandle(value, site);
    return target.pointer == nullptr ? Handle<S>::Unspecified() : Handle<S>(site.context, target);
  }
  static std::string text(const Handle<S>&) { return "<Unspecified>"; }
};

template <typename T>
struct ReadByGxr<std::vector<T>, std::enable_if_t<ReadByGxr<T>::value>> : std::true_type {
  static TypeDescription type() {
    return {TypeDescription::Kind::List, {}, {ReadByGxr<T>::type()}, 0};
  }
  static std::vector<T> parse(ValueView value, const ParseSite& site) {
    RequireList(value);
    std::vector<T> list;
    list.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      list.push_back(ReadByGxr<T>::parse(value.at(i), site));
    }
    return list;
  }
  static std::string text(const std::vector<T>& value) {
    std::string text = "[";
    for (std::size_t i = 0; i < value.size(); ++i) {
      text += (i > 0 ? ", " : "") + ReadByGxr<T>::text(value[i]);
    }
    return text + "]";
  }
};

template <typename T, std::size_t N>
struct ReadByGxr<std::array<T, N>, std::enable_if_t<ReadByGxr<T>::value>> : std::true_type {
  static TypeDescription type() {
    return {TypeDescription::Kind::Array, {}, {ReadByGxr<T>::type()}, N};
  }
  static std::array<T, N> parse(ValueView value, const ParseSite& site) {
    RequireList(value, N);
    std::array<T, N> array{};
    for (std::size_t i = 0; i < N; ++i) {
      array[i] = ReadByGxr<T>::parse(value.at(i), site);
    }
    return array;
  }
  static std::string text(const std::array<T, N>& value) {
    std::string text = "[";
    for (std::size_t i = 0; i < N; ++i) {
      text += (i > 0 ? ", " : "") + ReadByGxr<T>::text(value[i]);
    }
    return text + "]";
  }
};

template <typename T, ssize_t N>
struct ReadByGxr<FixedVector<T, N>, std::enable_if_t<ReadByGxr<T>::value>> : std::true_type {
  static TypeDescription type() {
    return {TypeDescription::Kind::List,
            {},
            {ReadByGxr<T>::type()},
            N > 0 ? static_cast<std::size_t>(N) : 0};
  }
  static FixedVector<T, N> parse(ValueView value, const ParseSite& site) {
    RequireList(value);
    FixedVector<T, N> list;
    if constexpr (N < 0) {
      static_cast<void>(list.reserve(value.size()));
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!list.push_back(ReadByGxr<T>::parse(value.at(i), site))) {
        ThrowTooLong(value, list.capacity());
      }
    }
    return list;
  }
  static std::string text(const FixedVector<T, N>& value) {
    std::string text = "[";
    for (std::size_t i = 0; i < value.size(); ++i) {
      text += (i > 0 ? ", " : "") + ReadByGxr<T>::text(value.at(i).value());
    }
    return text + "]";
  }
};

template <typename M>
struct ReadMapByGxr : std::true_type {
  using T = typename M::mapped_type;
  static TypeDescription type() {
    return {TypeDescription::Kind::Map, {}, {ReadByGxr<T>::type()}, 0};
  }
  static M parse(ValueView value, const ParseSite& site) {
    RequireMap(value);
    M map;
    for (std::size_t i = 0; i < value.size(); ++i) {
      map.emplace(ParseKey(value.key(i), value.value(i)),
                  ReadByGxr<T>::parse(value.value(i), site));
    }
    return map;
  }
  static std::string text(const M& value) {
    std::string text = "{";
    for (const auto& [key, element] : value) {
      text += (text.size() > 1 ? ", " : "") + TextOf(key) + ": " + ReadByGxr<T>::text(element);
    }
    return text + "}";
  }
};
template <typename T>
struct ReadByGxr<std::map<std::string, T>, std::enable_if_t<ReadByGxr<T>::value>>
    : ReadMapByGxr<std::map<std::string, T>> {};
template <typename T>
struct ReadByGxr<std::unordered_map<std::string, T>, std::enable_if_t<ReadByGxr<T>::value>>
    : ReadMapByGxr<std::unordered_map<std::string, T>> {};

/// A node of yaml-cpp with the same content; made in the extension, which brings yaml-cpp.
inline YAML::Node ToYamlNode(ValueView value) {
  YAML::Node node;
  switch (value.kind()) {
    case ValueView::Kind::Null:
      break;
    case ValueView::Kind::Scalar:
      node = YAML::Node(std::string(value.text()));
      if (value.quoted()) {
        node.SetTag("!");
      }
      break;
    case ValueView::Kind::Sequence:
      node = YAML::Node(YAML::NodeType::Sequence);
      for (std::size_t i = 0; i < value.size(); ++i) {
        node.push_back(ToYamlNode(value.at(i)));
      }
      break;
    case ValueView::Kind::Map:
      node = YAML::Node(YAML::NodeType::Map);
      for (std::size_t i = 0; i < value.size(); ++i) {
        node[ToYamlNode(value.key(i))] = ToYamlNode(value.value(i));
      }
      break;
  }
  if (!value.tag().empty()) {
    node.SetTag(std::string(value.tag()));
  }
  return node;
}

inline void SetFlowStyle(YAML::Node node) {
  if (node.IsSequence() || node.IsMap()) {
    node.SetStyle(YAML::EmitterStyle::Flow);
  }
}

/// The type, the reading and the text of values of T, by gxr or by the source.
template <typename T>
struct ParameterTraits {
  static TypeDescription type() {
    if constexpr (ReadByGxr<T>::value) {
      return ReadByGxr<T>::type();
    } else {
      return {TypeDescription::Kind::Any, TypenameAsString<T>(), {}, 0};
    }
  }
  static Expected<T> parse(ValueView value, const ParseSite& site) {
    if constexpr (ReadByGxr<T>::value) {
      return ReadByGxr<T>::parse(value, site);
    } else {
      auto parsed = ParameterParser<T>::Parse(site.context, site.cid, site.key, ToYamlNode(value),
                                              std::string());
      if (!parsed) {
        ThrowRefused(value, parsed.error());
      }
      return parsed;
    }
  }
  /// Nothing for a value without a form in YAML.
  static std::optional<std::string> text(gxf_context_t context, const T& value) {
    if constexpr (ReadByGxr<T>::value) {
      return ReadByGxr<T>::text(value);
    } else {
      auto node = ParameterWrapper<T>::Wrap(context, value);
      if (!node || !node->IsDefined() || node->IsNull()) {
        return std::nullopt;
      }
      YAML::Node copy = YAML::Clone(node.value());
      SetFlowStyle(copy);
      YAML::Emitter out;
      out.SetSeqFormat(YAML::Flow);
      out.SetMapFormat(YAML::Flow);
      out << copy;
      return std::string(out.c_str(), out.size());
    }
  }
};

}  // namespace layer
}  // namespace gxf
}  // namespace nvidia
