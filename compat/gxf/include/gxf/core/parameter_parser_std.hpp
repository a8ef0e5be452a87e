#pragma once

#include <array>
#include <charconv>
#include <complex>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

#include "gxf/core/parameter_parser.hpp"

namespace YAML {

/// Text such as "1.5-2j", as gxr reads complex numbers.
template <typename T>
struct convert<std::complex<T>> {
  static Node encode(const std::complex<T>& number) {
    const std::string imaginary = Node(number.imag()).Scalar();
    return Node(Node(number.real()).Scalar() + (imaginary[0] == '-' ? "" : "+") + imaginary + "j");
  }
  static bool decode(const Node& node, std::complex<T>& number) {
    if (!node.IsScalar()) {
      return false;
    }
    const std::string& text = node.Scalar();
    const char* const end = text.data() + text.size();
    T first{};
    const char* at = ReadNumber(text.data(), end, first);
    if (at == end && at != nullptr) {
      number = {first, T{}};
      return true;
    }
    if (IsUnit(at, end)) {
      number = {T{}, first};
      return true;
    }
    T second{};
    at = at != nullptr ? ReadNumber(at, end, second) : nullptr;
    if (!IsUnit(at, end)) {
      return false;
    }
    number = {first, second};
    return true;
  }

 private:
  /// Where the number ends, in no locale; nullptr: there is none.
  static const char* ReadNumber(const char* begin, const char* end, T& number) {
    const auto read =
        std::from_chars(begin != end && *begin == '+' ? begin + 1 : begin, end, number);
    return read.ec == std::errc() ? read.ptr : nullptr;
  }
  static bool IsUnit(const char* at, const char* end) {
    return at != nullptr && end - at == 1 && (*at == 'j' || *at == 'i');
  }
};

}  // namespace YAML

namespace nvidia {
namespace gxf {

template <typename T>
struct ParameterParser<std::vector<T>> {
  static Expected<std::vector<T>> Parse(gxf_context_t context, gxf_uid_t cid, const char* key,
                                        const YAML::Node& node, const std::string& prefix) {
    if (!node.IsSequence()) {
      return Unexpected{GXF_PARAMETER_PARSER_ERROR};
    }
    std::vector<T> list;
    list.reserve(node.size());
    for (const auto& element : node) {
      auto parsed = ParameterParser<T>::Parse(context, cid, key, element, prefix);
      if (!parsed) {
        return ForwardError(parsed);
      }
      list.push_back(std::move(parsed.value()));
    }
    return list;
  }
};

template <typename T, std::size_t N>
struct ParameterParser<std::array<T, N>> {
  static Expected<std::array<T, N>> Parse(gxf_context_t context, gxf_uid_t cid, const char* key,
                                          const YAML::Node& node, const std::string& prefix) {
    if (!node.IsSequence() || node.size() != N) {
      return Unexpected{GXF_PARAMETER_PARSER_ERROR};
    }
    std::array<T, N> array{};
    for (std::size_t i = 0; i < N; ++i) {
      auto parsed = ParameterParser<T>::Parse(context, cid, key, node[i], prefix);
      if (!parsed) {
        return ForwardError(parsed);
      }
      array[i] = std::move(parsed.value());
    }
    return array;
  }
};

template <typename T>
struct ParameterParser<std::unordered_map<std::string, T>> {
  static Expected<std::unordered_map<std::string, T>> Parse(gxf_context_t context, gxf_uid_t cid,
                                                            const char* key, const YAML::Node& node,
                                                            const std::string& prefix) {
    if (!node.IsMap()) {
      return Unexpected{GXF_PARAMETER_PARSER_ERROR};
    }
    std::unordered_map<std::string, T> map;
    for (const auto& entry : node) {
      auto parsed = ParameterParser<T>::Parse(context, cid, key, entry.second, prefix);
      if (!parsed) {
        return ForwardError(parsed);
      }
      map.insert_or_assign(entry.first.as<std::string>(), std::move(parsed.value()));
    }
    return map;
  }
};

}  // namespace gxf
}  // namespace nvidia
