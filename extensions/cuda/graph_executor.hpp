#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/graph_options.hpp"
#include "gxr/cuda/green_context.hpp"
#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// Says which entities are one CUDA graph, and how it runs. It may stand in any entity and does
/// nothing itself: the planner reads its parameters.
class GraphExecutor final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  void declare_loop(Interface& interface);
  void declare_place(Interface& interface);
  void declare_times(Interface& interface);
  void declare_inputs(Interface& interface);

  Parameter<GraphMode> mode_;
  Parameter<std::vector<std::string>> entities_;
  Parameter<std::int32_t> device_;
  Parameter<std::map<std::string, TensorSpec>> inputs_;
  Parameter<GraphLoop> loop_;
  Parameter<std::uint32_t> unroll_;
  Parameter<std::uint32_t> slots_;
  Parameter<std::int32_t> priority_;
  Parameter<Handle<CudaGreenContext>> green_context_;
  Parameter<MemorySyncDomain> memory_sync_domain_;
  Parameter<std::int64_t> timeout_ms_;
  Parameter<std::int64_t> iteration_timeout_us_;
  Parameter<std::int64_t> watchdog_ms_;
  Parameter<std::int64_t> data_not_ready_sleep_interval_us_;
  Parameter<GraphPause> pause_;
  Parameter<bool> host_driven_;
  Parameter<bool> sync_with_host_;
  Parameter<GraphStop> on_stop_;
  Parameter<GraphReady> ready_;
  Parameter<std::int64_t> input_timeout_ms_;
  Parameter<MissingData> missing_data_;
  Parameter<Handle<Receiver>> timestamp_from_;
  Parameter<std::uint32_t> instrument_every_;
};

}  // namespace gxr::cuda
