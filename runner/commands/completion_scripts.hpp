#pragma once

#include <string>

#include "commands/command_table.hpp"

namespace gxr::commands {

// Scripts by which a shell completes the command line of gxr. They ask `gxr` for types and
// diagnostics when those are wanted.
std::string bash_completion(const CommandTable& table);
std::string zsh_completion(const CommandTable& table);
std::string fish_completion(const CommandTable& table);

}  // namespace gxr::commands
