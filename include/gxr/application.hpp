#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/application_info.hpp"
#include "gxr/export.hpp"
#include "gxr/message.hpp"
#include "gxr/operator_swap.hpp"
#include "gxr/program_ports.hpp"
#include "gxr/report.hpp"
#include "gxr/resident_graph.hpp"
#include "gxr/run_status.hpp"
#include "gxr/type_provider.hpp"

namespace gxr {

class Component;

/// A problem of an application, found before it runs.
struct Problem {
  bool is_error = true;      ///< else a warning
  std::string code;          ///< stable: "unknown-type"; `gxr explain CODE` says more
  std::string text;          ///< what is wrong, one line
  std::string hint;          ///< may be empty
  std::string file;          ///< in which it stands, as it was named
  std::uint32_t line = 0;    ///< from 1; 0: the whole file
  std::uint32_t column = 0;  ///< from 1; 0 with line 0
};

/// A part of an application that one executor runs.
struct RegionInfo {
  std::string name;                   ///< as `gxr plan` prints it
  std::string executor;               ///< "greedy", "threads", …
  std::vector<std::string> entities;  ///< in activation order
};

/// Content and format of a picture of an application.
struct GraphPicture {
  std::string format = "text";  ///< or "dot", "mermaid"; "svg" and "png" need Graphviz
  bool details = false;         ///< when entities tick, capacities and policies of queues
  bool regions = false;         ///< frames around the parts that run as CUDA graphs
};

/// An application inside another program: the stages of `gxr run`, one call each.
///
///   gxr::Application app;
///   app.load("camera.yaml").set("source/path=/data/photo.png");
///   if (!app.validate()) { std::cerr << app.problems_text(); return 3; }
///   const gxr::Report report = app.run();
///
/// Load and set first, then run once; an object serves for one run. One thread, except that any
/// thread may call interrupt() and status() at any time, and set(), set_all(), enable(), swap(),
/// new_message(), push() and end_input() from prepare() on, or from the moment the run begins. All
/// calls throw Error(InvalidState) when they come in the wrong order, or to an object that was
/// moved from.
class GXR_API Application {
 public:
  Application();
  ~Application();
  /// The other object throws Error(InvalidState) from then on.
  Application(Application&&) noexcept;
  /// Likewise; the application that this object held is destroyed.
  Application& operator=(Application&&) noexcept;

