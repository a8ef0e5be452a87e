#include "executors/application_run.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device/device_engine.hpp"
#include "document/number_text.hpp"
#include "document/utf8.hpp"
#include "executors/cuda_graph/graph_runner.hpp"
#include "executors/cuda_graph/resident_runner.hpp"
#include "executors/greedy/greedy_executor.hpp"
#include "executors/make_executor.hpp"
#include "executors/run_conclusion.hpp"
#include "gxr/error.hpp"
#include "gxr/resource.hpp"
#include "observe/call_site.hpp"
#include "observe/log.hpp"
#include "plan/default_device.hpp"
#include "plan/shapes.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

const std::string kEngine = "gxr";
const std::string kNoName;

/// Makes a component that no file names, with the defaults of its parameters.
template <class T>
std::unique_ptr<T> make_with_defaults(Context& context) {
  auto component = std::make_unique<T>();
  EngineAccess::attach(*component, {&context, &kNoName, &kEngine, &kEngine, kNone, kNone});
  Interface interface = EngineAccess::make_interface();
  component->declare(interface);
  component->initialize();
  return component;
}

bool has_graph_region(const Plan& plan) {
  return std::ranges::any_of(plan.regions,
                             [](const Region& region) { return region.graph.has_value(); });
}

std::chrono::nanoseconds end_patience(const Plan& plan, const ExecutorOptions& options) {
  std::chrono::nanoseconds patience = std::chrono::seconds(10);
  for (const Region& region : plan.regions) {
    if (region.graph) {
      patience = std::max(patience, region.graph->options.watchdog);
    }
  }
  return options.end_patience.value_or(patience);
}

/// Of the GPUs with graphs that keep any.
std::vector<GraphMemory> graph_memory(const Plan& plan) {
  std::set<int> devices;
  for (const Region& region : plan.regions) {
    if (region.graph) {
      devices.insert(region.graph->options.device);
    }
  }
  std::vector<GraphMemory> found;
  try {
    for (const int device : devices) {
      const GraphMemory memory = DeviceEngine::get().memory().graph_memory(device);
      if (memory.reserved_bytes > 0) {
        found.push_back(memory);
      }
    }
  } catch (const Error&) {  // the device has failed, which is in the report
  }
  return found;
}

void require_gpu_to_verify() {
  try {
    static_cast<void>(DeviceRuntime::get());
  } catch (const Error& error) {
    throw Error(error.code(), "results of CPU and GPU are to be compared, but " + error.message());
  }
}

}  // namespace

ApplicationRun::ApplicationRun(const Plan& plan, const TypeCatalog& catalog,
                               ExecutorOptions options)
    : plan_(plan),
      catalog_(catalog),
      region_of_(graph_regions_of_entities(plan)),
      options_(options),
      changes_(plan, catalog),
      loader_(std::make_unique<ExtensionLoader>(catalog)),
      exchange_(catalog, changes_, *loader_, *this),
      swaps_(plan, catalog, *loader_, exchange_),
      restarts_(plan, exchange_),
      pool_(std::make_unique<MessagePool>()),
      end_patience_(end_patience(plan, options)),
      end_watch_(end_patience_) {
  for (const Region& region : plan.regions) {
    if (region.executor == ExecutorKind::Resident) {
      controls_.emplace(region.name, std::make_shared<ResidentControl>(region.name));
    }
  }
  options_.resident = has_resident_region(plan);
  pool_->leave_thread();  // the program may make messages here while the run begins elsewhere
}

/// For what a GPU still uses.
void ApplicationRun::leave_everything() noexcept {
  static_cast<void>(executor_.release());
  static_cast<void>(device_times_.release());
  static_cast<void>(instance_.release());
  for (auto& runner : region_runners_) {
    static_cast<void>(runner.release());
  }
  static_cast<void>(pool_.release());
  static_cast<void>(loader_.release());
}

