#include "gxr/application.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "device/device_engine.hpp"
#include "document/document.hpp"
#include "executors/application_run.hpp"
#include "graph/draw.hpp"
#include "graph/drawing.hpp"
#include "graph/resolve.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "observe/own_thread.hpp"
#include "observe/trace_file.hpp"
#include "plan/draw_plan.hpp"
#include "plan/plan.hpp"
#include "registry/child_process.hpp"
#include "registry/type_provider.hpp"
#include "runtime/complete_plan.hpp"
#include "runtime/instance.hpp"
#include "runtime/program_ports.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {

struct [[gnu::visibility("hidden")]] Application::State {
  enum class Stage : std::uint8_t {
    Loading,
    Broken,  ///< the check has thrown
    Checked,
    Running,
    Ended
  };

  Document document;
  Diagnostics loading;      // problems of the files
  Diagnostics diagnostics;  // all, when checked
  std::vector<Problem> problems;
  std::string root;
  std::vector<std::string> extensions;
  std::vector<std::string> manifests;
  std::vector<TypeProvider> providers;
  std::shared_ptr<ProgramPorts> ports = std::make_shared<ProgramPorts>();
  PlanOptions plan_options;
  ExecutorOptions executor_options;
  bool verify = false;
  TypeCatalog catalog;
  Graph graph;
  std::exception_ptr check_failure;                 // what it has thrown; null: Interrupted
  std::optional<std::vector<EntityInfo>> entities;  // once they were asked for
  std::optional<Plan> draft;                        // without the shapes that only operators tell
  std::optional<Plan> plan;
  std::optional<Plan> verified_plan;     // what is run to verify
  std::unique_ptr<Instance> components;  // that were asked for the plan, for the run
  std::atomic<Stage> stage = Stage::Loading;

  std::string trace;
  std::optional<TraceFile> trace_file;  // while it runs

  std::mutex mutex;  // guards run and interrupted against interrupt()
  std::unique_ptr<ApplicationRun> application_run;
  bool interrupted = false;
  bool prepared = false;  // and neither running nor finished

  std::thread thread;  // of run_async
  Report report;
  std::exception_ptr failure;

  ~State() {
    if (thread.joinable()) {
      interrupt();
      thread.join();
    } else if (stage == Stage::Running) {
      leave();
    }
    ports->clear();  // the run has the memory of messages
  }

  void require(bool condition, const char* what) const {
    if (!condition) {
      throw Error(ErrorCode::InvalidState, what);
    }
  }
  void interrupt() {
    const std::lock_guard lock(mutex);
    interrupted = true;
    if (application_run != nullptr) {
      application_run->interrupt();
    }
  }
  void check();
  void find_problems();
  void list_problems();
  void require_no_errors() const;
  Plan& planned();
  ApplicationRun& begin(bool in_epochs);
  ApplicationRun& begin_run();
  void list_entities();
  void require_epochs(const Plan& ready) const;
  ApplicationRun& make_run(const Plan& ready);
  Report run(ApplicationRun & begun);
  Report finish();
  void leave() noexcept;
  void write_trace(Report & ended);
  ApplicationRun& running_run(const char* what) const;
  LiveChanges& running(const char* what);
};

namespace {

/// The state of an application, which another one may have taken over.
template <class State>
State& alive(const std::unique_ptr<State>& state) {
  if (state == nullptr) {
    throw Error(ErrorCode::InvalidState, "this application was moved into another object");
  }
  return *state;
}

/// Likewise, of one that takes files and settings.
template <class State>
State& loading(const std::unique_ptr<State>& state) {
  State& found = alive(state);
  found.require(found.stage == State::Stage::Loading,
                "the application was checked already: load and set first");
  return found;
}

Problem problem_of(const Diagnostic& diagnostic, const SourceMap& sources) {
  Problem problem;
  problem.is_error = diagnostic.severity == Severity::Error;
  problem.code = info(diagnostic.code).name;
  problem.text = diagnostic.text;
  problem.hint = diagnostic.hint;
  problem.file = sources.at(diagnostic.where.source).name;
  problem.line = diagnostic.where.line;
  problem.column = diagnostic.where.column;
  return problem;
}

}  // namespace

