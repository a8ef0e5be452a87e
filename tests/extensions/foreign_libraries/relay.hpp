#pragma once

#include <string>
#include <vector>

namespace relay {

/// What the libraries behind this one answer.
std::vector<std::string> ask();

}  // namespace relay
