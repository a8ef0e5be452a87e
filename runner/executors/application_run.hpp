#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/device_engine.hpp"
#include "executors/codelet_exchange.hpp"
#include "executors/cuda_graph/poller.hpp"
#include "executors/cuda_graph/region_runner.hpp"
#include "executors/cuda_graph/resident_control.hpp"
#include "executors/default_pools.hpp"
#include "executors/device_times.hpp"
#include "executors/end_watch.hpp"
#include "executors/executor.hpp"
#include "executors/live_changes.hpp"
#include "executors/previews.hpp"
#include "executors/restarts.hpp"
#include "executors/swaps.hpp"
#include "gxr/clock.hpp"
#include "gxr/component.hpp"
#include "gxr/report.hpp"
#include "gxr/scheduler.hpp"
#include "internal_api.hpp"
#include "plan/plan.hpp"
#include "registry/extension_loader.hpp"
#include "registry/type_catalog.hpp"
#include "runtime/instance.hpp"
#include "sdk/message_pool.hpp"
#include "sdk/waiting_messages.hpp"

namespace gxr {

class GreedyExecutor;
struct ShapeOrder;

/// One run of a planned application, from the constructors of its components to the report; it is
/// the Context of its components. Refers to plan, graph and catalog.
class ApplicationRun final : public Context, public ReceiverCounts {
 public:
  /// Has it an EpochScheduler?
  static bool can_run_epochs(const Plan& plan);

  GXR_INTERNAL_API ApplicationRun(const Plan& plan, const TypeCatalog& catalog,
                                  ExecutorOptions options);
  GXR_INTERNAL_API ~ApplicationRun() override;

  /// Has operators with two implementations run both and compare. Call before anything runs.
  void set_verify(bool on) noexcept { verify_ = on; }
  /// Has it run components that were made when the plan was completed; null: it makes them. Call
  /// before anything runs.
  void take_components(std::unique_ptr<Instance> made) noexcept { made_ = std::move(made); }
  /// For programs that run nothing else: work on all streams of the process is waited for in the
  /// end, and `abandon` ends the process when the run does not return although the GPU work that it
  /// waits for was given up. Call before anything runs.
  GXR_INTERNAL_API void run_alone(EndWatch::Abandon abandon);
  /// Has the CUDA graphs drawn when they are built, each to the file of its region; empty names
  /// draw nothing. Call before anything runs.
  void set_dot_files(std::vector<std::string> by_region) { dot_files_ = std::move(by_region); }
  /// Makes, initialises, runs and deinitialises everything on the calling thread. Call once.
  /// Whatever a component throws is in the report; throws Error only when an extension cannot be
  /// loaded.
  GXR_INTERNAL_API Report run();
  /// The first part of run(), which may go on on another thread: makes and initialises everything.
  /// Throws Error with what a component throws, and what run() throws; end_epochs() has it, too.
  void begin();
  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }
  /// After begin(): nullptr when there is none of this number.
  [[nodiscard]] Component* component(ComponentId id) const noexcept;
  /// The same in steps, on the calling thread, for plans that can_run_epochs(): everything is made
  /// and initialised, then run epoch by epoch (see Application::run_epoch), then stopped.
  void begin_epochs();
  bool run_epoch(double budget_ms);
  Report end_epochs();
  /// Who runs the epochs, and what: between begin_epochs() and end_epochs().
  [[nodiscard]] GreedyExecutor& epoch_executor() noexcept { return *epochs_; }
  [[nodiscard]] Instance& instance() noexcept { return *instance_; }
  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  [[nodiscard]] const TypeCatalog& catalog() const noexcept { return catalog_; }
  /// Those of the plan's graph, which must outlive the run. Operators are exchanged only with them.
  /// Call before anything runs.
  void set_sources(const SourceMap& sources) noexcept { exchange_.set_sources(sources); }
  /// Who exchanges operators meanwhile.
  [[nodiscard]] Swaps& swaps() noexcept { return swaps_; }
  /// What a program may change meanwhile.
  [[nodiscard]] LiveChanges& changes() noexcept { return changes_; }
  /// Of a region that loops on a GPU; nullptr: there is none of this name. Any thread.
  [[nodiscard]] std::shared_ptr<ResidentControl> control(const std::string& region) const;
  /// Ends the run in order. Callable from any thread at any time, not from a signal handler.
  void interrupt_by_signal() noexcept { interrupt(true); }
  /// What the entities do now; nothing before they start and when they are being stopped. Callable
  /// from any thread but that of run(). See Executor::status().
  [[nodiscard]] GXR_INTERNAL_API std::optional<RunStatus> status(
      std::chrono::milliseconds patience) const;
  /// The last messages of an entity whose codelets the executor runs. Asks for more in the next
  /// seconds. Nothing before the entities start. Any thread. Throws Error(NotFound) for an entity
  /// that is none of them.
  [[nodiscard]] GXR_INTERNAL_API EntityPreviews previews(const std::string& entity) const;
  /// All ticks so far, at the cost of a load for each entity. Any thread.
  [[nodiscard]] GXR_INTERNAL_API std::uint64_t ticks() const noexcept;
  /// Did the executor run and end? Any thread.
  [[nodiscard]] bool has_run() const noexcept { return has_run_.load(); }
  /// How far the run has come. Any thread.
  [[nodiscard]] RunPhase phase() const noexcept {
    return has_run_.load()                                             ? RunPhase::Stopping
           : live_executor_.load(std::memory_order_acquire) != nullptr ? RunPhase::Running
                                                                       : RunPhase::Starting;
  }

