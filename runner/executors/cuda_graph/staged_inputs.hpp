#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "executors/cuda_graph/input_staging.hpp"
#include "executors/cuda_graph/live_region.hpp"

namespace gxr {

/// The staging buffers of all inputs of a graph that the host launches, and the stream that fills
/// them. Small inputs have none.
class StagedInputs {
 public:
  /// Takes memory of the region, which must outlive it.
  void open(LiveRegion& region);
  void close();
  /// See InputStaging. False: the input has no staging buffers.
  [[nodiscard]] bool pass(std::size_t input, const Message& message, const Tensor& from, void* to);
  /// Returns when all copies to the buffers are done. After an error in a tick no iteration has
  /// waited for the last.
  void finish();

 private:
  std::vector<std::optional<InputStaging>> staging_;  // by input
  std::optional<LeasedStream> copies_;                // to the buffers; if there are any
};

}  // namespace gxr
