#pragma once

#include <exception>
#include <string>

namespace gxr {

/// Type of the exception that is handled, "unknown" when the runtime cannot tell. Call in a catch
/// block.
std::string current_exception_type();
/// The text of the exception that is handled, behind its type when it is not of the engine:
/// "std::invalid_argument: stof". Call in a catch block.
std::string exception_text(const std::exception& error);

}  // namespace gxr
