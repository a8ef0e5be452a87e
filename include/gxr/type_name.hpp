#pragma once

#include <complex>
#include <cstdint>
#include <string_view>

namespace gxr {
namespace detail {

template <class T>
constexpr std::string_view pretty_name() noexcept {
  return __PRETTY_FUNCTION__;
}

}  // namespace detail

/// The fully qualified C++ name of T, for example "gxr::DoubleBufferReceiver". It is the name under
/// which a type is registered and which YAML `type:` keys use. Templates and types in unnamed
/// namespaces have no stable name; registering one is refused.
template <class T>
constexpr std::string_view type_name() noexcept {
  // The text around the name is the same for all types, so it is measured once on `double`.
  constexpr std::string_view probe = detail::pretty_name<double>();
  constexpr std::size_t prefix = probe.find("double");
  // What follows the name differs in length only by the name itself (clang) or not at all (GCC
  // prints
  // "; std::string_view = ..." after it), so the name ends at the first of these two.
  constexpr std::string_view full = detail::pretty_name<T>();
  constexpr std::size_t end = full.find_first_of(";]", prefix);
  return full.substr(prefix, end - prefix);
}

/// \cond
// Numbers as messages hold them: GXF's names, the same for all compilers.
template <>
constexpr std::string_view type_name<std::int8_t>() noexcept {
  return "int8_t";
}
template <>
constexpr std::string_view type_name<std::uint8_t>() noexcept {
  return "uint8_t";
}
template <>
constexpr std::string_view type_name<std::int16_t>() noexcept {
  return "int16_t";
}
template <>
constexpr std::string_view type_name<std::uint16_t>() noexcept {
  return "uint16_t";
}
template <>
constexpr std::string_view type_name<std::int32_t>() noexcept {
  return "int32_t";
}
template <>
constexpr std::string_view type_name<std::uint32_t>() noexcept {
  return "uint32_t";
}
template <>
constexpr std::string_view type_name<std::int64_t>() noexcept {
  return "int64_t";
}
template <>
constexpr std::string_view type_name<std::uint64_t>() noexcept {
  return "uint64_t";
}
template <>
constexpr std::string_view type_name<std::complex<float>>() noexcept {
  return "gxr::complex64";
}
template <>
constexpr std::string_view type_name<std::complex<double>>() noexcept {
  return "gxr::complex128";
}
/// \endcond

}  // namespace gxr
