#pragma once

#include <cstdint>
#include <vector>

#include "executors/cuda_graph/resident_runner.hpp"

namespace gxr {

/// Brings in values and switches that a program sets while the loop runs, and shapes of messages.
/// Kernels that read values from memory get them at once. Other values need other nodes: the loop
/// works on the inputs that it has, ends, and goes on with these nodes when all results have been
/// published. Other shapes need another loop, which goes on at the same iteration.
class ResidentRunner::Changes {
 public:
  explicit Changes(ResidentRunner& runner) : runner_(runner) {}

  /// Is something to be taken that was set?
  [[nodiscard]] bool has_new() const;
  /// Takes it, if there is something.
  void take();
  /// Has the loop made for the shapes of messages, which wait until it goes on. Throws when it
  /// cannot be.
  void take_shapes(const std::vector<Message>& messages);
  /// Iterations behind which the loop stands for a change.
  [[nodiscard]] std::uint64_t stands_at() const noexcept;
  /// May it go on with other nodes?
  [[nodiscard]] bool can_go_on(std::uint64_t finished) const noexcept;
  void go_on();

  /// So often parameters were set without other nodes.
  [[nodiscard]] std::uint64_t parameter_sets() const noexcept { return parameter_sets_; }
  /// So often the loop was instantiated again.
  [[nodiscard]] std::uint64_t instantiations() const noexcept { return instantiations_; }

 private:
  [[nodiscard]] std::vector<NodeId> nodes_to_replace() const;
  [[nodiscard]] bool must_end() const;
  void ask();
  void apply(std::uint64_t done);
  void keep_measures();
  void replace_nodes();
  [[nodiscard]] std::uint64_t last_iteration();

  ResidentRunner& runner_;
  std::uint64_t change_at_ = 0;  // iterations; while it changes
  bool has_measures_ = false;    // of the launch that has ended
  std::uint64_t parameter_sets_ = 0;
  std::uint64_t instantiations_ = 0;
};

}  // namespace gxr
