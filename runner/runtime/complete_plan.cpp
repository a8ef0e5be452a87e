#include "runtime/complete_plan.hpp"

#include <algorithm>

#include "gxr/error.hpp"
#include "plan/shapes.hpp"
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

}  // namespace

std::unique_ptr<Instance> complete_plan(Plan& plan, Diagnostics& diagnostics) {
  const bool any = std::ranges::any_of(
      plan.regions, [](const Region& region) { return region.graph.has_value(); });
  if (!any) {
    return nullptr;
  }
  std::unique_ptr<Instance> instance = make_components(plan);
  MadeOperators operators(*instance);
  infer_shapes(plan, operators, diagnostics);
  return instance;
}

ArrivingSpecs infer_messages(Plan& plan, Diagnostics& diagnostics) {
  const std::unique_ptr<Instance> instance = make_components(plan);
  MadeOperators operators(*instance);
  return infer_shapes(plan, operators, diagnostics);
}

}  // namespace gxr
