#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gxr/export.hpp"
#include "gxr/graph_operator.hpp"

namespace gxr {

class ResidentControl;

/// What happens to inputs that wait when a region is to stop.
enum class GraphStop : std::uint8_t {
  Drain,  ///< they are worked on
  Abort,  ///< the iteration that runs, or one that was begun with it, is the last one
};

/// The tensor of a port in a graph that a program drives. It has no gaps. Its address is the same
/// in every iteration, until parameters change shapes, for which the graph is built again.
struct GraphPort {
  void* address = nullptr;  ///< in memory of the graph's GPU
  TensorSpec spec;          ///< shape and type of its elements
  std::uint32_t slots = 1;  ///< tensors of that kind: the next iteration uses the same one again
  std::int32_t device = 0;  ///< number of the GPU
};

/// A CUDA graph of an application that loops on a GPU, in the hands of the program that embeds the
/// application; from Application::resident_graph(). With `host_driven: true` in the YAML the
/// program also starts its iterations:
///
///     app.run_async();
///     gxr::ResidentGraph loop = app.resident_graph("loop");
///     loop.wait_until_launched(10s);
///     gxr::GraphPort in = loop.input("first/in");
///     gxr::GraphPort out = loop.output("last/out");
///     cudaMemcpyAsync(in.address, picture, in.spec.bytes(), cudaMemcpyDefault, stream);
///     cudaStreamSynchronize(stream);
///     loop.data_ready();
///     while (!loop.result_ready()) {}
///     cudaMemcpyAsync(result, out.address, out.spec.bytes(), cudaMemcpyDefault, stream);
///
/// What a graph is built with is said before the run, as in the YAML: `sync_with_host`, `slots`,
/// `on_stop` and the other parameters by Application::set()
/// ("ENTITY/COMPONENT/sync_with_host=true"), a handler that finds input on the GPU by a
/// gxr::cuda::DataReadyHandler in a file or in Application::load_text().
///
/// Any thread, at any time; copies stand for the same graph, also after the application has gone.
/// Functions that need the loop throw Error(InvalidState) when it is not launched, or, but for
/// set_sleep_interval(), when it was torn down, and Error(Device) when the GPU has failed.
class GXR_API ResidentGraph {
 public:
  /// Name of its region.
  [[nodiscard]] const std::string& name() const noexcept;
  /// Does it loop on the GPU at this moment?
  [[nodiscard]] bool is_launched() const;
  /// False when that took longer than `timeout`.
  bool wait_until_launched(std::chrono::nanoseconds timeout) const;

  /// Asks for one iteration more. Every call counts, also while others are under way: as many
  /// iterations are done as there were calls. Throws Error(InvalidState) for a graph that messages
  /// drive.
  void data_ready();
  /// Are all iterations done that data_ready() asked for since the launch? False before it asked
  /// for one.
  [[nodiscard]] bool result_ready() const;
  /// Iterations that are done since the launch. Their writes to memory of the host are visible,
  /// if the graph has `sync_with_host` or outputs.
  [[nodiscard]] std::uint64_t results() const;

  /// Of a graph with `host_driven: true`: the tensor that the program writes for the receiver
  /// "ENTITY/RECEIVER", to which nothing is connected. The GraphExecutor's `inputs` say its shape.
  /// It holds zeros from each launch until the program writes it, and then what that wrote. Write
  /// it when no iteration is under way, and let data_ready() follow the write. Throws
  /// Error(InvalidArgument) for another name, with those that there are.
  [[nodiscard]] GraphPort input(std::string_view port) const;
  /// Of such a graph: the tensor that the transmitter "ENTITY/TRANSMITTER" of any operator sends,
  /// connected or not. It may be read between result_ready() and the next data_ready(), with copies
  /// of CUDA on any stream; kernels of the program that read it by themselves need
  /// `sync_with_host`. Throws as input().
  [[nodiscard]] GraphPort output(std::string_view port) const;

  /// Ends the loop and returns when it has ended, after all iterations that were asked for (Drain),
  /// or after the one that runs (Abort). After begin_tear_down() it returns when that end has come.
  /// Throws Error(Device) when that takes longer than 10 s, Error(InvalidState) when the loop was
  /// torn down before.
  void tear_down(GraphStop how = GraphStop::Drain);
  /// The same, but returns at once: is_launched() says false when the loop has ended.
  void begin_tear_down(GraphStop how = GraphStop::Drain);
  /// Launches it again when it was torn down, with counts that begin at 0. Nothing is built anew.
  void launch();

  /// The loop is torn down when it has run for so long since its launch; 0: never. Looked at every
  /// 50 ms.
  void set_timeout(std::chrono::nanoseconds timeout);
  /// Longest pause between two looks for input; 0: none.
  void set_sleep_interval(std::chrono::nanoseconds interval);

 private:
  friend class EngineAccess;

  explicit ResidentGraph(std::shared_ptr<ResidentControl> control) noexcept;

  std::shared_ptr<ResidentControl> control_;
};

}  // namespace gxr