ApplicationRun::~ApplicationRun() {
  deactivate_late();
  if (gpu_hangs_) {
    leave_everything();
    return;
  }
  executor_.reset();
  if (instance_ != nullptr) {
    instance_->destroy_all_but_allocators();
  }
  if (pool_->outstanding() > 0) {
    // Somebody outside the application still holds messages, whose memory is the pool's and the
    // allocators'.
    warn_of_kept_messages();
    static_cast<void>(instance_.release());
    for (auto& runner : region_runners_) {
      static_cast<void>(runner.release());
    }
    static_cast<void>(pool_.release());
  }
}

/// For a program that leaves an application before its end: whoever was initialised is stopped and
/// deinitialised all the same.
void ApplicationRun::deactivate_late() noexcept {
  if (deactivated_ || instance_ == nullptr) {
    return;
  }
  try {
    Report report = end_epochs();
    if (!deactivated_) {
      report.ran = executor_ != nullptr;
      deactivate(report);
    }
    for (const Failure& failure : report.failures) {
      Log::write(LogLevel::Error, describe(failure));
    }
  } catch (...) {  // nobody is left who could be told
  }
}

std::string ApplicationRun::maker_text(std::uint32_t maker) const {
  if (maker < plan_.graph->components.size()) {
    return "'" + plan_.graph->full_name(plan_.graph->components[maker]) + "'";
  }
  return maker == MessagePool::kProgram ? "the program" : "a thread outside of ticks";
}

/// How many, and who made them; who keeps them, nobody knows.
void ApplicationRun::warn_of_kept_messages() {
  std::string makers;
  std::size_t all = 0;
  for (const auto& [maker, messages] : pool_->outstanding_by_maker()) {
    all += messages;
    makers += makers.empty() ? "" : ", ";
    makers += std::to_string(messages) + " made by " + maker_text(maker);
  }
  Log::write(LogLevel::Warn, counted(all, "message outlives", "messages outlive") +
                                 " the application, so somebody still keeps " +
                                 (all == 1 ? "it" : "them") + ": " + makers);
}

Message ApplicationRun::new_message() {
  const CallSite* const site = current_call_site();
  if (site != nullptr && site->beside) [[unlikely]] {
    throw Error(ErrorCode::InvalidState,
                "an operator that is exchanged must not make messages in initialize(), start(), "
                "stop() and deinitialize(), unless its is_exclusive() returns true");
  }
  return pool_->make(site != nullptr ? site->component_id : MessagePool::kNobody);
}

Message ApplicationRun::new_message_for(const Component& maker) {
  return pool_->make(maker.component_id());
}

void ApplicationRun::begin() {
  prepare_or_fail();
  pool_->leave_thread();
  has_begun_ = true;
}

Component* ApplicationRun::component(ComponentId id) const noexcept {
  return instance_ != nullptr && id < plan_.graph->components.size() ? &instance_->component_now(id)
                                                                     : nullptr;
}

Report ApplicationRun::run() {
  Report report;
  try {
    if (has_begun_) {
      pool_->adopt_thread();
    } else {
      prepare();
    }
  } catch (const ComponentFailure& failure) {
    report.failures.push_back(failure.failure());
    report.ran = false;
  } catch (const std::bad_alloc&) {
    report.failures.push_back(current_failure({"making the components", {}, {}, "gxr"}));
    report.ran = false;
  }
  if (report.ran && executor_ != nullptr) {
    try {
      executor_->run(report);
    } catch (...) {
      report.failures.push_back(current_failure({"run", {}, {}, "gxr"}));
    }
  }
  deactivate(report);
  return report;
}

