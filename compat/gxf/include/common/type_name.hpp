#pragma once

#include <string_view>
#include <typeinfo>

namespace nvidia {
namespace detail {

/// The signature of this function has the name of T between "T = " and the last bracket.
template <typename T>
constexpr const char* SignatureWith() {
  return __PRETTY_FUNCTION__;
}

template <typename T>
struct NameOfType {
  static constexpr std::string_view kSignature = SignatureWith<T>();
  static constexpr auto kBegin = kSignature.find("T = ") + 4;
  static constexpr auto kLength = kSignature.rfind(']') - kBegin;

  struct Text {
    char characters[kLength + 1];
  };
  static constexpr Text MakeText() {
    Text text{};
    for (auto i = kLength; i > 0; --i) {
      text.characters[i - 1] = kSignature[kBegin + i - 1];
    }
    return text;
  }
  static constexpr Text kText = MakeText();
};

template <typename T>
struct TypeTag {};

/// One text for T in all files. The compiler's spelling of a template's default arguments in
/// TypenameAsString() depends on how a file used the template first. T may be incomplete.
template <typename T>
const char* TypeKey() noexcept {
  return typeid(TypeTag<T>).name();
}

}  // namespace detail

/// The name of T with its namespaces, as the compiler spells it.
template <typename T>
constexpr const char* TypenameAsString() {
  return detail::NameOfType<T>::kText.characters;
}

}  // namespace nvidia
