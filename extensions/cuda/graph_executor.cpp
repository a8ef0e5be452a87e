#include "graph_executor.hpp"

namespace gxr::cuda {
namespace {

constexpr double kLongestMs = 86'400'000;           // a day
constexpr double kLongestUs = 1'000 * 3'600'000.0;  // an hour

}  // namespace

void GraphExecutor::declare(Interface& interface) {
  interface
      .parameter(mode_, "mode", "Who starts the iterations",
                 "resident: the graph is launched once and loops on the GPU. graph: the host "
                 "launches it for each iteration.")
      .default_value(GraphMode::Resident);
  interface
      .parameter(entities_, "entities", "Names of the entities that are one graph",
                 "The name of a subgraph means all its entities. Left out: every connected set of "
                 "capturable operators is a graph of its own.")
      .optional();
  interface
      .parameter(device_, "device", "Number of the GPU",
                 "Left out: 0, but the ranks of a host that run an application together use its "
                 "GPUs in turn.")
      .default_value(0)
      .range(0, 1023);
  declare_loop(interface);
  declare_place(interface);
  declare_times(interface);
  declare_inputs(interface);
  interface
      .parameter(instrument_every_, "instrument_every",
                 "Measure each operator in every n-th iteration; 0: never",
                 "From the first on: in the report, with --stats and in a --trace. When the graph "
                 "fails in an iteration that is measured, the error names the operator.")
      .default_value(0)
      .unit("iterations");
}

void GraphExecutor::declare_loop(Interface& interface) {
  interface
      .parameter(loop_, "loop", "How a resident graph loops",
                 "auto: by what drives it. head_tail: a kernel at each end of the body, one waits "
                 "for input and one publishes. control_at_end: one kernel does both. tail_launch: "
                 "the graph launches itself again.")
      .default_value(GraphLoop::Auto);
  interface
      .parameter(unroll_, "unroll", "Iterations in one round of a resident loop",
                 "Taken whenever so many can begin at once: several short iterations share the cost "
                 "of a round. Raises slots to twice as many.")
      .default_value(1)
      .range(1, 64);
  interface
      .parameter(slots_, "slots", "Copies of every input and output of the graph",
                 "While one is worked on, the others are filled or read. Of a graph that the host "
                 "launches: buffers to which large messages in host memory are copied while it "
                 "works on earlier ones.")
      .default_value(2)
      .range(1, 64);
  interface
      .parameter(priority_, "priority",
                 "Priority of the graph's stream, and of kernels whose operator asks for none: "
                 "lower is more urgent",
                 "As in CUDA; the driver brings it into the range that the GPU has.")
      .default_value(0)
      .range(-100, 100);
}

void GraphExecutor::declare_place(Interface& interface) {
  interface
      .parameter(green_context_, "green_context", "The part of the GPU whose SMs the graph uses",
                 "A partition of a CudaGreenContextPool, so that other work has SMs of its own; of "
                 "the GPU that 'device' says. Left out: all SMs.")
      .optional();
  interface
      .parameter(memory_sync_domain_, "memory_sync_domain",
                 "Memory-sync domain of all kernels of the graph",
                 "A fence waits for memory traffic of its own domain only. remote: those of the "
                 "graph, such as the one that says that a result is there, do not wait for other "
                 "kernels that write to slow memory. Makes no difference on GPUs with one domain, "
                 "those before compute capability 9.0.")
      .default_value(MemorySyncDomain::Default);
}

void GraphExecutor::declare_times(Interface& interface) {
  interface.parameter(timeout_ms_, "timeout_ms", "The run of the graph ends after this; 0: never")
      .default_value(0)
      .unit("ms")
      .range(0, kLongestMs);
  interface
      .parameter(iteration_timeout_us_, "iteration_timeout_us",
                 "An iteration that takes longer is counted and reported; 0: none is")
      .default_value(0)
      .unit("us")
      .range(0, kLongestUs);
  interface
      .parameter(watchdog_ms_, "watchdog_ms",
                 "The run fails when no iteration has ended for so long; 0: never",
                 "While it has work: a kernel of it hangs. Give it more than the longest iteration "
                 "takes.")
      .default_value(10'000)
      .unit("ms")
      .range(0, kLongestMs);
  interface
      .parameter(data_not_ready_sleep_interval_us_, "data_not_ready_sleep_interval_us",
                 "Longest pause between two polls for input while there is none",
                 "0: always without a pause. See 'pause'.")
      .default_value(500)
      .unit("us")
      .range(0, 1'000'000);
  interface
      .parameter(pause_, "pause", "How pauses between two polls for input grow",
                 "growing: none at first, then longer and longer, up to "
                 "data_not_ready_sleep_interval_us. fixed: each has that length, from the first one "
                 "on.")
      .default_value(GraphPause::Growing);
  interface
      .parameter(host_driven_, "host_driven",
                 "A program that embeds the application begins the iterations",
                 "By gxr::ResidentGraph::data_ready(); for a resident graph into which no messages "
                 "come. Receivers without a connection are inputs that the program writes; "
                 "'inputs' says what they hold.")
      .default_value(false);
  interface
      .parameter(sync_with_host_, "sync_with_host",
                 "Make all that an iteration wrote visible to the host at its end",
                 "For operators that write to host memory by themselves. Outputs that pass a "
                 "port do not need it.")
      .default_value(false);
  interface
      .parameter(on_stop_, "on_stop", "What happens to inputs that wait when the run ends",
                 "drain: they are worked on. abort: the iteration that runs is the last one.")
      .default_value(GraphStop::Drain);
}

void GraphExecutor::declare_inputs(Interface& interface) {
  interface
      .parameter(inputs_, "inputs", "Shapes of inputs that nobody else tells",
                 "By entity/receiver, for example {demosaic/in: {shape: [1080, 1920], dtype: "
                 "uint16}}, or as text: {demosaic/in: \"uint16 [1080, 1920]\"}. A name of the "
                 "message's part may stand beside them. Left out: what the operator in front says, "
                 "else the graph is built when the first message is there.")
      .optional();
  interface
      .parameter(ready_, "ready", "When an iteration of a graph with several inputs begins",
                 "all: when every input has a message. any: when one has; the others show their "
                 "last one.")
      .default_value(GraphReady::All);
  interface
      .parameter(input_timeout_ms_, "input_timeout_ms",
                 "An input that has no message for so long is late; 0: never",
                 "Of a resident graph that waits for all its inputs. Counted from the first message "
                 "of the others; for 'wait' and 'fault' also without any, from the messages of the "
                 "iteration before. Not counted while there is no room for more.")
      .default_value(0)
      .unit("ms")
      .range(0, kLongestMs);
  interface
      .parameter(missing_data_, "missing_data",
                 "What happens when an input has no message in time",
                 "In time means within 'input_timeout_ms'. wait: nothing but counting it. hold: "
                 "the last message of such an input is taken once more, if it ever had one. skip: "
                 "the messages of the others are dropped. fault: the run ends with an error.")
      .default_value(MissingData::Wait);
  interface
      .parameter(timestamp_from_, "timestamp_from",
                 "The input whose timestamp and sequence number the outputs get",
                 "Left out: the first one.")
      .optional();
}

}  // namespace gxr::cuda
