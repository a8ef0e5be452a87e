#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "executors/cuda_graph/region_operators.hpp"
#include "executors/cuda_graph/region_program.hpp"
#include "runtime/turn_task.hpp"

namespace gxr {

/// Exchanges operators of a region, whose graph does not run meanwhile. The thread of the region
/// does the work that another one waits for; see Swaps.
class RegionExchanges {
 public:
  /// All must outlive it.
  RegionExchanges(const GraphRegion& region, RegionOperators& operators, RegionProgram& program);

  [[nodiscard]] bool is_due() const noexcept { return program_.has_tasks(); }
  /// Does the work that there is, each with a turn of its own entity. `apply` brings the wanted
  /// program to the device; it is called for each operator that has come, and again when the one
  /// before has come back, even if it has thrown. False: nothing was applied since the last
  /// operator came. Throws ComponentFailure when neither the new operator nor the old one can work
  /// in the graph.
  bool run(const std::function<void()>& apply);
  /// Nothing of the region will run any more.
  void refuse();

 private:
  const GraphRegion& region_;
  RegionOperators& operators_;
  RegionProgram& program_;
};

}  // namespace gxr
