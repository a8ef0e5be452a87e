#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/device_program.hpp"

namespace gxr {

/// A step by which a program that runs becomes another one.
struct ProgramEdit {
  enum class Kind : std::uint8_t {
    Parameters,  ///< other bytes for DeviceNode::parameters_set
    Capture,     ///< the operator is captured again
    Off,         ///< the operator does nothing from now on, or passes its first input on
    On,          ///< the opposite
    /// The buffer holds another tensor, or has another size: memory is laid out again, and all
    /// operators are captured again.
    Shape,
    Program,  ///< everything: nodes, edges, the number of buffers or options differ
  };
  Kind kind = Kind::Program;
  NodeId node = kNoNode;        ///< kNoNode: of all, or of a buffer
  BufferId buffer = kNoBuffer;  ///< of Kind::Shape

  bool operator==(const ProgramEdit&) const = default;
};

/// The cost of an edit, the most expensive last.
enum class EditCost : std::uint8_t {
  Nothing,
  Parameters,     ///< device memory was written
  NodeUpdate,     ///< CUDA nodes got new parameters
  GraphUpdate,    ///< the instantiated graph was updated as a whole
  Instantiation,  ///< a graph was instantiated
  Restart,        ///< a loop ended, its graph was instantiated, and it went on
};

/// The edits that make `after` out of `before`, in order of nodes; at most one edit of a kind for
/// each node. Edits of Kind::Shape come first, in order of buffers; the only others are then those
/// of Kind::Off and Kind::On, since all operators are captured again. One of Kind::Program stands
/// alone.
std::vector<ProgramEdit> edits_between(const DeviceProgram& before, const DeviceProgram& after);

/// "nothing", "device memory written", "CUDA nodes updated", "graph updated", "graph instantiated",
/// "loop restarted".
std::string to_text(EditCost cost);
/// "parameters of node 3", "capture of node 2", "node 1 off", "node 1 on", "shape of buffer 0",
/// "another program".
std::string to_text(const ProgramEdit& edit);

}  // namespace gxr
