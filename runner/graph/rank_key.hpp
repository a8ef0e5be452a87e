#pragma once

#include <cstdint>
#include <optional>

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Key of a document that says on which rank its entity runs when the application is spread over
/// several processes.
inline constexpr const char* kRankKey = "rank";
inline constexpr std::uint32_t kGreatestRank = 99'999;

/// A whole number from 0 to kGreatestRank; nothing when it is none, which is reported.
std::optional<std::uint32_t> read_rank(const Value& value, Diagnostics& diagnostics);
/// Reads `rank: 1` of a document; nothing when there is none, or it is wrong, which is reported.
std::optional<RankKey> read_rank_key(const Value& root, Diagnostics& diagnostics);
/// Gives entities of subgraphs without a rank of their own that of the including entity.
void inherit_ranks(Graph& graph);

}  // namespace gxr
