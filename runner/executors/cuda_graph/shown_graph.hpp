#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/device_measures.hpp"
#include "gxr/run_status.hpp"

namespace gxr {

/// The status of a graph that runs, for any thread.
class ShownGraph {
 public:
  struct Reader {
    /// Iterations that have ended; nothing: nobody counts them.
    std::function<std::optional<std::uint64_t>()> iterations;
    /// The last iterations that were measured, so many at most.
    std::function<std::vector<MeasuredIteration>(std::size_t most)> measured;
  };

  /// From now on it is asked. `graph`: which one it is. `entities`: by node; empty: a node that is
  /// no operator. `reader` must answer on any thread until hide().
  void show(GraphStatus graph, std::vector<std::string> entities, Reader reader);
  /// Nobody asks the graph when this has returned.
  void hide() noexcept;
  /// None: no graph is shown.
  [[nodiscard]] std::optional<GraphStatus> status() const;

 private:
  mutable std::mutex mutex_;
  GraphStatus graph_;
  std::vector<std::string> entities_;
  std::optional<Reader> reader_;
};

}  // namespace gxr
