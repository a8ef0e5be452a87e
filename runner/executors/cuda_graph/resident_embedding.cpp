#include "executors/cuda_graph/resident_embedding.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "executors/cuda_graph/resident_changes.hpp"
#include "executors/cuda_graph/resident_ending.hpp"
#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "executors/cuda_graph/resident_watch.hpp"
#include "graph/text.hpp"
#include "gxr/error.hpp"
#include "observe/chaos.hpp"

namespace gxr {
namespace {

[[noreturn]] void throw_no_port(const Graph& graph, const std::string& region,
                                std::string_view port, const char* kind,
                                const std::vector<ComponentId>& known) {
  std::string names;
  for (const ComponentId each : known) {
    names += (names.empty() ? "" : ", ") + in_quotes(graph.full_name(graph.components[each]));
  }
  throw Error(ErrorCode::InvalidArgument,
              in_quotes(port) + " is no " + kind + " of region " + in_quotes(region) +
                  (names.empty() ? ", which has none" : "; there are " + names));
}

}  // namespace

bool ResidentRunner::Embedding::is_launched() {
  const std::lock_guard guard(runner_.mutex_);
  try {
    note_end_of_tear_down();
  } catch (const Error&) {
    return false;  // the device has failed, which all other calls are told
  }
  return runner_.session_.is_open() || runner_.session_.is(SessionState::TearingDown);
}

void ResidentRunner::Embedding::note_end_of_tear_down() {
  if (runner_.session_.is(SessionState::TearingDown) && !runner_.ending_->is_running()) {
    runner_.ending_->note_end();
  }
}

void ResidentRunner::Embedding::require_running() const {
  if (!runner_.session_.is_open()) {
    throw Error(ErrorCode::InvalidState,
                "region '" + runner_.region().name() + "' " +
                    (runner_.session_.was_torn_down() ? "was torn down" : "has ended") +
                    ", and was not launched again");
  }
}

void ResidentRunner::Embedding::require_torn_down() {
  note_end_of_tear_down();
  if (!runner_.session_.is(SessionState::TornDown)) {
    throw Error(ErrorCode::InvalidState, "region '" + runner_.region().name() +
                                             (runner_.session_.is(SessionState::TearingDown)
                                                  ? "' has not ended yet, after it was told to"
                                                  : "' was not torn down"));
  }
}

void ResidentRunner::Embedding::require_open() const {
  if (runner_.control_->is_closing()) {
    throw Error(ErrorCode::InvalidState,
                "region '" + runner_.region().name() + "' ends: its application does");
  }
}

void ResidentRunner::Embedding::require_driven_by_program() const {
  if (!runner_.region().options().host_driven) {
    throw Error(ErrorCode::InvalidState,
                "region '" + runner_.region().name() +
                    "' begins its iterations by itself; 'host_driven: true' lets a program do it");
  }
}

void ResidentRunner::Embedding::ring() {
  require_driven_by_program();
  const std::lock_guard guard(runner_.mutex_);
  require_running();
  if (!runner_.session_.changes()) {
    runner_.inlets_->give_ring();
  }
  chaos();
  runner_.inlets_->account().ring();
  // So that a failure is noticed. The poller need not hurry: no thread waits for it.
  runner_.news_.expect_until(runner_.busy_until(runner_.loop_->control().finished()));
  if (runner_.outlets_->account().has_any()) {
    runner_.news_.notify();  // results are to be published
  }
}

bool ResidentRunner::Embedding::has_all_results() {
  const std::lock_guard guard(runner_.mutex_);
  if (!runner_.session_.was_torn_down()) {
    require_running();
  }
  const std::uint64_t rung = runner_.inlets_->account().rung();
  return rung > 0 && runner_.loop_->control().finished() >= rung;
}

std::uint64_t ResidentRunner::Embedding::results() {
  const std::lock_guard guard(runner_.mutex_);
  return runner_.loop_->control().finished();
}

GraphPort ResidentRunner::Embedding::port_of(TensorId tensor) const {
  return {.address = runner_.region().buffers.at(tensor).begin,
          .spec = *runner_.region().graph().tensors[tensor].spec,
          .slots = 1,
          .device = runner_.region().options().device};
}

GraphPort ResidentRunner::Embedding::input(std::string_view port) const {
  require_driven_by_program();
  const Graph& graph = *runner_.region().plan.graph;
  const std::lock_guard guard(runner_.mutex_);
  std::vector<ComponentId> known;
  const std::vector<GraphTensor>& tensors = runner_.region().graph().tensors;
  for (TensorId id = 0; id < tensors.size(); ++id) {
    if (!tensors[id].by_program) {
      continue;
    }
    known.push_back(tensors[id].receivers.front());
    if (graph.full_name(graph.components[known.back()]) == port) {
      return port_of(id);
    }
  }
  throw_no_port(graph, runner_.region().name(), port, "input that the program writes", known);
}

GraphPort ResidentRunner::Embedding::output(std::string_view port) const {
  require_driven_by_program();
  const Graph& graph = *runner_.region().plan.graph;
  const std::lock_guard guard(runner_.mutex_);
  std::vector<ComponentId> known;
  const auto is_it = [&](ComponentId transmitter) {
    known.push_back(transmitter);
    return graph.full_name(graph.components[transmitter]) == port;
  };
  const std::vector<GraphTensor>& tensors = runner_.region().graph().tensors;
  for (TensorId id = 0; id < tensors.size(); ++id) {
    if (tensors[id].transmitter == kNone) {
      continue;
    }
    if (is_it(tensors[id].transmitter) ||
        std::ranges::any_of(tensors[id].in_turn, is_it, &TensorWriter::transmitter)) {
      return port_of(id);
    }
  }
  throw_no_port(graph, runner_.region().name(), port, "output", known);
}

void ResidentRunner::Embedding::ask_to_end(GraphStop how) {
  require_running();
  runner_.session_.on(SessionEvent::TearDownAsked);
  runner_.ending_->tell(how);
}

void ResidentRunner::Embedding::begin_tear_down(GraphStop how) {
  {
    const std::lock_guard guard(runner_.mutex_);
    ask_to_end(how);
    end_is_awaited_ = true;
  }
  runner_.news_.wake();
}

void ResidentRunner::Embedding::tear_down(GraphStop how) {
  std::unique_lock lock(runner_.mutex_);
  const bool is_begun = std::exchange(end_is_awaited_, false);
  if (is_begun && runner_.session_.is(SessionState::TornDown)) {
    return;
  }
  if (!runner_.session_.is(SessionState::TearingDown)) {
    ask_to_end(how);
  }
  if (!runner_.ending_->wait(&lock, kPatience, true)) {  // while results are published
    require_open();
    const bool has_stalled = runner_.session_.is(SessionState::Stalled);
    runner_.ending_->throw_does_not_end("a kernel of it hangs, or nobody takes its results",
                                        has_stalled ? std::chrono::nanoseconds(0) : kPatience);
  }
  runner_.ending_->note_end();
}

/// Results of before a tear_down() are passed on before anything else is; `lock` is open
/// meanwhile.
void ResidentRunner::Embedding::wait_for_results(std::unique_lock<std::mutex>& lock) {
  const ResultAccount& results = runner_.outlets_->account();
  const std::uint64_t finished = runner_.loop_->control().finished();
  std::uint64_t seen = results.published();
  auto end = std::chrono::steady_clock::now() + kPatience;
  while (results.unpublished(finished) > 0) {
    if (results.published() != seen) {
      seen = results.published();
      end = std::chrono::steady_clock::now() + kPatience;
    }
    require_open();
    if (std::chrono::steady_clock::now() > end) {
      throw Error(ErrorCode::InvalidState,
                  "region '" + runner_.region().name() + "' is not launched again: nobody takes " +
                      std::to_string(results.unpublished(finished)) + " results of before");
    }
    lock.unlock();
    runner_.news_.notify();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    lock.lock();
  }
}

void ResidentRunner::Embedding::launch_again() {
  {
    std::unique_lock lock(runner_.mutex_);
    require_torn_down();
    wait_for_results(lock);
    require_torn_down();  // another thread may have launched it meanwhile
    end_is_awaited_ = false;
    runner_.launch();
  }
  runner_.news_.wake();
}

void ResidentRunner::Embedding::set_timeout(std::chrono::nanoseconds timeout) {
  const std::lock_guard guard(runner_.mutex_);
  runner_.watch_->set_timeout(timeout);
}

void ResidentRunner::Embedding::set_sleep_interval(std::chrono::nanoseconds interval) {
  const std::lock_guard guard(runner_.mutex_);
  runner_.sleep_interval_ = interval;
  runner_.loop_->control().set_sleep_interval(interval);
}

}  // namespace gxr