void Application::State::check() {
  if (stage == Stage::Broken) {
    if (check_failure) {
      std::rethrow_exception(check_failure);
    }
    require(false, "the check of this application was interrupted: make another one");
  }
  if (stage != Stage::Loading) {
    return;
  }
  try {
    find_problems();
  } catch (const Interrupted&) {
    stage = Stage::Broken;
    throw;
  } catch (...) {
    stage = Stage::Broken;
    check_failure = std::current_exception();
    throw;
  }
  stage = Stage::Checked;
}

void Application::State::find_problems() {
  if (!ports->empty()) {
    ports->add_to(document, loading);
    providers.push_back(ports->types());
  }
  diagnostics = Diagnostics(executor_options.compat_gxf);
  for (const Diagnostic& found : loading.all()) {
    diagnostics.add(found.code, found.where, found.length, found.text, found.hint).related =
        found.related;
  }
  resolve(document, {root}, {extensions, manifests, installed_extension_folder(), providers},
          diagnostics, catalog, graph);
  if (diagnostics.errors() == 0) {
    try {
      draft = make_plan(graph, catalog, plan_options, diagnostics);
    } catch (const Error&) {
      // An executor that is not there is no mistake of the application; planned() throws again.
    }
  }
  list_problems();
}

void Application::State::list_problems() {
  diagnostics.sort();
  problems.clear();
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    problems.push_back(problem_of(diagnostic, document.sources()));
  }
}

void Application::State::require_no_errors() const {
  if (diagnostics.errors() > 0) {
    throw Error(ErrorCode::InvalidData, "the application has errors:\n" +
                                            render_text(diagnostics, document.sources(), false));
  }
}

Plan& Application::State::planned() {
  check();
  if (!plan) {
    require_no_errors();
    if (!draft) {
      draft = make_plan(graph, catalog, plan_options);  // which throws again
    }
    try {
      components = complete_plan(*draft, diagnostics);
    } catch (const ComponentFailure& thrown) {
      throw Error(thrown.failure().code, describe(thrown.failure()));
    }
    list_problems();
    require_no_errors();
    plan = std::move(draft);
  }
  return *plan;
}

ApplicationRun& Application::State::begin(bool in_epochs) {
  require(stage < Stage::Running, "the application has run already: an object serves for one run");
  // When there is no run, nobody waits for its messages; but run() may follow a refused
  // run_epoch().
  try {
    planned();
  } catch (...) {
    ports->close();
    throw;
  }
  if (!verify) {  // which runs the operators on the CPU
    settle_default_graph(*plan, diagnostics);
  }
  if (in_epochs) {
    require_epochs(*plan);
  }
  try {
    return make_run(*plan);
  } catch (...) {
    ports->close();
    throw;
  }
}

/// For run() and run_async(), which may follow prepare().
ApplicationRun& Application::State::begin_run() {
  if (std::exchange(prepared, false)) {
    return *application_run;
  }
  return begin(false);
}

void Application::State::list_entities() {
  const auto setting_of = [&](const GraphComponent& component, const ParameterInfo& info) {
    ParameterSetting setting;
    setting.info = &info;
    if (const ParameterAssignment* const given = component.find(info.key); given != nullptr) {
      setting.value = given->value;
      setting.is_set = true;
      for (const HandleReference& handle : given->handles) {
        setting.handles.push_back(handle.target);
      }
    } else if (info.default_value) {
      setting.value = &document.make_value(*info.default_value);
    }
    return setting;
  };
  entities.emplace();
  for (const GraphEntity& entity : graph.entities) {
    EntityInfo& listed = entities->emplace_back(EntityInfo{entity.id, entity.name, {}});
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph.components[id];
      ComponentInfo& about = listed.components.emplace_back();
      about.id = id;
      about.name = component.name;
      about.type = component.type;
      about.type_name = component.type_name;
      if (component.type != nullptr) {
        for (const ParameterInfo& info : component.type->parameters) {
          about.parameters.push_back(setting_of(component, info));
        }
      }
    }
  }
}

