#include "runtime/complete_plan.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "plan/default_graph.hpp"
#include "plan/shapes.hpp"
#include "plan/work_graph.hpp"
#include "registry/extension_loader.hpp"
#include "registry/no_application.hpp"
#include "runtime/instance.hpp"

namespace gxr {
namespace {

/// The operators of an application that does not run yet.
class MadeOperators final : public ShapeSource {
 public:
  explicit MadeOperators(Instance& instance) : instance_(instance) {}

  GraphOperator& graph_operator(ComponentId codelet) override {
    Component& component = instance_.component(codelet);
    auto* found = dynamic_cast<GraphOperator*>(&component);
    if (found == nullptr) {
      throw Error(ErrorCode::Failure, "'" + component.type() + "' is not capturable any more");
    }
    return *found;
  }
  ShapeInference* shape_inference(ComponentId codelet) override {
    return dynamic_cast<ShapeInference*>(&instance_.component(codelet));
  }
  const cuda::DevicePort* device_port(ComponentId queue) override {
    return dynamic_cast<const cuda::DevicePort*>(&instance_.component(queue));
  }

 private:
  Instance& instance_;
};

std::unique_ptr<Instance> make_components(const Plan& plan) {
  ExtensionLoader loader(*plan.catalog);
  return std::make_unique<Instance>(
      *plan.graph, loader,
      std::make_unique<NoApplication>("constructors, declare and infer() must not log or use the "
                                      "application: nothing runs yet"));
}

/// Asks the operators of an application that is a CUDA graph by default. Missing answers keep it on
/// the CPU, where it may run all the same.
std::unique_ptr<Instance> complete_default(Plan& plan, Diagnostics& diagnostics) {
  std::unique_ptr<Instance> instance;
  std::string obstacle;
  Diagnostics found(diagnostics.compat_gxf());
  try {
    instance = make_components(plan);
    MadeOperators operators(*instance);
    infer_shapes(plan, operators, found);
    obstacle = found.errors() > 0
                   ? std::ranges::find(found.all(), Severity::Error, &Diagnostic::severity)->text
                   : unknown_shape(*plan.graph, *plan.regions.back().graph);
  } catch (const Error& error) {
    obstacle = error.message();
  } catch (const ComponentFailure& failure) {
    obstacle = failure.failure().text;
  }
  if (obstacle.empty()) {
    diagnostics.add_all(found, [](const Diagnostic&) { return true; });
    return instance;
  }
  leave_default_graph(plan, std::move(obstacle), diagnostics);
  return nullptr;
}

}  // namespace

std::unique_ptr<Instance> complete_plan(Plan& plan, Diagnostics& diagnostics) {
  const bool any = std::ranges::any_of(
      plan.regions, [](const Region& region) { return region.graph.has_value(); });
  if (!any) {
    return nullptr;
  }
  if (plan.default_graph) {
    return complete_default(plan, diagnostics);
  }
  std::unique_ptr<Instance> instance = make_components(plan);
  MadeOperators operators(*instance);
  infer_shapes(plan, operators, diagnostics);
  return instance;
}

void settle_default_graph(Plan& plan, Diagnostics& diagnostics) {
  if (!plan.default_graph || !plan.default_graph->chosen) {
    return;
  }
  const std::string why_none = DeviceRuntime::why_none();
  if (why_none.empty()) {
    Log::write(LogLevel::Info,
               "the whole application is a CUDA graph that loops on GPU 0 (--executor greedy runs "
               "it on the CPU)");
  } else if (!needs_graph(*plan.graph)) {
    Log::write(LogLevel::Info,
               "the CPU runs the whole application, which could be a CUDA graph: " + why_none);
    leave_default_graph(plan, why_none, diagnostics);
  }
}

ArrivingSpecs infer_messages(Plan& plan, Diagnostics& diagnostics) {
  const std::unique_ptr<Instance> instance = make_components(plan);
  MadeOperators operators(*instance);
  return infer_shapes(plan, operators, diagnostics);
}

}  // namespace gxr
