#pragma once

#include <string>
#include <vector>

namespace gxr::python {

/// Runs the command `gxr` with these arguments in this process, without Python's lock; its exit
/// code. Throws Error(NotFound) when libgxr_cli.so is not beside libgxr.so.
int run_command(const std::vector<std::string>& arguments);

}  // namespace gxr::python