void Application::State::require_epochs(const Plan& ready) const {
  if (!ApplicationRun::can_run_epochs(ready)) {
    throw Error(ErrorCode::NotSupported, "run_epoch() needs an EpochScheduler in the application");
  }
  const ExecutorEntry* const named = find_executor(plan_options.executor);
  if (named != nullptr && named->has_threads) {
    throw Error(ErrorCode::NotSupported,
                "run_epoch() ticks entities on the calling thread; the executor '" +
                    plan_options.executor + "' is for run()");
  }
}

ApplicationRun& Application::State::make_run(const Plan& ready) {
  if (verify) {
    verified_plan = plan_without_graphs(ready);
  }
  if (!trace.empty()) {
    executor_options.trace = &trace_file.emplace(trace, TraceProcess{"gxr"}).events();
  }
  auto made = std::make_unique<ApplicationRun>(verified_plan ? *verified_plan : ready, catalog,
                                               executor_options);
  const std::lock_guard lock(mutex);
  application_run = std::move(made);
  application_run->set_verify(verify);
  application_run->set_sources(document.sources());
  application_run->take_components(std::move(components));
  stage = Stage::Running;
  if (interrupted) {
    application_run->interrupt();
  }
  return *application_run;
}

/// Also when it throws, the object has served and the trace is written.
Report Application::State::run(ApplicationRun& begun) {
  try {
    Report ended = begun.run();
    ports->close();
    write_trace(ended);
    return ended;
  } catch (...) {
    ports->close();
    Report unused;
    write_trace(unused);
    throw;
  }
}

Report Application::State::finish() {
  stage = Stage::Ended;
  try {
    Report ended = application_run->end_epochs();
    ports->close();
    write_trace(ended);
    return ended;
  } catch (...) {
    ports->close();
    throw;
  }
}

/// For a program that has no use for the report of its epochs.
void Application::State::leave() noexcept {
  try {
    for (const Failure& failed : finish().failures) {
      Log::write(LogLevel::Error, describe(failed));
    }
  } catch (...) {  // nobody is left who could be told
  }
}

/// When one was asked for.
void Application::State::write_trace(Report& ended) {
  if (!trace_file) {
    return;
  }
  try {
    trace_file->finish();
  } catch (const Error&) {
    ended.failures.push_back(current_failure({"trace", {}, {}, "gxr"}));
    ended.reason = EndReason::Failed;
  }
}

/// Throws Error(InvalidState) with this text when it does not run.
ApplicationRun& Application::State::running_run(const char* what) const {
  require(stage != Stage::Ended, "the application has ended");
  require(stage == Stage::Running, what);
  return *application_run;
}

LiveChanges& Application::State::running(const char* what) { return running_run(what).changes(); }

Application::Application() : state_(std::make_unique<State>()) {}
Application::~Application() = default;
Application::Application(Application&&) noexcept = default;
Application& Application::operator=(Application&&) noexcept = default;

Application& Application::load(const std::string& path) {
  State& state = loading(state_);
  state.document.add_file(path, state.loading);
  return *this;
}

Application& Application::load_text(std::string yaml, std::string name) {
  State& state = loading(state_);
  state.document.add_text({Source::Kind::Program, std::move(name), std::move(yaml)}, state.loading);
  return *this;
}

Application& Application::root(std::string folder) {
  State& state = loading(state_);
  state.root = std::move(folder);
  return *this;
}

Application& Application::manifest(const std::string& path) {
  State& state = loading(state_);
  state.manifests.push_back(path);
  return *this;
}

Application& Application::extension(const std::string& file) {
  State& state = loading(state_);
  state.extensions.push_back(file);
  return *this;
}

Application& Application::types(TypeProvider provider) {
  State& state = loading(state_);
  check_provider(provider);
  state.providers.push_back(std::move(provider));
  return *this;
}

Application& Application::input(std::string_view port, const InputOptions& options) {
  loading(state_).ports->add_input(port, options);
  return *this;
}

Tap Application::tap(std::string_view port, const TapOptions& options) {
  return loading(state_).ports->add_tap(port, options);
}

Application& Application::set(std::string_view assignment) {
  return set_all({std::string(assignment)});
}