void ApplicationRun::deactivate(Report& report) {
  deactivated_ = true;
  has_run_.store(true);
  if (report.reason != EndReason::Completed || !report.failures.empty()) {
    watch_end();
  }
  end_exchanges();
  live_executor_.store(nullptr, std::memory_order_release);
  changes_.end();
  if (instance_ != nullptr) {
    const std::int64_t now = executor_ != nullptr ? executor_->clock_time() : 0;
    std::vector<Failure> failures;
    instance_->stop_all(now, failures);
    add_stop_failures(report, failures, options_.compat_gxf);
    const bool hangs = std::ranges::any_of(region_runners_, &RegionRunner::hangs);
    for (std::size_t i = hangs ? 0 : region_runners_.size(); i-- > 0;) {
      region_runners_[i]->stop_late(report.failures);
    }
    if (report.ran) {
      // Once more: stop() may have published, and taken.
      report.unread.clear();
      report.dropped.clear();
      add_queues(report, *instance_);
      for (const Queue* queue : instance_->queues()) {
        add_account(report, *queue, {}, *instance_);
      }
      for (const auto& runner : region_runners_) {
        add_account(report, *runner, runner->entity_name(), *instance_);
      }
    }
    instance_->deactivate(report.failures, [&](const Component& component) {
      // Threads outside may take messages of a component until here.
      if (report.ran && dynamic_cast<const Queue*>(&component) == nullptr) {
        add_account(report, component, {}, *instance_);
      }
    });
  }
  settle_end(report);
  for (const auto& runner : region_runners_) {
    gpu_hangs_ = gpu_hangs_ || runner->hangs();
  }
  if (device_times_ != nullptr) {
    if (!gpu_hangs_) {
      device_times_->finish(end_patience_);
    }
    device_times_->tell(report);
  }
  if (!report.failures.empty()) {
    report.reason = EndReason::Failed;
  }
  if (verify_) {
    report.verified = verified_results();
  }
  for (const auto& runner : region_runners_) {
    if (const auto& statistics = runner->statistics()) {
      report.graphs.push_back(*statistics);
      report.graphs.back().captures_checked = checks_captures_;
    }
  }
  if (!report.graphs.empty() && !gpu_hangs_) {
    report.graph_memory = graph_memory(plan_);
  }
  report.gpu_hangs = gpu_hangs_;
}

void ApplicationRun::run_alone(EndWatch::Abandon abandon) {
  is_alone_ = true;
  end_watch_.set_abandon(std::move(abandon), std::chrono::seconds(5));
}

/// From now on, GPU work that does not end is given up.
void ApplicationRun::watch_end() noexcept {
  DeviceEngine* const engine = DeviceEngine::loaded();
  if (engine == nullptr) {
    return;
  }
  end_watch_.begin(
      {[engine](UnfinishedWork::Scope scope) { return engine->in_flight().unfinished(scope); },
       [engine] { return engine->in_flight().users(); },
       [engine](const UnfinishedWork& work, const std::string& why) {
         engine->in_flight().give_up(work, why);
       },
       [engine] { engine->in_flight().hold_frees(); },
       [engine] { engine->in_flight().let_frees_go(); }});
}

/// CUDA would wait for work that nobody has waited for when its memory is given back.
void ApplicationRun::settle_end(Report& report) {
  if (is_alone_) {
    no_legacy_stream_.reset();  // it captures
  }
  end_watch_.settle(is_alone_ ? UnfinishedWork::Scope::Devices : UnfinishedWork::Scope::Streams);
  end_watch_.end();
  const std::string hang = end_watch_.hang();
  if (hang.empty()) {
    return;
  }
  gpu_hangs_ = true;
  const bool is_told =
      std::ranges::any_of(report.failures, [&](const Failure& each) { return each.text == hang; });
  if (!is_told) {
    report.failures.push_back({{}, {}, kEngine, "end", hang, ErrorCode::Device});
  }
}

void ApplicationRun::count_verified(const Component& component) {
  const std::lock_guard lock(verified_mutex_);
  ++verified_[component.component_id()];
}

VerifiedResults ApplicationRun::verified_results() {
  const std::lock_guard lock(verified_mutex_);
  VerifiedResults all{0, verified_.size(), plan_.graphs_left_out};
  for (const auto& [component, results] : verified_) {
    all.results += results;
  }
  return all;
}

bool ApplicationRun::can_run_epochs(const Plan& plan) {
  const auto runs_epochs = [&](const Region& region) {
    const ComponentId id = region.declared_by;
    return id != kNone && plan.graph->components[id].type->name == type_name<EpochScheduler>();
  };
  return std::ranges::any_of(plan.regions, runs_epochs);
}

