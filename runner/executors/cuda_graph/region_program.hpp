#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device_program.hpp"
#include "device/program_edits.hpp"
#include "executors/cuda_graph/region_operators.hpp"
#include "plan/plan.hpp"
#include "runtime/turn_task.hpp"

namespace gxr {

/// The program of a region: as it runs, and as it is wanted. A program that embeds the application
/// sets parameters and switches operators on and off, and messages bring tensors of other shapes;
/// what that means is an edit of the wanted one.
class RegionProgram {
 public:
  /// The region, whose inputs have a shape, with the shapes of all other tensors, laid out. Throws
  /// Error when an operator refuses its inputs.
  using Infer = std::function<Region(const Region&)>;
  /// All must outlive it.
  RegionProgram(const Plan& plan, const Region& region, const RegionOperators& operators,
                Instance& instance, Infer infer);

  /// The region is laid out: a program runs, or soon will, that has all values of now.
  void begin();
  [[nodiscard]] const DeviceProgram& running() const noexcept { return running_; }
  [[nodiscard]] const DeviceProgram& wanted() const noexcept { return wanted_; }
  [[nodiscard]] StepId step_of(NodeId node) const { return wanted_.nodes[node].planned; }

  /// Has anything been set that take() would return? Any thread.
  [[nodiscard]] bool has_news() const { return instance_.changes().any(members_); }
  /// Is there work for a turn of an operator that take() would keep? Any thread.
  [[nodiscard]] bool has_new_tasks() const { return instance_.changes().has_task(members_); }
  /// All values and switches that were set since the last call.
  struct News {
    std::vector<StepId> steps;  ///< whose components have new values
    std::vector<std::pair<StepId, bool>> switched;
  };
  /// Call in a tick: the values are in the operators when this returns. Work that was put off for a
  /// turn of an operator is kept for take_tasks().
  [[nodiscard]] News take();
  /// Work for a turn of an operator, which exchanges it.
  struct Task {
    StepId step = 0;
    std::shared_ptr<TurnTask> task;
  };
  [[nodiscard]] bool has_tasks() const noexcept { return !tasks_.empty(); }
  [[nodiscard]] std::vector<Task> take_tasks() { return std::exchange(tasks_, {}); }
  /// Another operator is in the place of a step's: edits the wanted program. Throws, as its
  /// failure, when it does not fit into the graph.
  void want_exchanged(StepId step);
  /// The wanted program before an exchange.
  struct Wish {
    DeviceProgram program;
    Region region;
    std::vector<NodeId> node_of_step;
  };
  [[nodiscard]] Wish wish() const { return {wanted_, wanted_region(), node_of_step_}; }
  /// The operator of a step of before is back: so is the wish.
  void want_again(const Wish& wish, StepId step);
  /// From now on until applied(), nothing of the running program is there.
  void lose() noexcept { is_lost_ = true; }
  /// Edits the wanted program. Throws, as the operator's failure, when one cannot be switched off,
  /// or when others, or the loop, refuse the shapes that it has with its new parameters.
  void want(const News& news);
  /// The same with other shapes of inputs: `told` is wanted_region() with these. Throws what Infer
  /// does.
  void want(const News& news, const Region& told);
  /// What is between the running program and the wanted one.
  [[nodiscard]] const std::vector<ProgramEdit>& edits() const noexcept { return edits_; }
  /// The same in words.
  [[nodiscard]] std::string edits_text() const;
  /// The buffers of the running program whose content the wanted one needs, too; ascending.
  [[nodiscard]] std::vector<BufferId> kept_by_wanted() const;
  /// The same, and all that last in the running one, to which an exchange may have to go back.
  [[nodiscard]] std::vector<BufferId> kept_by_either() const;
  /// Has an operator been exchanged since the last applied()?
  [[nodiscard]] bool exchanges() const noexcept { return exchanges_; }
  /// Has want() been called since the last applied()? Then there may be edits.
  [[nodiscard]] bool may_have_edits() const noexcept { return may_differ_; }
  /// Do the edits need other memory, so that everything is made anew?
  [[nodiscard]] bool must_rebuild() const;
  /// The region as it is wanted, shapes and all.
  [[nodiscard]] const Region& wanted_region() const noexcept { return next_ ? *next_ : region_; }
  /// The region has become the wanted one, and its program, with all operators on, is what runs.
  void rebuilt();
  /// Are there edits that write parameters alone?
  [[nodiscard]] bool has_new_parameters() const;
  /// The nodes to capture again, ascending: those that are switched, and those that would capture
  /// something else. `can_be_disabled(node)`: the device can disable its CUDA nodes. Such a node is
  /// not captured for a switch, but is captured again even while it is off. Any other is captured
  /// when it is switched on.
  [[nodiscard]] std::vector<NodeId> nodes_to_replace(
      const std::function<bool(NodeId)>& can_be_disabled) const;
  /// The running program is the wanted one now.
  void applied();

 private:
  [[nodiscard]] std::optional<std::string> ask_again(StepId step);
  [[nodiscard]] bool has_memory_of_its_own(BufferId id) const;
  void want_other_shapes(StepId step, const std::string& reason);
  void want_steps(const std::vector<StepId>& steps);
  void count_captures(const std::vector<StepId>& steps);
  void want_shapes(Region next);
  void want_switches(const News& news);
  [[nodiscard]] DeviceNode& wanted_node(StepId step) { return wanted_.nodes[node_of_step_[step]]; }

  const Plan& plan_;
  const Region& region_;
  const RegionOperators& operators_;
  Instance& instance_;
  std::vector<EntityId> members_;  // of the steps, then those that were dissolved
  Infer infer_;
  DeviceProgram running_;
  DeviceProgram wanted_;
  std::vector<ProgramEdit> edits_;
  std::optional<Region> next_;  // with other shapes than those of the region
  bool may_differ_ = false;
  bool exchanges_ = false;
  bool is_lost_ = false;
  bool is_prepared_anew_ = false;  // an operator has come that prepares its capture
  std::vector<Task> tasks_;
  std::vector<NodeId> node_of_step_;
};

}  // namespace gxr
