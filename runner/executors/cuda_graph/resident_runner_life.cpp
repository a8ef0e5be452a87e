// How a loop that runs is watched, measured, given other parameters, and ended.

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "executors/cuda_graph/resident_runner.hpp"
#include "gxr/error.hpp"
#include "plan/step_order.hpp"

namespace gxr {
namespace {

/// How long an iteration may stand before CUDA is asked why.
constexpr std::chrono::nanoseconds kPause = std::chrono::milliseconds(5);
/// When that has been noticed before.
constexpr std::chrono::nanoseconds kShortPatience = std::chrono::milliseconds(100);
/// Iterations whose measures are kept.
constexpr std::size_t kMostMeasured = 4096;

std::string milliseconds(std::chrono::nanoseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace

/// What takes too long to be asked each time: has it failed, or run for too long?
void ResidentRunner::look_after_loop() {
  // CUDA takes microseconds to say what a loop that goes on shows by itself.
  const std::uint64_t finished = loop_->finished();
  const bool goes_on = std::exchange(looked_after_, finished) != finished;
  try {
    // While it changes it is launched again.
    if (runs_ && !goes_on && !loop_->is_running() && !changing_) {
      runs_ = false;
      limit_ = std::min(limit_, loop_->finished());
    }
  } catch (const Error& error) {
    fail(error);
  }
  if (runs_ && !is_over_ && timeout_.count() > 0 &&
      std::chrono::steady_clock::now() - began_ >= timeout_) {
    log_info("region '" + region_name() + "' has run for its timeout and ends");
    is_over_ = true;
    changing_ = false;
    end_loop(graph().options.on_stop);
  }
}

/// The loop failed: with the operator it was in, if that is known.
void ResidentRunner::fail(const Error& error) {
  runs_ = false;
  has_failed_ = true;
  const std::string text =
      "region '" + region_name() + "': " + error.message() + place_of_failure();
  control_->fail(text);
  throw Error(error.code(), text);
}

/// An iteration that takes too long fails the run. Asked whenever the entity is looked at, which is
/// soon again while the loop works on something.
void ResidentRunner::require_progress(std::uint64_t finished, bool busy) {
  // A look that finds nothing is progress, too.
  const bool looks = !graph().handlers.empty();
  const Progress progress{finished, looks ? loop_->heartbeat() : 0};
  const bool stands = busy && was_busy_ && progress == progress_;
  was_busy_ = busy;
  progress_ = progress;
  if (!stands) {
    stands_since_.reset();
    return;
  }
  const std::chrono::nanoseconds watchdog = graph().options.watchdog;
  if (watchdog.count() == 0 || has_tripped_) {
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (!stands_since_) {
    stands_since_ = now;
  }
  if (now - *stands_since_ < kPause) {
    return;
  }
  if (waits_for_others(finished)) {
    stands_since_ = now - kPause;
    return;
  }
  if (now - *stands_since_ < watchdog) {
    return;
  }
  has_tripped_ = true;
  const std::string text = hang_text() + place_of_failure();
  control_->fail(text);
  throw Error(ErrorCode::Device, text);
}

/// Does the loop stand since work of others on the GPU is not done?
bool ResidentRunner::waits_for_others(std::uint64_t finished) {
  if (!graph().handlers.empty()) {
    return false;  // it would look meanwhile
  }
  try {
    return waits_for_inputs(finished) || waits_for_room(finished);
  } catch (const Error& error) {
    fail(error);
  }
}

/// For inputs that it was given, but that are still being made.
bool ResidentRunner::waits_for_inputs(std::uint64_t finished) {
  bool any_comes = false;
  bool any_is_there = false;
  for (std::size_t i = 0; i < inputs().size(); ++i) {
    const Accepted& accepted = accepted_[i];
    const std::uint64_t next = taken(i, finished);
    if (next < accepted.count) {
      const bool is_there =
          in_stream_->get().is_done(accepted.copied[next % accepted.copied.size()]);
      any_is_there = any_is_there || is_there;
      any_comes = any_comes || !is_there;
    }
  }
  return any_comes && !(takes_any() && any_is_there);
}

/// For the copy of an old result, which may be behind the work of those that use its memory.
bool ResidentRunner::waits_for_room(std::uint64_t finished) {
  const std::uint64_t slots = graph().options.slots;
  if (outputs().empty() || finished < slots) {
    return false;
  }
  return !out_stream_->get().is_done(made_room_[(finished - slots) % made_room_.size()]);
}

/// Has something to be done about inputs that have no message in time?
bool ResidentRunner::are_inputs_late(std::uint64_t finished) {
  if (!late_inputs_ || loop_ == nullptr) {
    return false;
  }
  const std::uint64_t given = accepted_.front().count;
  const bool has_room = runs_ && !is_over_ && !changing_ && given < limit_ &&
                        given - finished < graph().options.slots;
  const auto with = static_cast<std::size_t>(std::ranges::count_if(inputs(), has_input));
  const bool late = late_inputs_->look(has_room, with, inputs().size(), LateInputs::Clock::now());
  if (late_at_.exchange(late_inputs_->due_at(), std::memory_order_acq_rel) >
      late_inputs_->due_at()) {
    poller_.remind_anew();
  }
  if (!late || graph().options.missing_data != MissingData::Fault) {
    return late;
  }
  if (!outputs().empty() && published_ < given) {
    return false;  // first what was given is worked on and passed on
  }
  fail_for_late_inputs();
}

void ResidentRunner::fail_for_late_inputs() const {
  std::string names;
  for (const Input& input : inputs()) {
    if (!has_input(input)) {
      names += (names.empty() ? "" : ", ") + RegionPorts::name_of(input);
    }
  }
  throw Error(ErrorCode::NotAvailable, "region '" + region_name() + "' has had no message at " +
                                           names + " for " +
                                           milliseconds(graph().options.input_timeout) +
                                           " ms ('input_timeout_ms', 'missing_data: fault')");
}

void ResidentRunner::go_on_without_late_inputs() {
  std::vector<Message> messages(inputs().size());
  for (std::size_t i = 0; i < inputs().size(); ++i) {
    if (has_input(inputs()[i])) {
      messages[i] = RegionPorts::receive(
          inputs()[i], [](Receiver& receiver) { return receiver.receive_unfinished(); });
    } else if (!last_.empty()) {
      messages[i] = last_[i];
    }
  }
  // Others may have come by now.
  const bool has_all = std::ranges::all_of(messages, [](const Message& each) { return !!each; });
  if (has_all || graph().options.missing_data == MissingData::Hold) {
    give(messages);
  } else {
    skipped_ += static_cast<std::uint64_t>(std::ranges::count_if(
        messages, [](const Message& each) { return static_cast<bool>(each); }));
    late_inputs_->given(LateInputs::Clock::now());
  }
}

/// Of all launches.
std::vector<MeasuredIteration> ResidentRunner::measured() {
  std::vector<MeasuredIteration> all = measured_;
  std::ranges::move(loop_->measured(), std::back_inserter(all));
  return all;
}

std::string ResidentRunner::place_of_failure() {
  const std::uint64_t iteration = loop_->finished();
  const std::string entered = measured_operators(measured()).entered(iteration);
  const std::string number = std::to_string(iteration + 1);
  if (!entered.empty()) {
    return "; in iteration " + number + ", in operator " + entered;
  }
  for (StepId step = 0; step < graph().steps.size(); ++step) {
    if (runs_beside(graph(), step)) {
      return "; in iteration " + number + ", or in what was launched beside it";
    }
  }
  const GraphOptions& options = graph().options;
  std::string place = "; in iteration " + number;
  if (options.instrument_every != 1) {
    const bool has_one_body =
        options.loop == GraphLoop::HeadTail || options.loop == GraphLoop::TailLaunch;
    place += std::string("; with 'instrument_every: 1'") +
             (has_one_body ? " and 'loop: auto'" : "") + " it is known in which operator";
  }
  return place;
}

/// Tells the loop to end: when the inputs are worked on that are there, or at once.
void ResidentRunner::end_loop(GraphStop how) {
  const bool gpu_counts = takes_any() || !graph().handlers.empty();
  if (how == GraphStop::Drain && graph().options.host_driven) {
    give_rings();
  }
  if (how == GraphStop::Drain && gpu_counts) {
    try {
      in_stream_->finish();  // what is still being copied is there, too
    } catch (const Error&) {
      loop_->set_limit(0);  // it never will be
      throw;
    }
    loop_->drain();
    return;
  }
  std::uint64_t end = 0;
  if (how == GraphStop::Drain) {
    end = std::min(limit_, inputs().empty() ? rung_ : accepted_.front().count);
  }
  loop_->set_limit(end);
}

/// Have new values been set? What kernels read from memory they get at once. If there are others,
/// nothing more is given to the loop until it has them.
void ResidentRunner::look_for_changes() {
  if (changing_ || !runs_ || is_over_ || (!program().has_news() && program().edits().empty())) {
    return;
  }
  program().want(program().take());
  if (nodes_to_replace().empty()) {
    if (program().has_new_parameters()) {
      loop_->set_parameters(RegionBuffers::parameters_of(program().wanted()));
      ++parameter_sets_;
      tell_edits(to_text(EditCost::Parameters));
    }
    program().applied();
    return;
  }
  changing_ = true;
  if (!inputs().empty()) {
    change_at_ = std::min(limit_, accepted_.front().count);
  } else if (graph().options.host_driven) {
    change_at_ = std::min(limit_, put_);
  } else {
    // It works on without anybody: soon an iteration is the last one.
    loop_->set_limit(0);
    if (!wait_for_end(nullptr, kPatience)) {
      throw_does_not_end("a kernel of it hangs", kPatience);
    }
    runs_ = true;
    change_at_ = loop_->finished();
  }
  news_from_.store(std::min(change_at_, news_from_.load()), std::memory_order_release);
}

/// Tells the loop of those iterations that the program asked for while it changed.
void ResidentRunner::give_rings() {
  for (; put_ < rung_; ++put_) {
    loop_->put(0, nullptr, true, in_stream_->get());
  }
}

bool ResidentRunner::can_change(std::uint64_t finished) const noexcept {
  return changing_ && !is_over_ && finished >= change_at_ &&
         (outputs().empty() || published_ == finished);
}

/// Nothing is switched off in a loop but by another capture.
std::vector<NodeId> ResidentRunner::nodes_to_replace() const {
  return program().nodes_to_replace([](NodeId /*node*/) { return false; });
}

/// The loop goes on with the new values. All that it was given has been worked on and published.
/// Nobody else may tell the loop anything meanwhile.
void ResidentRunner::change() {
  loop_->set_limit(change_at_);
  if (!wait_for_end(nullptr, kPatience)) {
    throw_does_not_end("a kernel of it hangs", kPatience);
  }
  finish_streams();
  changing_ = false;
  program().want(program().take());
  for (const NodeId node : nodes_to_replace()) {
    replace(node, program().wanted().nodes[node].enabled, *loop_);
  }
  tell_edits(to_text(EditCost::Restart) + " at iteration " + std::to_string(loop_->finished()));
  program().applied();
  const std::uint64_t done = loop_->finished();
  if (done >= limit_) {
    return;  // that was all
  }
  ++changes_;
  keep_measures();
  buffers().write_parameters(program().running());
  loop_->instantiate();
  loop_->launch_from(done, limit_);
  runs_ = true;
  if (graph().options.host_driven) {
    give_rings();
  }
  was_busy_ = false;  // its time begins now
  news_from_.store(first_news(), std::memory_order_release);
  expects_.store(is_busy(done), std::memory_order_release);
}

/// What the next launch forgets.
void ResidentRunner::keep_measures() {
  const DeviceLoopReport report = loop_->report();
  ran_ns_ += report.duration_ns;
  late_ += report.late;
  std::ranges::move(loop_->measured(), std::back_inserter(measured_));
  if (measured_.size() > kMostMeasured) {
    measured_.erase(measured_.begin(),
                    measured_.end() - static_cast<std::ptrdiff_t>(kMostMeasured));
  }
}

/// Returns when the loop has ended; `lock` is open meanwhile, if there is one. False: nothing has
/// happened for long, or the application ends while this is for a program that has it running.
bool ResidentRunner::wait_for_end(std::unique_lock<std::mutex>* lock,
                                  std::chrono::nanoseconds patience, bool while_it_runs) {
  patience = has_tripped_ ? kShortPatience : patience;
  auto end = std::chrono::steady_clock::now() + patience;
  bool for_siblings = false;
  std::uint64_t seen = loop_->finished();
  const auto is_running = [&] {
    try {
      return loop_->is_running();
    } catch (const Error& error) {
      fail(error);
    }
  };
  while (is_running()) {
    if (lock != nullptr) {
      lock->unlock();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    if (lock != nullptr) {
      lock->lock();
    }
    const auto now = std::chrono::steady_clock::now();
    if (const std::uint64_t finished = loop_->finished(); finished != seen) {
      seen = finished;
      end = now + patience;
    }
    if (!for_siblings && !has_tripped_ && loop_->waits_for_siblings()) {
      // Whoever launches what takes long says so.
      for_siblings = true;
      patience = graph().options.watchdog;
      end = now + patience;
    }
    if ((now > end && patience.count() > 0) || (while_it_runs && control_->is_closing())) {
      return false;
    }
  }
  runs_ = false;
  return true;
}

void ResidentRunner::throw_does_not_end(const char* why, std::chrono::nanoseconds patience) const {
  if (loop_->waits_for_siblings()) {
    throw Error(ErrorCode::Device, "region '" + region_name() +
                                       "' does not end: what it launched beside it ('launch: " +
                                       "sibling') still runs after " +
                                       milliseconds(graph().options.watchdog) +
                                       " ms ('watchdog_ms')");
  }
  const std::string seen = has_tripped_ || is_given_up()
                               ? std::string()
                               : "nothing has happened for " + milliseconds(patience) + " ms; ";
  throw Error(ErrorCode::Device, "region '" + region_name() + "' does not end: " + seen + why);
}

/// Ends the loop; nothing is published any more.
void ResidentRunner::end() {
  control_->attach(nullptr);
  if (loop_ == nullptr) {
    return;
  }
  poller_.remove(*this);
  std::unique_lock guard(mutex_);
  last_.clear();
  next_.reset();
  if (!runs_) {
    return;
  }
  // First what others still write of the same words.
  if (!finish_on_host(out_stream_->get().mark())) {
    log_warning("region '" + region_name() + "': results are still being copied");
  }
  loop_->drop_results();
  end_running_loop(guard);
}

/// `lock` is open while it waits.
void ResidentRunner::end_running_loop(std::unique_lock<std::mutex>& lock) {
  try {
    end_loop(graph().options.on_stop);
  } catch (const Error&) {
    hangs_ = is_given_up();
    static_cast<void>(wait_for_end(&lock, end_patience()));
    throw;
  }
  hangs_ = !wait_for_end(&lock, end_patience());
  if (hangs_ && waits_for_inputs(loop_->finished())) {
    loop_->set_limit(0);  // it has nothing else to wait for
    static_cast<void>(wait_for_end(&lock, end_patience()));
    throw_does_not_end("the work on the GPU that makes its input does not end", end_patience());
  }
  if (hangs_) {
    throw_does_not_end("a kernel of it hangs", end_patience());
  }
}

void ResidentRunner::end_early() noexcept {
  try {
    end();
  } catch (...) {
    end_failure_ = std::current_exception();  // for stop()
  }
}

void ResidentRunner::finish() {
  if (!end_failure_) {
    end_early();
  }
  if (loop_ != nullptr && !hangs_) {
    tell_statistics();
  }
  if (end_failure_) {
    std::rethrow_exception(std::exchange(end_failure_, nullptr));
  }
}

void ResidentRunner::tell_statistics() {
  const std::lock_guard guard(mutex_);
  // A device that has failed tells nothing any more.
  const DeviceLoopReport report =
      has_failed_ ? DeviceLoopReport{.iterations = loop_->finished()} : loop_->report();
  GraphStatistics statistics{region_name(), report.iterations, ran_ns_ + report.duration_ns};
  statistics.late = late_ + report.late;
  statistics.left_out = report.left_out;
  if (late_inputs_) {
    statistics.late_inputs = late_inputs_->times();
  }
  statistics.parameter_sets = parameter_sets_;
  statistics.instantiations = changes_;
  if (graph().options.instrument_every > 0) {
    add_measures(measured(), statistics);
  }
  set_statistics(std::move(statistics));
  warn_of_lost_results(report.iterations);
  if (!has_failed_) {
    finish_streams();
  }
}

void ResidentRunner::finish_streams() {
  for (auto* stream : {&in_stream_, &out_stream_}) {
    (*stream)->finish();
  }
}

std::vector<Discard> ResidentRunner::discards() const {
  return {{skipped_, 0,
           "no message came at another input within input_timeout_ms (missing_data: skip)"}};
}

void ResidentRunner::warn_of_lost_results(std::uint64_t iterations) {
  if (!outputs().empty() && published_ < iterations) {
    log_warning("region '" + region_name() + "': " + std::to_string(iterations - published_) +
                " results were not passed on, since the loop was ended");
  }
}

}  // namespace gxr