void ApplicationRun::begin_epochs() {
  in_epochs_ = true;
  prepare_or_fail();
  epochs_ = static_cast<GreedyExecutor*>(executor_.get());
  epochs_->begin();
}

void ApplicationRun::prepare_or_fail() {
  try {
    prepare();
  } catch (const ComponentFailure& failure) {
    fail_to_begin(failure.failure());
    throw Error(failure.failure().code, describe(failure.failure()));
  } catch (...) {
    fail_to_begin(current_failure({"load", {}, {}, "gxr"}));
    throw;
  }
}

/// So that the report, too, tells of it.
void ApplicationRun::fail_to_begin(Failure failure) {
  epoch_report_.failures.push_back(std::move(failure));
  epoch_report_.ran = false;
  deactivate(epoch_report_);
}

bool ApplicationRun::run_epoch(double budget_ms) {
  if (epochs_ == nullptr) {
    throw Error(ErrorCode::InvalidState, "the application did not begin");
  }
  return epochs_->run_epoch(budget_ms);
}

Report ApplicationRun::end_epochs() {
  if (epochs_ != nullptr) {
    epochs_->finish(epoch_report_);
    deactivate(epoch_report_);
    epochs_ = nullptr;
  } else if (has_begun_ && !deactivated_) {
    epoch_report_.reason = EndReason::Interrupted;
    deactivate(epoch_report_);
  }
  return std::move(epoch_report_);
}

void ApplicationRun::prepare() {
  pool_->adopt_thread();
  try {
    make_everything();
  } catch (...) {
    changes_.end();  // some may wait for the components
    end_exchanges();
    throw;
  }
}

void ApplicationRun::make_everything() {
  if (verify_) {
    require_gpu_to_verify();
  }
  if (options_.nvtx) {
    static_cast<void>(DeviceRuntime::get());
  }
  if (options_.check_streams) {
    no_legacy_stream_.emplace();
    checks_captures_ = has_graph_region(plan_) && DeviceEngine::get().tools().checks_captures();
    if (has_graph_region(plan_) && !checks_captures_) {
      Log::write(LogLevel::Warn,
                 "operators of CUDA graphs are not checked for work on streams that are not "
                 "captured: CUPTI is not there, or another tool has it");
    }
  }
  make_components();
  instance_->set_trace(options_.trace);
  instance_->set_at_early_end([this] { watch_end(); });
  instance_->set_before_stops([this] {
    end_exchanges();
    for (const auto& runner : region_runners_) {
      runner->end_early();
    }
  });
  make_region_runners();
  changes_.begin(*instance_, [this](EntityId entity) {
    if (Executor* executor = live_executor_.load(std::memory_order_acquire)) {
      executor->notify(entity);
    }
  });
  for (Component* const component : instance_->components()) {
    guarded(instance_->site(*component, "initialize"), [&] {
      default_pools_.add(*component, plan_.graph->entities[component->entity_id()].group);
    });
  }
  instance_->initialize();
  for (const auto& runner : region_runners_) {
    guarded(instance_->site(*runner, "initialize"), [&] { runner->initialize(); });
  }
  if (!plan_.regions.empty()) {
    restarts_.begin(*instance_);
    if (options_.measure || options_.trace != nullptr) {
      device_times_ = std::make_unique<DeviceTimes>(*instance_, options_.trace);
      options_.device_times = device_times_.get();
    }
    make_executor(plan_.regions.front());
    publish_executor();
    allow_exchanges();
  }
}

void ApplicationRun::make_components() {
  if (made_ != nullptr) {
    instance_ = std::move(made_);
    instance_->enter(plan_, catalog_, *this);
  } else {
    instance_ = std::make_unique<Instance>(*plan_.graph, plan_, catalog_, *loader_, *this);
  }
}

