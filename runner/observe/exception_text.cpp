#include "observe/exception_text.hpp"

#include <cstdlib>
#include <memory>
#include <string_view>
#include <typeinfo>

#include <cxxabi.h>

#include "document/secrets.hpp"
#include "gxr/error.hpp"

namespace gxr {

std::string current_exception_type() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) {
    return "unknown";
  }
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), std::free);
  return name != nullptr ? name.get() : type->name();
}

std::string exception_text(const std::exception& error) {
  if (const auto* own = dynamic_cast<const Error*>(&error)) {
    return own->message();
  }
  const std::string type = current_exception_type();
  const std::string_view what = error.what();
  return what.empty() || what == type ? type : type + ": " + without_secrets(std::string(what));
}

}  // namespace gxr
