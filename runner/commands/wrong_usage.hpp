#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace gxr::commands {

/// The text about a command line that `app` could not parse: for a command or an option that
/// there is not, with the one that may have been meant. Ends with a line break.
std::string wrong_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace gxr::commands