std::shared_ptr<ResidentControl> ApplicationRun::control(const std::string& region) const {
  const auto found = controls_.find(region);
  return found != controls_.end() ? found->second : nullptr;
}

std::unique_ptr<RegionRunner> ApplicationRun::make_region_runner(const Region& region) {
  if (region.executor == ExecutorKind::Graph) {
    return std::make_unique<GraphRunner>(plan_, region, *instance_, *this, poller_);
  }
  return std::make_unique<ResidentRunner>(plan_, region, *instance_, *this, poller_,
                                          controls_.at(region.name));
}

/// To the CPU's executor a region is one entity.
void ApplicationRun::make_region_runners() {
  if (!has_graph_region(plan_)) {
    return;
  }
  shape_order_ = std::make_unique<ShapeOrder>(*plan_.graph, catalog_);
  std::vector<std::vector<LiveEntity>> parts(plan_.regions.size());
  for (const LiveEntity& live : instance_->entities()) {
    if (region_of_[live.id] != kNoRegion) {
      parts[region_of_[live.id]].push_back(live);
    }
  }
  std::unordered_map<std::size_t, LiveEntity> merged;
  for (std::size_t i = 0; i < plan_.regions.size(); ++i) {
    if (plan_.regions[i].graph) {
      RegionRunner& runner = *region_runners_.emplace_back(make_region_runner(plan_.regions[i]));
      runner.configure({.dot_file = i < dot_files_.size() ? dot_files_[i] : std::string(),
                        .trace = options_.trace,
                        .shape_order = shape_order_.get(),
                        .end_patience = end_patience_});
      guarded(instance_->site(runner, "merge"), [&] { merged[i] = runner.merge(parts[i]); });
    }
  }
  instance_->merge_entities(region_of_, std::move(merged));
}

void ApplicationRun::make_executor(const Region& region) {
  const Scheduler* scheduler = nullptr;
  if (region.declared_by != kNone) {
    scheduler = dynamic_cast<const Scheduler*>(&instance_->component(region.declared_by));
  }
  ExecutorParts parts{*instance_, scheduler, clock_for(scheduler), *pool_, options_};
  if (options_.resident && !in_epochs_) {
    parts.poller = &poller_;
  }
  // Epochs are rounds on the caller's thread, whatever the scheduler.
  executor_ = gxr::make_executor(in_epochs_ ? ExecutorKind::Greedy : region.executor, parts);
}

Clock& ApplicationRun::clock_for(const Scheduler* scheduler) {
  if (scheduler != nullptr && scheduler->clock() != nullptr) {
    return *scheduler->clock();
  }
  // GXF's deprecated parameter; without it, and without a clock, real time is what a user expects.
  const auto* greedy = dynamic_cast<const GreedyScheduler*>(scheduler);
  own_clock_ = greedy == nullptr || greedy->realtime().value_or(true)
                   ? std::unique_ptr<Clock>(make_with_defaults<RealtimeClock>(*this))
                   : std::unique_ptr<Clock>(make_with_defaults<ManualClock>(*this));
  return *own_clock_;
}

void ApplicationRun::publish_executor() {
  const std::lock_guard lock(mutex_);
  live_executor_.store(executor_.get(), std::memory_order_release);
  if (requested_ != Request::None) {
    executor_->interrupt(requested_ == Request::Signal);
  }
}

/// Before anything is stopped.
void ApplicationRun::end_exchanges() noexcept {
  exchange_.end();
  restarts_.end();
}

void ApplicationRun::allow_exchanges() {
  if (in_epochs_) {
    exchange_.refuse("operators of applications that run in epochs cannot be exchanged");
    return;
  }
  exchange_.begin(*instance_, [this](EntityId entity) {
    if (Executor* executor = live_executor_.load(std::memory_order_acquire)) {
      executor->notify(entity);
    }
  });
}

