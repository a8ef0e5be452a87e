#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "controller.hpp"
#include "gxr/controller.hpp"
#include "gxr/driven_terms.hpp"
#include "gxr/gxr.hpp"
#include "run.hpp"

namespace gxr::behavior_tree {

/// A node of a behaviour tree that runs other nodes, its children. A child is named by its
/// BTSchedulingTerm; its entity has a Controller, which tells how it ended.
///
/// The node ticks when it is started and when a child has ended, not in between. A node that is
/// stopped while it runs stops its children.
class Composite : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() final;
  void stop() override;

 protected:
  /// Starts the first children of a run.
  virtual void begin() = 0;
  /// Looks at the children and starts others: Running until the node's own result is known. Must
  /// throw no NotFinished.
  virtual Behavior proceed() = 0;

  [[nodiscard]] std::size_t size() const noexcept { return children_.size(); }
  void start_child(std::size_t index);
  /// Success, Failure, or Running. Precondition: start_child(index) in this run.
  [[nodiscard]] Behavior result(std::size_t index) const;

 private:
  struct Child {
    BTSchedulingTerm* term;
    EntityCountFailureRepeatController* controller;  // nullptr: one of another type
    std::uint32_t runs;                              // that were over when it was started
    bool started;
  };

  [[nodiscard]] Child make_child(BTSchedulingTerm& term) const;
  Behavior run();
  static void finish(const Child& child);
  /// Forgets the children of this run, and finishes those that still run.
  void end_run();

  Parameter<std::vector<Handle<BTSchedulingTerm>>> child_terms_;
  Parameter<Handle<BTSchedulingTerm>> s_term_;
  std::vector<Child> children_;
  Run own_;
  bool begun_ = false;
};

}  // namespace gxr::behavior_tree
