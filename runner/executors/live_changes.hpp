#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
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
  void set(const std::vector<std::string>& assignments);
  /// The same with the overrides of a document, which was read with `diagnostics`: what is wrong
  /// with a file begins with the place.
  void set(Document& document, Diagnostics& diagnostics);
  /// Application::enable(), likewise.
  void enable(const std::string& entity, bool on);
  /// Was end() called?
  [[nodiscard]] bool has_ended();

 private:
  enum class Stage : std::uint8_t { Begins, Runs, Ended };

  [[nodiscard]] std::unique_lock<std::mutex> wait_for_instance();
  void require_changeable(const CheckedChange& change) const;
  [[nodiscard]] EntityId leader_of(EntityId entity) const;
  [[nodiscard]] const Region* region_of(EntityId entity) const;

  const Plan& plan_;
  const TypeCatalog& catalog_;
  const std::vector<std::size_t> regions_;  // of graphs, by EntityId

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Stage stage_ = Stage::Begins;
  Instance* instance_ = nullptr;
  std::function<void(EntityId)> tell_;
};

}  // namespace gxr
