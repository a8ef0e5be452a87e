#include "rank_run/rank_names.hpp"

#include <algorithm>
#include <iterator>

#include "ranks/rank_part.hpp"

namespace gxr {
namespace {

template <class T>
void move_to(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

RankNames::RankNames(const Plan& plan, const std::vector<RankChannel>& channels) {
  const Graph& graph = *plan.graph;
  for (const RankChannel& channel : channels) {
    const std::string queue = graph.full_name(graph.components[channel.receiver]);
    queue_behind_[rank_end_name(graph, channel, true)] = queue;
    queue_behind_[rank_end_name(graph, channel, false)] = queue;
  }
  for (std::size_t i = 0; i < plan.activation_order.size(); ++i) {
    place_[graph.entities[plan.activation_order[i]].name] = i;
  }
}

std::string RankNames::queue(const std::string& name) const {
  const auto found = queue_behind_.find(name.substr(0, name.rfind('/')));
  return found == queue_behind_.end() ? name : found->second;
}

void RankNames::put_into(std::string& text) const {
  for (const auto& [end, queue] : queue_behind_) {
    for (const char* const port : {"/in", "/out"}) {
      const std::string part = end + port;
      for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
        text.replace(at, part.size(), queue);
        at += queue.size();
      }
    }
  }
}

std::size_t RankNames::place(const std::string& entity) const {
  const auto found = place_.find(entity);
  return found == place_.end() ? place_.size() : found->second;
}

void RankNames::add(RunStatus& whole, RunStatus& part) const {
  std::erase_if(part.entities, [&](const EntityStatus& each) { return is_end(each.entity); });
  std::erase_if(part.paths,
                [&](const PathStatus& path) { return is_end(path.source) || is_end(path.sink); });
  for (EntityStatus& entity : part.entities) {
    std::ranges::for_each(entity.reasons, [&](std::string& reason) { put_into(reason); });
  }
  move_to(whole.entities, part.entities);
  move_to(whole.paths, part.paths);
  move_to(whole.allocators, part.allocators);
  move_to(whole.graphs, part.graphs);
  whole.ages_left_out += part.ages_left_out;
}

void RankNames::finish(RunStatus& whole, Rank ranks) const {
  whole.executor = std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks");
  std::ranges::stable_sort(whole.entities, {},
                           [&](const EntityStatus& each) { return place(each.entity); });
}

}  // namespace gxr
