// What a program changes while a region runs: parameters of its operators, and which of them are
// switched off.

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "executors/cuda_graph/region_runner.hpp"
#include "gxr/error.hpp"
#include "plan/switched_off.hpp"

namespace gxr {

/// Asks an operator of a graph that was built whether it would say the same again.
class RegionRunner::SameShapes final : public ShapeContext {
 public:
  SameShapes(const RegionRunner& runner, StepId step) : runner_(runner), step_(step) {}

  [[nodiscard]] const TensorSpec& input(const Receiver& port) const override {
    return *runner_.graph().tensors[runner_.read_by(step_, port)].spec;
  }
  void set_output(const Transmitter& port, TensorSpec spec) override {
    const GraphTensor& planned = runner_.graph().tensors[runner_.written_by(step_, port)];
    if (!is_like(spec, *planned.spec, planned.only_bytes)) {
      throw Error(ErrorCode::InvalidArgument, "with its new parameters the operator would write " +
                                                  spec.to_string() + " to '" + port.full_name() +
                                                  "', but the graph was built for " +
                                                  planned.spec->to_string());
    }
  }
  void set_scratch(std::size_t bytes) override {
    const std::size_t there = runner_.scratch_range(step_).bytes;
    if (bytes > there) {
      throw Error(ErrorCode::InvalidArgument,
                  "with its new parameters the operator would need " + std::to_string(bytes) +
                      " bytes of scratch, but the graph was built with " + std::to_string(there));
    }
  }
  void set_parameters(std::vector<std::byte> bytes) override { parameters = std::move(bytes); }

  std::vector<std::byte> parameters;

 private:
  const RegionRunner& runner_;
  StepId step_;
};

std::vector<DeviceRange> RegionRunner::parameter_ranges() const {
  std::vector<DeviceRange> ranges;
  for (StepId step = 0; step < graph().steps.size(); ++step) {
    if (parameters_[step].set != nullptr) {
      ranges.push_back({parameters_[step].set, graph().steps[step].parameters.size()});
    }
  }
  return ranges;
}

std::vector<std::byte> RegionRunner::parameters() const {
  std::vector<std::byte> all;
  for (const GraphStep& step : graph().steps) {
    all.insert(all.end(), step.parameters.begin(), step.parameters.end());
  }
  return all;
}

void RegionRunner::write_parameters(DeviceStream& stream) const {
  DeviceRuntime& runtime = DeviceRuntime::get();
  const std::vector<std::byte> all = parameters();
  // From memory that may be paged out, CUDA copies only when the stream's work before is done.
  auto* from = static_cast<std::byte*>(runtime.allocate_pinned(all.size()));
  if (from == nullptr) {
    throw Error(ErrorCode::OutOfMemory, "no " + std::to_string(all.size()) +
                                            " bytes of page-locked memory are left for parameters");
  }
  DeviceUsers users;
  users.add(stream);
  // Also when a copy fails: others may still read it.
  const auto give_back = [&](std::byte* memory) { runtime.free_pinned(memory, users); };
  const std::unique_ptr<std::byte, decltype(give_back)> staged(from, give_back);
  std::ranges::copy(all, from);
  for (StepId step = 0; step < graph().steps.size(); ++step) {
    const ParameterBlock& block = parameters_[step];
    const std::size_t bytes = graph().steps[step].parameters.size();
    if (bytes > 0) {
      runtime.copy(block.set, from, bytes, stream);
    }
    if (block.read != block.set) {
      runtime.copy(block.read, from, bytes, stream);
    }
    from += bytes;
  }
}

void RegionRunner::write_parameters() const {
  if (!parameter_ranges().empty()) {
    LeasedStream stream(StreamOptions{.device = graph().options.device});
    write_parameters(stream.get());
    stream.finish();
  }
}

RegionRunner::Copy RegionRunner::copied_parameters(StepId step) const {
  const ParameterBlock& block = parameters_[step];
  return {block.read, block.set,
          block.read == block.set ? 0 : graph().steps[step].parameters.size()};
}

RegionRunner::Changed RegionRunner::take_changes() {
  // At once: an iteration has all that was set together, or nothing of it.
  const std::vector<PendingChanges::Changes> taken = instance_.changes().take(members_);
  Changed changed;
  for (StepId step = 0; step < graph().steps.size(); ++step) {
    if (taken[step].enabled) {
      changed.switched.emplace_back(step, *taken[step].enabled);
    }
    if (!taken[step].values.empty()) {
      changed.steps.push_back(step);
    }
  }
  std::ranges::for_each(taken, PendingChanges::put);
  return changed;
}

bool RegionRunner::reads_parameters(StepId step) const {
  return !graph().steps[step].parameters.empty();
}

bool RegionRunner::read_parameters(const Changed& changed) const {
  return std::ranges::any_of(changed.steps, [this](StepId step) { return reads_parameters(step); });
}

std::vector<StepId> RegionRunner::changed_pieces(const Changed& changed) {
  std::set<StepId> pieces;
  for (const auto& [step, on] : changed.switched) {
    guarded(instance_.site(codelet_of(graph().steps[step]), on ? "enable" : "disable"),
            [&, number = step, enabled = on] {
              if (!enabled) {
                require_may_be_off(*plan_.graph, graph(), number);
              }
            });
    if (!switches_nodes(step) && off_[step] == on) {
      if (on) {
        ask_again(step);  // as before every capture
      }
      off_[step] = !on;
      pieces.insert(step);
    }
  }
  for (const StepId step : changed.steps) {
    ask_again(step);
    if (!off_[step] && !reads_parameters(step)) {
      pieces.insert(step);
    }
  }
  return {pieces.begin(), pieces.end()};
}

/// Of no bytes when nothing is passed on.
RegionRunner::Copy RegionRunner::passed_copy(StepId step) const {
  if (!graph().steps[step].pass_through) {
    return {nullptr, nullptr, 0};
  }
  const PassedOn way = passed_on(*plan_.graph, graph(), step);
  const Tensor& from = tensor(way.from);
  const Tensor& to = tensor(way.to);
  return {const_cast<void*>(to.pointer()), from.pointer(),
          from.pointer() == to.pointer() ? 0 : to.size()};
}

void RegionRunner::ask_again(StepId step) {
  guarded(instance_.site(codelet_of(graph().steps[step]), "infer"), [&] {
    SameShapes context(*this, step);
    operators_[step]->infer(context);
    std::vector<std::byte>& there = graph().steps[step].parameters;
    if (context.parameters.size() != there.size()) {
      throw Error(ErrorCode::InvalidArgument,
                  "with its new parameters the operator would have " +
                      std::to_string(context.parameters.size()) +
                      " bytes of them in device memory, but the graph was built with " +
                      std::to_string(there.size()));
    }
    there = std::move(context.parameters);
  });
}

}  // namespace gxr
