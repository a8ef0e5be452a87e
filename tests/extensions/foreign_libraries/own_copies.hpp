#pragma once

#include <string>
#include <vector>

namespace own_copies {

/// Uses fmt, spdlog and nlohmann-json, compiled with the settings of own_copies.cpp.
std::vector<std::string> ask();

}  // namespace own_copies
