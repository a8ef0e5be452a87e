#pragma once

#include <string>
#include <vector>

#include "gxr/graph_operator.hpp"

namespace gxr {

/// The traits of an operator that differ from their defaults, in words: "priority -2", "passes on
/// while it is off".
std::vector<std::string> words_of(const GraphTraits& traits);

/// "nothing", "scratch", "output".
const char* name_of(KeptInL2 memory);

}  // namespace gxr
