#include "runtime/complete_plan.hpp"

#include <algorithm>

#include "gxr/error.hpp"
#include "plan/shapes.hpp"
#include "registry/extension_loader.hpp"
#include "runtime/instance.hpp"

namespace gxr {
namespace {

/// Nothing runs while shapes are found out.
class PlanningContext final : public Context {
 public:
  Message new_message() override { refuse(); }
  void interrupt() override { refuse(); }
  void notify(const Component&) override { refuse(); }
  void log(LogLevel, const Component&, std::string_view) override { refuse(); }
  [[nodiscard]] Behavior behavior(std::uint32_t) const override { refuse(); }
  [[nodiscard]] std::int64_t clock_time() const override { refuse(); }
  [[nodiscard]] int device_id(const Component&) const override { refuse(); }
  [[nodiscard]] std::vector<Component*> siblings(const Component&) const override { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::InvalidState,
                "constructors, declare and infer() must not log or use the application: nothing "
                "runs yet");
  }
};

/// The operators of an application that is made for this only.
class MadeOperators final : public ShapeSource {
 public:
  explicit MadeOperators(const Plan& plan)
      : loader_(*plan.catalog), instance_(*plan.graph, plan, *plan.catalog, loader_, context_) {}

  GraphOperator& graph_operator(ComponentId codelet) override {
    Component& component = instance_.component(codelet);
    auto* found = dynamic_cast<GraphOperator*>(&component);
    if (found == nullptr) {
      throw Error(ErrorCode::Failure, "'" + component.type() + "' is not capturable any more");
    }
    return *found;
  }

 private:
  PlanningContext context_;
  ExtensionLoader loader_;
  Instance instance_;
};

}  // namespace

void complete_plan(Plan& plan, Diagnostics& diagnostics) {
  const bool any = std::ranges::any_of(
      plan.regions, [](const Region& region) { return region.graph.has_value(); });
  if (!any) {
    return;
  }
  MadeOperators operators(plan);
  infer_shapes(plan, operators, diagnostics);
}

void require_executors(const Plan& plan) {
  for (const Region& region : plan.regions) {
    if (region.graph && region.executor != ExecutorKind::Graph) {
      throw Error(ErrorCode::NotSupported,
                  "region '" + region.name + "' needs the executor '" + to_string(region.executor) +
                      "', which this build does not have; --executor graph lets the host launch "
                      "it, greedy runs it on the CPU");
    }
  }
}

}  // namespace gxr
