#pragma once

#include <string>

#include "commands/command_table.hpp"

namespace gxr::commands {

// Scripts by which a shell completes the command lines of gxr and gxe. They ask `gxr` for types and
// diagnostics when those are wanted.
std::string bash_completion(const CommandTable& table, const CommandEntry& gxe);
std::string zsh_completion(const CommandTable& table, const CommandEntry& gxe);
std::string fish_completion(const CommandTable& table, const CommandEntry& gxe);

}  // namespace gxr::commands
