#pragma once

#include <string>
#include <vector>

#include "commands/load.hpp"

namespace gxr::commands {

/// Keeps the words of the command line, without the program's name, for continue_in_python() and
/// commands that pass them on.
void keep_command_line(std::vector<std::string> words);
const std::vector<std::string>& kept_command_line();

/// Nothing, unless the application uses a type that is written in Python, and Python does not run
/// in this process: then a Python interpreter takes the place of this process, and does the same
/// command from the start. Standard input that was read already, it gets anew. Call it before code
/// of any extension has run, and before anything was printed. Throws Error when it is not possible.
void continue_in_python(const LoadedApplication& application);

/// Is this process such an interpreter?
bool has_continued_in_python();

}  // namespace gxr::commands
