#include "executors/cuda_graph/resident_control.hpp"

#include <thread>

#include "executors/cuda_graph/resident_embedding.hpp"
#include "gxr/error.hpp"
#include "gxr/resident_graph.hpp"

namespace gxr {

void ResidentControl::attach(ResidentRunner& runner) noexcept {
  runner_.store(&runner, std::memory_order_release);
  closing_.store(false, std::memory_order_release);
}

void ResidentControl::detach() {
  closing_.store(true, std::memory_order_release);  // no thread begins another call
  const std::lock_guard lock(mutex_);
  runner_.store(nullptr, std::memory_order_release);
}

void ResidentControl::fail(std::string why) {
  const std::lock_guard lock(failure_mutex_);
  failure_ = std::move(why);
  failed_.store(!failure_.empty(), std::memory_order_release);
}

std::string ResidentControl::failure() {
  const std::lock_guard lock(failure_mutex_);
  return failure_;
}

void ResidentControl::throw_not_launched() const {
  throw Error(ErrorCode::InvalidState,
              "region '" + name_ + "' is not launched: its application does not run, or not yet");
}

void ResidentControl::with(const std::function<void(ResidentRunner&)>& use) {
  if (is_closing() && !failed_.load(std::memory_order_acquire)) {
    throw_not_launched();
  }
  const std::shared_lock lock(mutex_);
  if (failed_.load(std::memory_order_acquire)) {
    throw Error(ErrorCode::Device, failure());
  }
  ResidentRunner* const runner = runner_.load(std::memory_order_acquire);
  if (runner == nullptr) {
    throw_not_launched();
  }
  use(*runner);
}

bool ResidentControl::if_there(const std::function<bool(ResidentRunner&)>& use) {
  if (is_closing()) {
    return false;
  }
  const std::shared_lock lock(mutex_);
  ResidentRunner* const runner = runner_.load(std::memory_order_acquire);
  return runner != nullptr && !failed_.load(std::memory_order_acquire) && use(*runner);
}

ResidentGraph::ResidentGraph(std::shared_ptr<ResidentControl> control) noexcept
    : control_(std::move(control)) {}

const std::string& ResidentGraph::name() const noexcept { return control_->name(); }

bool ResidentGraph::is_launched() const {
  return control_->if_there(
      [](ResidentRunner& runner) { return runner.embedding().is_launched(); });
}

bool ResidentGraph::wait_until_launched(std::chrono::nanoseconds timeout) const {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!is_launched()) {
    if (std::chrono::steady_clock::now() >= end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

void ResidentGraph::data_ready() {
  control_->with([](ResidentRunner& runner) { runner.embedding().ring(); });
}

bool ResidentGraph::result_ready() const {
  bool ready = false;
  control_->with([&](ResidentRunner& runner) { ready = runner.embedding().has_all_results(); });
  return ready;
}

std::uint64_t ResidentGraph::results() const {
  std::uint64_t results = 0;
  control_->with([&](ResidentRunner& runner) { results = runner.embedding().results(); });
  return results;
}

void ResidentGraph::tear_down(GraphStop how) {
  control_->with([&](ResidentRunner& runner) { runner.embedding().tear_down(how); });
}

void ResidentGraph::begin_tear_down(GraphStop how) {
  control_->with([&](ResidentRunner& runner) { runner.embedding().begin_tear_down(how); });
}

GraphPort ResidentGraph::input(std::string_view port) const {
  GraphPort found;
  control_->with([&](ResidentRunner& runner) { found = runner.embedding().input(port); });
  return found;
}

GraphPort ResidentGraph::output(std::string_view port) const {
  GraphPort found;
  control_->with([&](ResidentRunner& runner) { found = runner.embedding().output(port); });
  return found;
}

void ResidentGraph::launch() {
  control_->with([](ResidentRunner& runner) { runner.embedding().launch_again(); });
}

void ResidentGraph::set_timeout(std::chrono::nanoseconds timeout) {
  control_->with([&](ResidentRunner& runner) { runner.embedding().set_timeout(timeout); });
}

void ResidentGraph::set_sleep_interval(std::chrono::nanoseconds interval) {
  control_->with([&](ResidentRunner& runner) { runner.embedding().set_sleep_interval(interval); });
}

}  // namespace gxr
