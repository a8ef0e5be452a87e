#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace gxr::commands {

/// Where `gxr run --cuda-dot FILE` has CUDA graphs drawn: a file for each region of the plan, empty
/// for those that are no graphs. One graph gets `file` itself; several get its name with theirs in
/// front of the ending: graph-isp.dot. Writes nothing. Throws Error(InvalidArgument) for a plan
/// without CUDA graphs, Error(InputOutput) for a file that cannot be written.
std::vector<std::string> cuda_dot_files(const Plan& plan, const std::string& file);

}  // namespace gxr::commands
