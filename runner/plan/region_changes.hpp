#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace gxr {

/// The changes of the tensors of a region between two plans of it: a sentence for each that has
/// another size or place, and one for the arena.
std::vector<std::string> describe_changes(const Graph& graph, const GraphRegion& before,
                                          const GraphRegion& after);

/// The change of one of them: "'a/in' is int32 [8]; it was int32 [4]".
std::string describe_change(const Graph& graph, const GraphTensor& before,
                            const GraphTensor& after);

/// Why a region takes no other nodes or shapes while it runs; nullptr: it does, or it is no loop.
const char* why_fixed(const Region& region);

/// The tensors of unknown size: "'a/out', 'b/out'".
std::string unknown_tensors(const Graph& graph, const GraphRegion& region);

}  // namespace gxr