Application& Application::set_all(const std::vector<std::string>& assignments) {
  State& state = alive(state_);
  if (state.stage != State::Stage::Loading) {
    state.running("the application was checked already: set first, or while it runs")
        .set(assignments);
    return *this;
  }
  for (const std::string& assignment : assignments) {
    state.document.add_override(assignment, state.loading);
  }
  return *this;
}

Application& Application::enable(std::string_view entity, bool on) {
  alive(state_).running("enable() is for applications that run").enable(std::string(entity), on);
  return *this;
}

SwapResult Application::swap(std::string_view operator_name, std::string_view type,
                             const SwapOptions& options) {
  return alive(state_)
      .running_run("swap() is for applications that run")
      .swaps()
      .swap({std::string(operator_name), std::string(type), options});
}

Application& Application::parameter_file(const std::string& path) {
  State& state = loading(state_);
  state.document.add_parameter_file(path, state.loading);
  return *this;
}

Application& Application::device(std::string_view choice) {
  State& state = loading(state_);
  state.document.set_device(choice);
  return *this;
}

Application& Application::executor(std::string name) {
  State& state = loading(state_);
  state.plan_options.executor = std::move(name);
  return *this;
}

Application& Application::compat_gxf(bool on) {
  State& state = loading(state_);
  state.executor_options.compat_gxf = on;
  return *this;
}

Application& Application::verify(bool on) {
  State& state = loading(state_);
  state.verify = on;
  return *this;
}

Application& Application::measure(bool on) {
  State& state = loading(state_);
  state.executor_options.measure = on;
  return *this;
}

Application& Application::end_patience(std::chrono::nanoseconds patience) {
  if (patience.count() < 0) {
    throw Error(ErrorCode::OutOfRange, "the patience at the end of a run is below 0");
  }
  State& state = loading(state_);
  state.executor_options.end_patience = patience;
  return *this;
}

Application& Application::trace(std::string path) {
  State& state = loading(state_);
  state.trace = std::move(path);
  return *this;
}

bool Application::validate() {
  State& state = alive(state_);
  state.check();
  return state.diagnostics.errors() == 0;
}

const std::vector<Problem>& Application::problems() {
  State& state = alive(state_);
  state.check();
  return state.problems;
}

std::string Application::problems_text() {
  State& state = alive(state_);
  state.check();
  return render_text(state.diagnostics, state.document.sources(), false);
}

std::string Application::plan() { return render_plan(alive(state_).planned()); }

std::string Application::graph(const GraphPicture& picture) {
  State& state = alive(state_);
  if (!picture.regions) {
    state.check();
    state.require_no_errors();
  }
  Drawing drawing =
      picture.regions ? make_drawing(state.planned()) : make_drawing(state.graph, state.catalog);
  if (!picture.details) {
    leave_out_details(drawing);
  }
  return draw(drawing, picture.format);
}

std::optional<RegionInfo> Application::region(std::string_view name) {
  State& state = alive(state_);
  for (const Region& region : state.planned().regions) {
    if (region.name != name) {
      continue;
    }
    RegionInfo found{region.name, to_string(region.executor), {}};
    const auto add = [&](EntityId entity) {
      found.entities.push_back(state.graph.entities[entity].name);
    };
    if (region.graph) {
      for (const GraphStep& step : region.graph->steps) {
        add(step.entity);
      }
    } else {
      for (const auto& item : region.body.items) {
        add(std::get<PlanStep>(item).entity);
      }
    }
    return found;
  }
  return std::nullopt;
}

const std::vector<EntityInfo>& Application::entities() {
  State& state = alive(state_);
  state.check();
  if (!state.entities) {
    state.list_entities();
  }
  return *state.entities;
}

std::vector<ExtensionInfo> Application::extensions() {
  State& state = alive(state_);
  state.check();
  std::vector<ExtensionInfo> found;
  for (const ExtensionFile* const file : state.catalog.extensions()) {
    const ExtensionDescriptor& about = file->descriptor;
    ExtensionInfo& listed =
        found.emplace_back(ExtensionInfo{about.name,
                                         file->provided ? std::string() : file->path.string(),
                                         about.version,
                                         about.license,
                                         about.description,
                                         {}});
    for (const TypeInfo& type : file->types) {
      if (!type.name.empty()) {
        listed.types.push_back(&type);
      }
    }
  }
  return found;
}

