#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "document/number_text.hpp"
#include "graph/parameter_value.hpp"
#include "graph/text.hpp"
#include "graph/unknown_work.hpp"
#include "plan/plan_lines.hpp"
#include "ranks/rank_plan.hpp"

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;

/// Another number whenever a key gets another meaning or goes.
constexpr int kRankPlanVersion = 1;

/// Names of entities by where they are, but for those that only have connections.
struct PlacedNames {
  explicit PlacedNames(const RankPlan& plan) : of_ranks(plan.map.ranks) {
    const auto connects = [&](ComponentId id) { return has_ends(plan.graph->components[id]); };
    for (const GraphEntity& entity : plan.graph->entities) {
      if (!std::ranges::all_of(entity.components, connects)) {
        const Rank rank = plan.map.rank_of[entity.id];
        (rank == RankMap::kEach ? of_each : of_ranks[rank]).push_back(entity.name);
      }
    }
  }

  std::vector<std::vector<std::string>> of_ranks;
  std::vector<std::string> of_each;
};

std::uint64_t capacity_behind(const RankPlan& plan, const RankLink& link) {
  return capacity_of(plan.graph->components[link.link.receiver]).value_or(0);
}

std::string name_of(const RankPlan& plan, ComponentId queue) {
  return plan.graph->full_name(plan.graph->components[queue]);
}

void add_rank(const std::string& title, const std::vector<std::string>& names, PlanLines& lines) {
  lines.add(2, title + (names.empty() ? "nothing" : ""), names, ", ");
}

void add_link(const RankPlan& plan, const RankLink& link, PlanLines& lines) {
  lines.add(2, "",
            {name_of(plan, link.link.transmitter) + " ->", name_of(plan, link.link.receiver)}, " ");
  const std::uint64_t capacity = capacity_behind(plan, link);
  std::vector<std::string> facts{"rank " + std::to_string(link.from) + " to rank " +
                                 std::to_string(link.to)};
  facts.push_back(link.tensor ? counted(link.tensor->bytes(), "byte", "bytes") + " a message"
                              : "bytes of a message are not known before the run");
  if (link.tensor) {
    facts.push_back(link.tensor->to_string());
  }
  if (capacity > 0) {
    facts.push_back("capacity " + std::to_string(capacity));
  }
  lines.add(4, "", facts, ", ");
}

}  // namespace

std::string text_of_moved(const RankPlan& plan) {
  constexpr std::size_t kMostNames = 5;
  std::string text;
  for (std::size_t i = 0; i < plan.map.moved.size(); ++i) {
    const RankMap::Moved& moved = plan.map.moved[i];
    text += i == 0 ? "--place counts more than the application: " : ", ";
    if (i == kMostNames) {
      return text + counted(plan.map.moved.size() - i, "more entity", "more entities");
    }
    text += in_quotes(plan.graph->entities[moved.entity].name) + " is on rank " +
            std::to_string(plan.map.rank_of[moved.entity]) + ", not " + std::to_string(moved.from);
  }
  return text;
}

std::string render_rank_plan(const RankPlan& plan) {
  const PlacedNames names(plan);
  PlanLines lines;
  lines.add(counted(plan.map.ranks, "rank", "ranks") + ", " +
            counted(plan.links.size(), "connection", "connections") + " between ranks");
  lines.add("");
  for (Rank rank = 0; rank < plan.map.ranks; ++rank) {
    add_rank("rank " + std::to_string(rank) + ": ", names.of_ranks[rank], lines);
  }
  if (!names.of_each.empty()) {
    add_rank("each rank: ", names.of_each, lines);
  }
  if (const std::string moved = text_of_moved(plan); !moved.empty()) {
    lines.add("");
    lines.add(moved);
  }
  if (!plan.links.empty()) {
    lines.add("");
    lines.add("connections between ranks");
  }
  for (const RankLink& link : plan.links) {
    add_link(plan, link, lines);
  }
  return lines.text();
}

std::string render_rank_plan_json(const RankPlan& plan) {
  const PlacedNames names(plan);
  Json ranks = Json::array();
  for (Rank rank = 0; rank < plan.map.ranks; ++rank) {
    ranks.push_back({{"rank", rank}, {"entities", names.of_ranks[rank]}});
  }
  Json links = Json::array();
  for (const RankLink& link : plan.links) {
    links.push_back({{"from", name_of(plan, link.link.transmitter)},
                     {"to", name_of(plan, link.link.receiver)},
                     {"from_rank", link.from},
                     {"to_rank", link.to},
                     {"capacity", capacity_behind(plan, link)},
                     {"bytes", link.tensor ? Json(link.tensor->bytes()) : Json()},
                     {"tensor", link.tensor ? Json(link.tensor->to_string()) : Json()}});
  }
  Json moved = Json::array();
  for (const RankMap::Moved& each : plan.map.moved) {
    moved.push_back({{"entity", plan.graph->entities[each.entity].name}, {"from_rank", each.from}});
  }
  return Json({{"version", kRankPlanVersion},
               {"ranks", ranks},
               {"each_rank", names.of_each},
               {"moved", moved},
               {"connections", links}})
      .dump(2);
}

}  // namespace gxr
