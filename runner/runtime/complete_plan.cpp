#include "runtime/complete_plan.hpp"

#include <algorithm>

#include "gxr/error.hpp"
#include "plan/shapes.hpp"
#include "registry/extension_loader.hpp"
#include "registry/no_application.hpp"
#include "runtime/instance.hpp"

namespace gxr {
namespace {

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
  ShapeInference* shape_inference(ComponentId codelet) override {
    return dynamic_cast<ShapeInference*>(&instance_.component(codelet));
  }
  const cuda::DevicePort* device_port(ComponentId queue) override {
    return dynamic_cast<const cuda::DevicePort*>(&instance_.component(queue));
  }

 private:
  NoApplication context_{
      "constructors, declare and infer() must not log or use the application: nothing runs yet"};
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

}  // namespace gxr
