#pragma once

#include <string_view>

namespace gxr {
namespace detail {

template <class T>
constexpr std::string_view pretty_name() noexcept {
  return __PRETTY_FUNCTION__;
}

}  // namespace detail

/// The fully qualified C++ name of T, e.g. "gxr::DoubleBufferReceiver". It is the name under which
/// a type is registered and which YAML `type:` keys use. Templates and types in unnamed namespaces
/// have no stable name; registering one is refused.
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

}  // namespace gxr
