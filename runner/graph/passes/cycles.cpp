#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/passes/passes.hpp"
#include "graph/text.hpp"
#include "graph/tick_analysis.hpp"

namespace gxr::passes {
namespace {

/// Finds out which entities get going when nothing has been sent yet. An entity starts when each of
/// its waits has a source that starts.
class Starting {
 public:
  Starting(const Graph& graph, const TickAnalysis& analysis)
      : analysis_(analysis),
        open_waits_(graph.entities.size()),
        ended_(analysis.waits().size()),
        started_(graph.entities.size()) {
    for (const MessageWait& wait : analysis.waits()) {
      ++open_waits_[wait.entity];
    }
    for (const GraphEntity& entity : graph.entities) {
      // One that can never tick for its own reasons was reported; what waits for it is no cycle.
      if (open_waits_[entity.id] == 0 || analysis.obstacles().contains(entity.id)) {
        start(entity.id);
      }
    }
  }

  [[nodiscard]] bool started(EntityId entity) const { return started_[entity] != 0; }

  /// Takes it that this entity starts, and all that follows.
  void start(EntityId first) {
    std::vector<EntityId> pending;
    mark(first, pending);
    while (!pending.empty()) {
      const EntityId source = pending.back();
      pending.pop_back();
      for (const std::uint32_t index : analysis_.waits_on(source)) {
        const EntityId entity = analysis_.waits()[index].entity;
        if (ended_[index] != 0) {
          continue;
        }
        ended_[index] = 1;
        if (--open_waits_[entity] == 0) {
          mark(entity, pending);
        }
      }
    }
  }

 private:
  void mark(EntityId entity, std::vector<EntityId>& pending) {
    if (started_[entity] == 0) {
      started_[entity] = 1;
      pending.push_back(entity);
    }
  }

  const TickAnalysis& analysis_;
  std::vector<std::uint32_t> open_waits_;
  std::vector<std::uint8_t> ended_;
  std::vector<std::uint8_t> started_;
};

/// Strongly connected components of the entities that do not start, by Tarjan's algorithm without
/// recursion. An edge leads from a source to an entity that waits for it.
class StrongComponents {
 public:
  StrongComponents(const Graph& graph, const TickAnalysis& analysis, const Starting& starting)
      : analysis_(analysis),
        starting_(starting),
        order_(graph.entities.size()),
        low_(graph.entities.size()) {
    for (const GraphEntity& entity : graph.entities) {
      if (!starting.started(entity.id) && order_[entity.id] == 0) {
        visit(entity.id);
      }
    }
    std::ranges::reverse(found_);
  }

  /// Sources before what waits for them.
  [[nodiscard]] const std::vector<std::vector<EntityId>>& found() const { return found_; }

 private:
  struct Frame {
    EntityId entity;
    std::size_t next = 0;
  };

  void visit(EntityId root) {
    frames_.push_back(open(root));
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::vector<std::uint32_t>& waits = analysis_.waits_on(frame.entity);
      if (frame.next == waits.size()) {
        close();
        continue;
      }
      const EntityId target = analysis_.waits()[waits[frame.next++]].entity;
      if (starting_.started(target)) {
        continue;
      }
      if (order_[target] == 0) {
        frames_.push_back(open(target));
      } else if (order_[target] != kDone) {
        low_[frame.entity] = std::min(low_[frame.entity], order_[target]);
      }
    }
  }

  Frame open(EntityId entity) {
    order_[entity] = low_[entity] = ++count_;
    stack_.push_back(entity);
    return {entity};
  }

  void close() {
    const EntityId entity = frames_.back().entity;
    frames_.pop_back();
    if (!frames_.empty()) {
      const EntityId parent = frames_.back().entity;
      low_[parent] = std::min(low_[parent], low_[entity]);
    }
    if (low_[entity] != order_[entity]) {
      return;
    }
    std::vector<EntityId> component;
    EntityId member = kNone;
    do {
      member = stack_.back();
      stack_.pop_back();
      order_[member] = kDone;
      component.push_back(member);
    } while (member != entity);
    found_.push_back(std::move(component));
  }

