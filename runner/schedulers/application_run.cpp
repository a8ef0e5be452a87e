#include "schedulers/application_run.hpp"

#include <string>

#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "schedulers/greedy_executor.hpp"

namespace gxr {
namespace {

const std::string kEngine = "gxr";
const std::string kNoName;

/// Makes a component that no file names, with the defaults of its parameters.
template <class T>
std::unique_ptr<T> make_with_defaults(Context& context) {
  auto component = std::make_unique<T>();
  component->attach({&context, &kNoName, &kEngine, &kEngine, kNone, kNone});
  Interface interface;
  component->declare(interface);
  component->initialize();
  return component;
}

}  // namespace

ApplicationRun::ApplicationRun(const Plan& plan, const TypeCatalog& catalog,
                               ExecutorOptions options)
    : plan_(plan),
      catalog_(catalog),
      options_(options),
      loader_(std::make_unique<ExtensionLoader>(catalog)),
      pool_(std::make_unique<MessagePool>()) {}

ApplicationRun::~ApplicationRun() {
  executor_.reset();
  if (instance_ != nullptr) {
    instance_->destroy_all_but_allocators();
  }
  if (pool_->outstanding() > 0) {
    // Somebody outside the application still holds messages, whose memory is the pool's and the
    // allocators'.
    Log::write(LogLevel::Warn, "messages outlive the application that made them");
    static_cast<void>(instance_.release());
    static_cast<void>(pool_.release());
  }
}

Report ApplicationRun::run() {
  Report report;
  try {
    prepare();
  } catch (const ComponentFailure& failure) {
    report.failures.push_back(failure.failure());
  }
  if (report.failures.empty()) {
    try {
      executor_->run(report);
    } catch (...) {
      report.failures.push_back(current_failure({"run", {}, {}, "gxr"}));
    }
  }
  live_executor_.store(nullptr, std::memory_order_release);
  if (instance_ != nullptr) {
    const std::int64_t now = executor_ != nullptr ? executor_->clock_time() : 0;
    instance_->deactivate(now, report.failures);
  }
  if (!report.failures.empty()) {
    report.reason = EndReason::Failed;
  }
  return report;
}

void ApplicationRun::prepare() {
  instance_ = std::make_unique<Instance>(*plan_.graph, plan_, catalog_, *loader_, *this);
  instance_->initialize();
  make_executor();
  publish_executor();
}

void ApplicationRun::make_executor() {
  const Region& region = plan_.regions.front();
  const GreedyScheduler* scheduler = nullptr;
  if (region.declared_by != kNone) {
    scheduler = dynamic_cast<GreedyScheduler*>(&instance_->component(region.declared_by));
  }
  if (scheduler == nullptr) {
    auto made = make_with_defaults<GreedyScheduler>(*this);
    scheduler = made.get();
    own_scheduler_ = std::move(made);
  }
  Clock* clock = scheduler->clock();
  if (clock == nullptr) {
    // GXF's deprecated parameter; without it, and without a clock, real time is what a user
    // expects.
    own_clock_ = scheduler->realtime().value_or(true)
                     ? std::unique_ptr<Clock>(make_with_defaults<RealtimeClock>(*this))
                     : std::unique_ptr<Clock>(make_with_defaults<ManualClock>(*this));
    clock = own_clock_.get();
  }
  executor_ = std::make_unique<GreedyExecutor>(*instance_, *scheduler, *clock, *pool_, options_);
}

void ApplicationRun::publish_executor() {
  const std::lock_guard lock(mutex_);
  live_executor_.store(executor_.get(), std::memory_order_release);
  if (requested_ != Request::None) {
    executor_->interrupt(requested_ == Request::Signal);
  }
}

void ApplicationRun::interrupt(bool by_signal) noexcept {
  const std::lock_guard lock(mutex_);
  if (Executor* executor = live_executor_.load(std::memory_order_acquire)) {
    executor->interrupt(by_signal);
  } else if (requested_ != Request::Signal) {
    requested_ = by_signal ? Request::Signal : Request::Codelet;
  }
}

void ApplicationRun::notify(const Component& component) {
  if (Executor* executor = live_executor_.load(std::memory_order_acquire)) {
    executor->notify(component.entity_id());
  }
}

void ApplicationRun::log(LogLevel level, const Component& component, std::string_view text) {
  if (Log::enabled(level)) {
    Log::write(level, component.full_name() + ": " + std::string(text));
  }
}

Behavior ApplicationRun::behavior(std::uint32_t entity_id) const {
  const Executor* executor = live_executor_.load(std::memory_order_acquire);
  return executor != nullptr ? executor->behavior(entity_id) : Behavior::Unknown;
}

std::int64_t ApplicationRun::clock_time() const {
  const Executor* executor = live_executor_.load(std::memory_order_acquire);
  return executor != nullptr ? executor->clock_time() : 0;
}

std::vector<Component*> ApplicationRun::siblings(const Component& component) const {
  return instance_->components_of(component.entity_id());
}

}  // namespace gxr