  /// An application file, "-" is standard input. A mistake in it is a Problem.
  Application& load(const std::string& path);
  /// The same from memory; `name` stands for the file in messages.
  Application& load_text(std::string yaml, std::string name = "text");
  /// The folder in which relative names of subgraph files, and of files that parameters name,
  /// begin; without it, they begin in the folder in which the program runs. load() takes names as
  /// they are.
  Application& root(std::string folder);
  /// A file that lists extensions. A mistake in it is a Problem.
  Application& manifest(const std::string& path);
  /// An extension file (.so). A mistake in it is a Problem.
  Application& extension(const std::string& file);
  /// Types of the program's own, which the files may name. Throws Error(InvalidData) with what is
  /// wrong with their declarations.
  Application& types(TypeProvider provider);
  /// "ENTITY/COMPONENT/PARAMETER=VALUE" or "ENTITY/PARAMETER=VALUE". While the application runs,
  /// see set_all().
  Application& set(std::string_view assignment);
  /// Several assignments. While the application runs, those to parameters of one entity get their
  /// new values together: before its start(), or between two of its ticks, so that each tick sees
  /// all of them or none. Of several values for one parameter the last one counts. A CUDA graph
  /// gets all that was set together for its operators between two iterations. Waits until all
  /// components are made, so it is not for their constructors. When the run is about to end, no
  /// tick may follow that sees the values; nothing is thrown then.
  ///
  /// All is checked first, and nothing is changed when it throws. While the application runs:
  /// Error(NotFound) when there is no such parameter, Error(InvalidParameter) or Error(OutOfRange)
  /// for a value that it cannot have, Error(InvalidState) for a parameter that is not dynamic,
  /// Error(NotSupported) for one of an entity without a codelet, or of a graph that loops on a GPU
  /// and cannot take it (docs/gpu-resident.md).
  Application& set_all(const std::vector<std::string>& assignments);
  /// Switches an operator of a CUDA graph off or on again, from the next launch on, or between two
  /// iterations of a loop on the GPU, which is instantiated again. While it is off, its outputs
  /// keep what they held, which is undefined before its first iteration; the first output of one
  /// with GraphTraits::pass_through gets its first input instead. While the application runs only.
  ///
  /// Throws Error(NotFound) when there is no such entity, Error(NotSupported) when it is in no
  /// graph, in a loop that takes no changes (see set_all()), when others write to the memory of an
  /// output, when what it passes on is not like its output, or when it decides about a While. The
  /// run ends with Error(NotSupported) when one of the last three is known only then, or when an
  /// operator of a graph that the host launches, in no branch, has other nodes than kernels, copies
  /// and memsets.
  Application& enable(std::string_view entity, bool on = true);
  /// Puts another operator in the place of a codelet, "ENTITY", or "ENTITY/COMPONENT" where the
  /// entity has several, while the application runs; docs/exchange.md says how. Queues, terms, and
  /// the component's name stay, as do the values of its parameters, with those that set() gave it.
  /// The new operator is made, initialised and started on this thread, and takes over between two
  /// ticks of the entity; in a CUDA graph, which stands meanwhile, on the thread of the graph. No
  /// message is lost, doubled or reordered. Returns when the exchange has taken place, after its
  /// probation if there is one; one exchange at a time, others wait. Any thread but those that
  /// tick, while the application runs.
  ///
  /// When it throws, the old operator goes on, and nothing is lost: Error(NotFound) when there is
  /// no such entity, component or type; Error(InvalidParameter) with all reasons when ports or
  /// parameters do not fit; Error(NotSupported) for what is no codelet or is named by handles of
  /// other components, for a codelet of an entity that has finished, for what a CUDA graph cannot
  /// have, and in epochs; Error(InvalidState) when the application does not run, has ended
  /// meanwhile, or the entity had no turn in time; and what the new operator throws in
  /// initialize(), start(), load_state(), infer() or capture().
  SwapResult swap(std::string_view operator_name, std::string_view type,
                  const SwapOptions& options = {});
  /// A file with values of parameters; later ones win. A mistake in it is a Problem.
  Application& parameter_file(const std::string& path);
  /// "greedy", "threads" or "events", whatever the files say.
  Application& executor(std::string name);
  /// "cpu", "gpu" or "auto" for all components that leave the choice, whatever the files say; set()
  /// and parameter files may say otherwise for some.
  Application& device(std::string_view choice);
  /// What GXF tolerates is a warning.
  Application& compat_gxf(bool on = true);
  /// Operators that can work on CPU and GPU do both and compare, those of CUDA graphs one by one
  /// and outside of the graph; see Report::verified. run() then throws Error(NotSupported) without
  /// a GPU.
  Application& verify(bool on = true);
  /// Take the time of every tick.
  Application& measure(bool on = true);
  /// How long GPU work may make no progress when the run is to end early: interrupted, failed, in a
  /// deadlock, or over its time. Such work is then given up, and the run fails; see
  /// Report::gpu_hangs. 0: no limit. Without this call: 10 s, or the longest `watchdog_ms` of the
  /// CUDA graphs if that is more. Throws Error(OutOfRange) below 0.
  Application& end_patience(std::chrono::nanoseconds patience);
  /// Has the run write what ran when to this file at its end, for Perfetto; see
  /// docs/command-line.md. The file is begun anew when the application begins, which throws
  /// Error(InputOutput) when it cannot be; what cannot be written at the end is a failure in the
  /// report.
  Application& trace(std::string path);

  /// Says that the program pushes messages into a receiver, "ENTITY/COMPONENT", or "ENTITY/PORT"
  /// with the key of a codelet's port, whether a connection leads there or not. The names are those
  /// of the whole application, after all settings, as `gxr graph` and `gxr expand` print them:
  /// "camera.source/out" in the subgraph `camera`, also "camera/out" if its interface shows it. To
  /// the application, the program is an entity that sends there and has not finished until
  /// end_input(). That there is no such receiver, or that it can take no messages from outside a
  /// CUDA graph, is a Problem. Throws Error(InvalidArgument) for another spelling or a wrong
  /// capacity, Error(InvalidState) when the program pushes there already.
  Application& input(std::string_view port, const InputOptions& options = {});
  /// Where the program takes the messages of a transmitter, which is spelled likewise, in addition
  /// to its connections. To the application it is an entity that receives them: whether the sender
  /// waits for it is up to the sender's terms, as for each receiver. The transmitter may be in a
  /// CUDA graph. Several taps of one transmitter get all of its messages each. That there is no
  /// such transmitter is a Problem. Throws Error(InvalidArgument) for another spelling or a wrong
  /// capacity.
  [[nodiscard]] Tap tap(std::string_view port, const TapOptions& options = {});

