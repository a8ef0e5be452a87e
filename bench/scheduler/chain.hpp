#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "document/document.hpp"
#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"
#include "gxr/report.hpp"

namespace gxr::bench {

struct ChainOptions {
  int forwards = 1;  ///< forwarding entities between source and sink
  std::int64_t messages = 1'000'000;
  int idle = 0;  ///< entities that get one message at the start and then wait
};

/// A source, `forwards` forwarding entities and a sink; capacity 1, message-available and
/// downstream-receptive terms, greedy scheduler. With `idle`, as many sinks behind a source that
/// ticks once.
std::string chain_yaml(const ChainOptions& options);

/// An application that was checked once and may be run often in this process.
class Application {
 public:
  /// Throws Error when the application has errors.
  explicit Application(const std::string& yaml);
  /// Makes, runs and destroys its components. Throws Error when the run does not complete.
  [[nodiscard]] Report run(bool measure = false) const;
  /// Real time of the run itself, from the first start() to the end.
  [[nodiscard]] double seconds(bool measure = false) const {
    return static_cast<double>(run(measure).duration_ns) * 1e-9;
  }

 private:
  Document document_;
  TypeCatalog catalog_;
  Graph graph_;
};

}  // namespace gxr::bench
