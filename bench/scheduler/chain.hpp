#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "document/document.hpp"
#include "graph/graph.hpp"
#include "gxr/report.hpp"
#include "registry/type_catalog.hpp"

namespace gxr::bench {

struct ChainOptions {
  int forwards = 1;  ///< forwarding entities between source and sink
  std::int64_t messages = 1'000'000;
  int idle = 0;  ///< entities that get one message at the start and then wait
  /// Its type.
  std::string scheduler = "nvidia::gxf::GreedyScheduler";
  int workers = 0;  ///< worker_thread_number, when the scheduler has that
  int chains = 1;   ///< independent chains of this kind
  int burn_ns = 0;  ///< work of each forwarding entity for each message
  int fan_out = 0;  ///< instead of forwarding entities: sinks behind one Broadcast
  int fan_in = 0;   ///< instead of forwarding entities: sources before one Gather
};

/// A source, `forwards` forwarding entities and a sink; capacity 1, message-available and
/// downstream-receptive terms. With `idle`, as many sinks behind a source that ticks once.
std::string chain_yaml(const ChainOptions& options);

/// An application that was checked once and may be run often in this process.
class Application {
 public:
  /// Throws Error when the application has errors.
  explicit Application(const std::string& yaml);
  /// Makes, runs and destroys its components. Throws Error when the run does not complete.
  /// `trace`: its events are collected and written as for `gxr run --trace`, to nowhere.
  [[nodiscard]] Report run(bool measure = false, bool trace = false) const;
  /// Real time of the run itself, from the first start() to the end.
  [[nodiscard]] double seconds(bool measure = false, bool trace = false) const {
    return static_cast<double>(run(measure, trace).duration_ns) * 1e-9;
  }

 private:
  Document document_;
  TypeCatalog catalog_;
  Graph graph_;
};

}  // namespace gxr::bench