  /// Resolves and checks everything; runs no code of any extension. False when there are errors.
  bool validate();
  /// What validate() found, in the order of the files; calls it when it was not called yet.
  const std::vector<Problem>& problems();
  /// The same as `gxr validate` prints it.
  std::string problems_text();
  /// The plan as `gxr plan` prints it. Throws Error(InvalidData) when there are errors.
  std::string plan();
  /// The graph as `gxr graph` draws it. Throws Error(InvalidData) when there are errors, with
  /// `regions` like plan(); Error(InvalidArgument) for another format, Error(NotAvailable) for
  /// "svg" and "png" without Graphviz.
  std::string graph(const GraphPicture& picture = {});
  /// The region of this name; empty when there is none. Throws like plan().
  std::optional<RegionInfo> region(std::string_view name);

  /// The entities with their components, by number, as files and settings have them; those that
  /// could be read when there are errors. Calls validate() when it was not called yet. Their
  /// pointers are valid as long as the application.
  const std::vector<EntityInfo>& entities();
  /// The extensions whose types the files may name: those that were named, the installed ones, and
  /// types(). Likewise.
  std::vector<ExtensionInfo> extensions();

  /// Makes and initialises all components on this thread; run() or run_async(), on any thread, then
  /// runs them, and finish() stops without a run. Throws like plan(), and Error with the text of
  /// the failure when a component fails or an extension cannot be loaded, which finish() then
  /// reports as well.
  void prepare();
  /// The component of that number; null: there is none. From prepare() on, as long as the
  /// application lives, a codelet until swap() exchanges it, and on any thread; what may be called
  /// while the application runs is up to the component. Throws Error(InvalidState) before
  /// prepare().
  [[nodiscard]] Component* component(std::uint32_t id);

  /// Runs until the end on this thread. Throws Error(InvalidData) when there are errors, and Error
  /// when an extension cannot be loaded; what components throw is in the report.
  Report run();
  /// The same on a thread of its own; wait() gives the report, or throws what run() would. Throws
  /// like plan(), and Error(OutOfMemory) when the thread cannot be started, after which the
  /// application has ended.
  void run_async();
  /// Waits for the end of run_async(). Throws Error(InvalidState) when nothing runs.
  Report wait();
  /// A new empty message, for push(). Any thread, while the application runs: after run_async() or
  /// the first run_epoch(). Null when the application has ended. The message must go before the
  /// Application does.
  Message new_message();
  /// Gives a message to a receiver that was named to input(), in the same words. Waits until there
  /// is room, at most as long as `timeout`; `message` is moved from only when it is taken. With
  /// run_epoch(), room comes in the epochs, so a thread that runs them should not wait. Any thread,
  /// several at a time. Throws Error(NotFound) when input() did not name the port,
  /// Error(InvalidArgument) for a null message while messages are taken, Error(InvalidState) before
  /// the application runs.
  PushResult push(std::string_view port, Message&& message,
                  std::chrono::nanoseconds timeout = kNoTimeout);
  /// Says that no more messages come to a receiver, as when a source has finished: those that wait
  /// still go there. Any thread from the moment the run begins; before that, on the thread that
  /// loads. Throws Error(NotFound) like push().
  void end_input(std::string_view port);
  /// The state of each entity; empty before they start and while they are being stopped. Waits at
  /// most `patience` for the thread that runs them, which answers between two ticks. Any thread
  /// but that one, at any time.
  std::optional<RunStatus> status(
      std::chrono::milliseconds patience = std::chrono::milliseconds(100));
  /// A region that loops on a GPU, while the application runs. Throws Error(InvalidState) before
  /// run_async() and for an application that ended, Error(NotFound) when there is none of this
  /// name.
  ResidentGraph resident_graph(std::string_view name);
  /// Ends the run in order. Any thread, at any time.
  void interrupt();
  /// Gives back the memory that GPUs keep for CUDA graphs which allocate memory themselves, as
  /// those of operators and of libraries may, and that none uses (Report::graph_memory). It would
  /// be kept until the process ends. Any thread, at any time; while a graph loops on a GPU, it is
  /// done at the loop's end. Does nothing without a GPU. Throws Error(Device).
  static void trim_graph_memory();

  /// For applications whose scheduler is an EpochScheduler: entities tick on this thread, cycle by
  /// cycle, until `budget_ms` of the application's clock have passed or nothing is ready; each
  /// entity at most once when the budget is 0. The first call starts the application. False when
  /// nothing was ready in this epoch. Throws Error with the text of the failure when a component
  /// fails or an extension cannot be loaded, which finish() then reports as well; and
  /// Error(NotSupported) for another scheduler and for the executors "threads" and "events", after
  /// which run() still works.
  bool run_epoch(double budget_ms);
  /// Stops everything after the last epoch, or after prepare() without a run. The reason in the
  /// report is Completed when every entity has finished, Failed after a failure, and Interrupted
  /// otherwise. A program that leaves this
  /// out has everything stopped by the destructor; failures are in the log then.
  Report finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gxr
