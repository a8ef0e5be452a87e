#pragma once

#include <string>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Parameters that do not have the values that they must have.
class Differences {
 public:
  template <class T>
  void compare(const Parameter<T>& parameter, const T& expected) {
    const std::string is = ParameterTraits<T>::to_yaml(parameter.get());
    const std::string should_be = ParameterTraits<T>::to_yaml(expected);
    if (is != should_be) {
      add("parameter '" + std::string(parameter.key()) + "' is " + is + ", expected " + should_be);
    }
  }
  void add(const std::string& difference) { text_ += (text_.empty() ? "" : "; ") + difference; }
  [[nodiscard]] bool any() const noexcept { return !text_.empty(); }
  /// Throws Error(InvalidParameter) that names all of them.
  void throw_if_any() const {
    if (any()) {
      throw Error(ErrorCode::InvalidParameter, text_);
    }
  }

 private:
  std::string text_;
};

}  // namespace gxr::testing