void Application::prepare() {
  State& state = alive(state_);
  ApplicationRun& run = state.begin(false);
  try {
    run.begin();
  } catch (...) {
    state.ports->close();
    throw;
  }
  state.prepared = true;
}

Component* Application::component(std::uint32_t id) {
  State& state = alive(state_);
  state.require(state.application_run != nullptr && state.application_run->has_begun(),
                "component() follows prepare()");
  return state.application_run->component(id);
}

Report Application::run() {
  State& state = alive(state_);
  ApplicationRun& run = state.begin_run();
  try {
    Report report = state.run(run);
    state.stage = State::Stage::Ended;
    return report;
  } catch (...) {
    state.stage = State::Stage::Ended;
    throw;
  }
}

void Application::run_async() {
  State& state = alive(state_);
  ApplicationRun& run = state.begin_run();
  try {
    state.thread = start_thread("the application's thread", [&state, &run] {
      try {
        state.report = state.run(run);
      } catch (...) {
        state.failure = std::current_exception();
      }
    });
  } catch (...) {
    run.changes().end();  // a set() of another thread may wait for the components
    state.ports->close();
    state.stage = State::Stage::Ended;
    throw;
  }
}

Report Application::wait() {
  State& state = alive(state_);
  state.require(state.thread.joinable(), "wait() follows run_async()");
  state.thread.join();
  state.stage = State::Stage::Ended;
  if (state.failure) {
    std::rethrow_exception(state.failure);
  }
  return std::move(state.report);
}

void Application::trim_graph_memory() {
  if (DeviceEngine* const runtime = DeviceEngine::find(); runtime != nullptr) {
    for (int device = 0; device < runtime->device_count(); ++device) {
      runtime->memory().trim_graph_memory(device);
    }
  }
}

ResidentGraph Application::resident_graph(std::string_view name) {
  State& state = alive(state_);
  state.require(state.stage == State::Stage::Running, "resident_graph() follows run_async()");
  auto control = state.application_run->control(std::string(name));
  if (control == nullptr) {
    throw Error(ErrorCode::NotFound,
                "no region '" + std::string(name) + "' of the application loops on a GPU");
  }
  return EngineAccess::make_resident_graph(std::move(control));
}

Message Application::new_message() {
  State& state = alive(state_);
  if (state.stage == State::Stage::Ended) {
    return {};
  }
  return state.running_run("new_message() is for applications that run").new_message_of_program();
}

PushResult Application::push(std::string_view port, Message&& message,
                             std::chrono::nanoseconds timeout) {
  State& state = alive(state_);
  const std::shared_ptr<PushQueue> queue = state.ports->input(port);
  const State::Stage stage = state.stage;
  state.require(stage == State::Stage::Running || stage == State::Stage::Ended,
                "push() is for applications that run");
  return queue->push(std::move(message), timeout);
}

void Application::end_input(std::string_view port) { alive(state_).ports->input(port)->end(); }

std::optional<RunStatus> Application::status(std::chrono::milliseconds patience) {
  State& state = alive(state_);
  const ApplicationRun* run = nullptr;
  {
    const std::lock_guard lock(state.mutex);
    run = state.application_run.get();
  }
  return run == nullptr || run->has_run() ? std::nullopt : run->status(patience);
}

void Application::interrupt() { alive(state_).interrupt(); }

bool Application::run_epoch(double budget_ms) {
  State& state = alive(state_);
  if (state.stage != State::Stage::Running) {
    ApplicationRun& run = state.begin(true);
    try {
      run.begin_epochs();
    } catch (...) {
      state.ports->close();
      throw;
    }
  }
  state.require(!state.thread.joinable(), "run_epoch() cannot follow run_async()");
  state.require(!state.prepared, "run_epoch() cannot follow prepare()");
  return state.application_run->run_epoch(budget_ms);
}

Report Application::finish() {
  State& state = alive(state_);
  state.require(state.stage == State::Stage::Running && !state.thread.joinable(),
                "finish() follows run_epoch() or prepare()");
  state.prepared = false;
  return state.finish();
}

}  // namespace gxr
