#include "graph/rank_key.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "graph/text.hpp"

namespace gxr {

std::optional<std::uint32_t> read_rank(const Value& value, Diagnostics& diagnostics) {
  const std::string_view text = value.is_scalar() ? value.text() : std::string_view{};
  std::uint32_t rank = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() ||
      rank > kGreatestRank) {
    diagnostics.add(DiagnosticCode::ParameterValue, value,
                    (value.is_scalar() ? in_quotes(text) : "this") + std::string(" is no rank"),
                    "a rank is a whole number from 0 to " + std::to_string(kGreatestRank));
    return std::nullopt;
  }
  return rank;
}

std::optional<RankKey> read_rank_key(const Value& root, Diagnostics& diagnostics) {
  const Value* const value = root.find(kRankKey);
  if (value == nullptr) {
    return std::nullopt;
  }
  const std::optional<std::uint32_t> rank = read_rank(*value, diagnostics);
  return rank ? std::optional(RankKey{*rank, value, false}) : std::nullopt;
}

void inherit_ranks(Graph& graph) {
  for (GraphEntity& entity : graph.entities) {
    std::string_view host = entity.name;
    while (!entity.rank && host.find('.') != std::string_view::npos) {
      host = host.substr(0, host.rfind('.'));
      if (const EntityInterface* const including = graph.find_interface(host)) {
        entity.rank = including->rank;
        if (entity.rank) {
          entity.rank->of_subgraph = true;
        }
      }
    }
  }
}

}  // namespace gxr