void ApplicationRun::interrupt(bool by_signal) noexcept {
  const std::lock_guard lock(mutex_);
  if (Executor* executor = live_executor_.load(std::memory_order_acquire)) {
    executor->interrupt(by_signal);
    if (!in_epochs_) {
      watch_end();  // ticks that wait for a GPU hold up the end
    }
  } else if (has_run_.load()) {
    watch_end();
  } else if (requested_ != Request::Signal) {
    requested_ = by_signal ? Request::Signal : Request::Codelet;
  }
}

std::optional<RunStatus> ApplicationRun::status(std::chrono::milliseconds patience) const {
  // It lives as long as this, also when it is not the live one any more.
  Executor* const executor = live_executor_.load(std::memory_order_acquire);
  return executor != nullptr ? std::optional(executor->status(patience)) : std::nullopt;
}

EntityPreviews ApplicationRun::previews(const std::string& entity) const {
  Executor* const executor = live_executor_.load(std::memory_order_acquire);
  if (executor == nullptr) {
    return {};
  }
  const std::vector<LiveEntity>& entities = instance_->entities();
  const auto found = std::ranges::find_if(
      entities, [&](const LiveEntity& each) { return each.graph->name == entity; });
  if (found == entities.end()) {
    throw Error(ErrorCode::NotFound, "no entity " + quote_text(entity) +
                                         " runs on the CPU: those of CUDA graphs send no messages");
  }
  return executor->previews().ask(static_cast<std::size_t>(found - entities.begin()));
}

std::uint64_t ApplicationRun::ticks() const noexcept {
  Executor* const executor = live_executor_.load(std::memory_order_acquire);
  return executor != nullptr ? executor->ticks() : 0;
}

void ApplicationRun::notify(const Component& component) {
  if (Executor* executor = live_executor_.load(std::memory_order_acquire)) {
    executor->notify(component.entity_id());
  }
}

void ApplicationRun::log(LogLevel level, const Component& component, std::string_view text) {
  if (Log::enabled(level)) {
    const std::string& name = component.name();
    Log::write_of(level, {component.entity_name(), name.empty() ? component.type() : name}, text);
  }
}

Behavior ApplicationRun::behavior(std::uint32_t entity_id) const {
  const Executor* executor = live_executor_.load(std::memory_order_acquire);
  return executor != nullptr ? executor->behavior(entity_id) : Behavior::Unknown;
}

std::size_t ApplicationRun::messages_in(const Receiver& receiver) const {
  const Executor* const executor = live_executor_.load(std::memory_order_acquire);
  return executor != nullptr ? executor->messages_in(receiver) : waiting_in(receiver);
}

std::int64_t ApplicationRun::clock_time() const {
  const Executor* executor = live_executor_.load(std::memory_order_acquire);
  return executor != nullptr ? executor->clock_time() : 0;
}

int ApplicationRun::device_id(const Component& component) const {
  const Graph& graph = instance_->graph();
  const GraphEntity& entity = graph.entities[component.entity_id()];
  int found = default_device(graph);
  for (const ComponentId id : graph.groups[entity.group].resources) {
    if (const auto* device = dynamic_cast<const GPUDevice*>(&instance_->component(id))) {
      found = device->device_id();
      if (device->entity_id() == component.entity_id()) {
        return found;
      }
    }
  }
  return found;
}

cuda::CudaStreamPool* ApplicationRun::default_stream_pool(const Component& component) const {
  return default_pools_.streams_of(instance_->graph().entities[component.entity_id()].group);
}

cuda::CudaGreenContextPool* ApplicationRun::default_green_context_pool(
    const Component& component) const {
  return default_pools_.green_contexts_of(instance_->graph().entities[component.entity_id()].group);
}

std::optional<int> ApplicationRun::graph_device(const Component& component) const {
  const std::size_t region = region_of_[component.entity_id()];
  return region == kNoRegion ? std::nullopt
                             : std::optional(plan_.regions[region].graph->options.device);
}

std::vector<Component*> ApplicationRun::siblings(const Component& component) const {
  return instance_->components_of(component.entity_id());
}

std::vector<Component*> ApplicationRun::components() const {
  return instance_ != nullptr ? instance_->components() : std::vector<Component*>();
}

}  // namespace gxr
