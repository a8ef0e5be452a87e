#pragma once

#include <string>
#include <string_view>

namespace gxr {

/// The library that is missing, in what dlerror() says of another one that needs it; empty: it says
/// something else.
std::string_view missing_library(std::string_view reason) noexcept;

/// For people, behind the name of a missing library: "; on Debian and Ubuntu: apt-get install
/// libpng16-16". Empty for a library that gxr does not know.
std::string package_hint(std::string_view library);

}  // namespace gxr
