#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/check_change.hpp"
#include "internal_api.hpp"
#include "plan/plan.hpp"
#include "registry/type_catalog.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// What a program changes of an application that runs: checks it on the caller's thread and hands
/// it to the instance. set() and enable() are for any thread.
class LiveChanges {
 public:
  /// Refers to both.
  LiveChanges(const Plan& plan, const TypeCatalog& catalog);

  /// The components are there. `tell` is called for each entity that is to be looked at; any
  /// thread.
  void begin(Instance& instance, std::function<void(EntityId)> tell);
  /// Nothing runs any more, or ever will.
  GXR_INTERNAL_API void end();

  /// Application::set_all() while it runs. Waits until the components are there.
  GXR_INTERNAL_API void set(const std::vector<std::string>& assignments);
  /// The same with the overrides of a document, which was read with `diagnostics`: what is wrong
  /// with a file begins with the place.
  void set(Document& document, Diagnostics& diagnostics);
  /// Application::enable(), likewise.
  void enable(const std::string& entity, bool on);
  /// Was end() called?
  [[nodiscard]] bool has_ended();
  /// Would set() and enable() wait for the components?
  [[nodiscard]] GXR_INTERNAL_API bool awaits_components();

  /// The value that a parameter was set to last, as YAML on one line; nothing: it was not set.
  [[nodiscard]] std::optional<std::string> last_value(ComponentId component, std::string_view key);
  /// The graph as it is now: codelets may have been exchanged. Any thread.
  [[nodiscard]] std::shared_ptr<const Graph> graph();
  /// What the parameters of a component were set to, as YAML by key, and which of the changes was
  /// the last one.
  struct SetValues {
    std::map<std::string, std::string> values;
    std::uint64_t last = 0;
  };
  [[nodiscard]] SetValues set_values(ComponentId component);
  /// What was so far.
  struct Exchanged {
    std::shared_ptr<const Graph> graph;
    std::uint64_t last = 0;  ///< change of a value
  };
  /// A codelet was exchanged, and `spare` is what was there before. What was set behind the change
  /// `seen`, the one that is there now has not got yet.
  Exchanged exchanged(SpareCodelet& spare, std::shared_ptr<const Graph> graph, std::uint64_t seen);

  /// Why a parameter of this key cannot be changed while the application runs; empty: it can.
  [[nodiscard]] std::string why_not_changeable(ComponentId component,
                                               const ParameterInfo* info) const;

  /// The entity to be told of news for one: a region is one entity, called as its first operator's.
  [[nodiscard]] EntityId leader_of(EntityId entity) const;

 private:
  enum class Stage : std::uint8_t { Begins, Runs, Ended };

  [[nodiscard]] std::unique_lock<std::mutex> wait_for_instance();
  void require_changeable(const CheckedChange& change) const;
  void keep_values(const std::vector<CheckedChange>& changes);
  void set_again(const GraphComponent& component, std::uint64_t seen);
  [[nodiscard]] const Region* region_of(EntityId entity) const;

  const Plan& plan_;
  const TypeCatalog& catalog_;
  const std::vector<std::size_t> regions_;  // of graphs, by EntityId

  struct SetValue {
    std::string yaml;
    std::uint64_t change = 0;
  };

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Stage stage_ = Stage::Begins;
  Instance* instance_ = nullptr;
  std::function<void(EntityId)> tell_;
  std::shared_ptr<const Graph> graph_;                                           // as it is now
  std::uint64_t changes_ = 0;                                                    // of values
  std::map<std::pair<ComponentId, std::string>, SetValue, std::less<>> values_;  // set last
};

}  // namespace gxr