  /// For the program that embeds the engine. Any thread.
  Message new_message_of_program() { return pool_->make(MessagePool::kProgram); }

  // Context
  Message new_message() override;
  Message new_message_for(const Component& maker) override;
  void interrupt() override { interrupt(false); }
  void notify(const Component& component) override;
  void log(LogLevel level, const Component& component, std::string_view text) override;
  [[nodiscard]] Behavior behavior(std::uint32_t entity_id) const override;
  [[nodiscard]] std::int64_t clock_time() const override;
  [[nodiscard]] bool compat_gxf() const override { return options_.compat_gxf; }
  [[nodiscard]] int device_id(const Component& component) const override;
  [[nodiscard]] cuda::CudaStreamPool* default_stream_pool(
      const Component& component) const override;
  [[nodiscard]] cuda::CudaGreenContextPool* default_green_context_pool(
      const Component& component) const override;
  [[nodiscard]] std::optional<int> graph_device(const Component& component) const override;
  [[nodiscard]] std::vector<Component*> siblings(const Component& component) const override;
  [[nodiscard]] std::vector<Component*> components() const override;
  [[nodiscard]] bool verify() const override { return verify_; }
  void count_verified(const Component& component) override;

  // ReceiverCounts
  [[nodiscard]] std::size_t messages_in(const Receiver& receiver) const override;

 private:
  enum class Request : std::uint8_t { None, Codelet, Signal };

  GXR_INTERNAL_API void interrupt(bool by_signal) noexcept;
  void deactivate(Report& report);
  void watch_end() noexcept;
  void settle_end(Report& report);
  void deactivate_late() noexcept;
  void prepare_or_fail();
  void fail_to_begin(Failure failure);
  void warn_of_kept_messages();
  [[nodiscard]] std::string maker_text(std::uint32_t maker) const;
  void leave_everything() noexcept;
  [[nodiscard]] VerifiedResults verified_results();
  void prepare();
  void make_everything();
  void make_components();
  void make_region_runners();
  std::unique_ptr<RegionRunner> make_region_runner(const Region& region);
  void make_executor(const Region& region);
  Clock& clock_for(const Scheduler* scheduler);
  void publish_executor();
  void allow_exchanges();
  void end_exchanges() noexcept;

  const Plan& plan_;
  const TypeCatalog& catalog_;
  const std::vector<std::size_t> region_of_;  // by entity, as in graph_regions_of_entities()
  ExecutorOptions options_;
  bool verify_ = false;
  bool checks_captures_ = false;  // for work on streams that are not captured
  bool gpu_hangs_ = false;
  bool is_alone_ = false;
  bool deactivated_ = false;
  std::vector<std::string> dot_files_;
  LiveChanges changes_;
  std::unique_ptr<ExtensionLoader> loader_;
  CodeletExchange exchange_;
  Swaps swaps_;
  Restarts restarts_;
  std::unique_ptr<MessagePool> pool_;
  std::optional<NoLegacyStream> no_legacy_stream_;
  std::unique_ptr<Clock> own_clock_;  // when the scheduler names none
  Poller poller_;
  std::chrono::nanoseconds end_patience_;
  EndWatch end_watch_;
  std::map<std::string, std::shared_ptr<ResidentControl>> controls_;  // by region
  std::unique_ptr<ShapeOrder> shape_order_;                           // with CUDA graphs
  // Behind the instance, whose messages have their memory.
  std::vector<std::unique_ptr<RegionRunner>> region_runners_;
  std::unique_ptr<Instance> made_;  // of take_components(), until they are instance_
  std::unique_ptr<Instance> instance_;
  DefaultPools default_pools_;
  std::unique_ptr<DeviceTimes> device_times_;  // with --stats or --trace
  std::unique_ptr<Executor> executor_;
  bool in_epochs_ = false;            // begin_epochs() was called
  bool has_begun_ = false;            // begin() was called, and did not throw
  GreedyExecutor* epochs_ = nullptr;  // executor_, while it runs epochs
  Report epoch_report_;

  std::mutex verified_mutex_;                                // guards verified_
  std::unordered_map<ComponentId, std::uint64_t> verified_;  // results by operator

  std::mutex mutex_;                   // guards requested_ and the publishing of executor_
  Request requested_ = Request::None;  // before there is an executor
  std::atomic<Executor*> live_executor_{nullptr};
  std::atomic<bool> has_run_{false};
};

}  // namespace gxr