  static constexpr std::uint32_t kDone = 0xffffffffU;

  const TickAnalysis& analysis_;
  const Starting& starting_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> low_;
  std::uint32_t count_ = 0;
  std::vector<EntityId> stack_;
  std::vector<Frame> frames_;
  std::vector<std::vector<EntityId>> found_;
};

/// Follows waits backwards inside sets of entities that do not start.
class CycleFinder {
 public:
  CycleFinder(const TickAnalysis& analysis, const Starting& starting) : starting_(starting) {
    for (const MessageWait& wait : analysis.waits()) {
      const bool open =
          std::ranges::none_of(wait.sources, [&](EntityId e) { return starting.started(e); });
      if (open) {
        open_waits_.emplace(wait.entity, &wait);
      }
    }
  }

  /// Waits of the entities of one cycle, in the direction of the messages. Precondition: all that
  /// `first` needs to start is in cycles of its own.
  std::vector<const MessageWait*> find(EntityId first) {
    std::vector<const MessageWait*> path;
    std::unordered_map<EntityId, std::size_t> position;
    EntityId entity = first;
    while (position.emplace(entity, path.size()).second) {
      path.push_back(open_wait(entity));
      entity = path.back()->sources.front();
    }
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(position[entity]));
    std::ranges::reverse(path);  // found against the direction of the messages
    const auto least =
        std::ranges::min_element(path, {}, [](const MessageWait* wait) { return wait->entity; });
    std::rotate(path.begin(), least, path.end());
    return path;
  }

 private:
  /// A wait whose sources have not started by now.
  const MessageWait* open_wait(EntityId entity) {
    const auto [begin, end] = open_waits_.equal_range(entity);
    return std::find_if(begin, end,
                        [&](const auto& entry) {
                          return std::ranges::none_of(entry.second->sources, [&](EntityId e) {
                            return starting_.started(e);
                          });
                        })
        ->second;
  }

  const Starting& starting_;
  std::unordered_multimap<EntityId, const MessageWait*> open_waits_;
};

std::string describe(const Graph& graph, const std::vector<const MessageWait*>& cycle) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t i = 0; i < cycle.size() && i < kShown; ++i) {
    text += "'" + graph.entities[cycle[i]->entity].name + "' -> ";
  }
  text += cycle.size() > kShown ? "... -> " : "";
  return text + "'" + graph.entities[cycle.front()->entity].name + "'";
}

void report(const Graph& graph, const std::vector<const MessageWait*>& cycle,
            Diagnostics& diagnostics) {
  const GraphComponent& term = graph.components[cycle.front()->term];
  Diagnostic& diagnostic = diagnostics.add(
      DiagnosticCode::CycleWithoutStart, term.type_location, type_length(term),
      cycle.size() == 1
          ? "entity '" + graph.entities[cycle.front()->entity].name +
                "' waits for a message that only it sends itself"
          : "no entity of this cycle can tick first, as each waits for a message of the one "
            "before: " +
                describe(graph, cycle),
      "let one of them tick without a message (a periodic or count term instead), or feed the "
      "cycle from outside");
  for (std::size_t i = 1; i < cycle.size() && i < 6; ++i) {
    const GraphComponent& other = graph.components[cycle[i]->term];
    diagnostic.related.push_back(
        {other.type_location, "'" + graph.entities[cycle[i]->entity].name + "' waits here"});
  }
}

}  // namespace

void cycles(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  const TickAnalysis analysis(graph, catalog);
  Starting starting(graph, analysis);
  const StrongComponents components(graph, analysis, starting);
  if (components.found().empty()) {
    return;
  }
  CycleFinder finder(analysis, starting);
  for (const std::vector<EntityId>& members : components.found()) {
    // What comes before has been started by now, so an entity that has not is held up by its own
    // component.
    const auto stuck =
        std::ranges::find_if_not(members, [&](EntityId e) { return starting.started(e); });
    if (stuck != members.end()) {
      report(graph, finder.find(*stuck), diagnostics);
      std::ranges::for_each(members, [&](EntityId e) { starting.start(e); });
    }
  }
}

}  // namespace gxr::passes
