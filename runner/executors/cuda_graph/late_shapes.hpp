#pragma once

#include <functional>
#include <string>

#include "plan/shapes.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// The operators and device ports of a region that runs, for what is told when they have started:
/// by the first messages, and by device ports. Others may be in use, and are not asked.
class LiveOperators final : public ShapeSource {
 public:
  LiveOperators(const Instance& instance, const GraphRegion& region)
      : instance_(instance), region_(region) {}
  GraphOperator& graph_operator(ComponentId codelet) override;
  const cuda::DevicePort* device_port(ComponentId queue) override;
  [[nodiscard]] bool started() const override { return true; }

 private:
  const Instance& instance_;
  const GraphRegion& region_;
};

/// The region with what its operators and ports say now, and its memory laid out if that is all.
/// `order`: of the application's entities; nullptr: it is found out. Throws Error(InvalidData) with
/// what is wrong; `warn` gets the warnings.
Region infer_late(const Plan& plan, const Region& region, const Instance& instance,
                  const ShapeOrder* order, const std::function<void(const std::string&)>& warn);

/// Throws Error(NotAvailable) when sizes are unknown although every input is known.
void require_layout(const Plan& plan, const Region& region);

}  // namespace gxr
