#include "executors/cuda_graph/resident_measures.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "document/number_text.hpp"
#include "executors/cuda_graph/resident_changes.hpp"
#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_lateness.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "plan/step_order.hpp"

namespace gxr {
namespace {

/// Iterations whose measures are kept.
constexpr std::size_t kMostMeasured = 4096;

}  // namespace

void ResidentRunner::Measures::launch() noexcept {
  ran_ns_ = 0;
  late_ = 0;
  left_out_ = 0;
  measured_.clear();
}

void ResidentRunner::Measures::keep() {
  const DeviceLoopReport report = runner_.loop_->report();
  ran_ns_ += report.duration_ns;
  late_ += report.late;
  std::ranges::move(runner_.loop_->measured(), std::back_inserter(measured_));
  if (measured_.size() > kMostMeasured) {
    measured_.erase(measured_.begin(),
                    measured_.end() - static_cast<std::ptrdiff_t>(kMostMeasured));
  }
}

void ResidentRunner::Measures::leave() { left_out_ += runner_.loop_->report().left_out; }

/// Of all launches.
std::vector<MeasuredIteration> ResidentRunner::Measures::measured() const {
  std::vector<MeasuredIteration> all = measured_;
  std::ranges::move(runner_.loop_->measured(), std::back_inserter(all));
  return all;
}

std::string ResidentRunner::Measures::place_of_failure() const {
  const std::uint64_t iteration = runner_.loop_->control().finished();
  const std::string entered = runner_.region().measured_operators(measured()).entered(iteration);
  std::string place = "; in iteration " + std::to_string(iteration + 1);
  if (!entered.empty()) {
    return place + ", in operator " + entered;
  }
  for (StepId step = 0; step < runner_.region().graph().steps.size(); ++step) {
    if (runs_beside(runner_.region().graph(), step)) {
      return place + ", or in what was launched beside it";
    }
  }
  const GraphOptions& options = runner_.region().options();
  if (options.instrument_every != 1) {
    const bool has_one_body =
        options.loop == GraphLoop::HeadTail || options.loop == GraphLoop::TailLaunch;
    place += std::string("; with 'instrument_every: 1'") +
             (has_one_body ? " and 'loop: auto'" : "") + " it is known in which operator";
  }
  return place;
}

void ResidentRunner::Measures::report() {
  // A device that has failed tells nothing any more.
  const bool has_failed = runner_.session_.is(SessionState::Failed);
  const DeviceLoopReport report =
      has_failed ? DeviceLoopReport{.iterations = runner_.loop_->control().finished()}
                 : runner_.loop_->report();
  GraphStatistics statistics{runner_.region().name(), report.iterations,
                             ran_ns_ + report.duration_ns};
  statistics.late = late_ + report.late;
  statistics.left_out = left_out_ + report.left_out;
  statistics.late_inputs = runner_.lateness_->times();
  statistics.parameter_sets = runner_.changes_->parameter_sets();
  statistics.instantiations = runner_.changes_->instantiations();
  if (runner_.region().options().instrument_every > 0) {
    runner_.add_measures(measured(), statistics);
  }
  runner_.set_statistics(std::move(statistics));
  warn_of_lost_results(report.iterations);
  if (!has_failed) {
    runner_.finish_copies();
  }
}

void ResidentRunner::Measures::warn_of_lost_results(std::uint64_t iterations) const {
  const std::uint64_t lost = runner_.outlets_->account().unpublished(iterations);
  if (lost > 0) {
    runner_.log_warning("region '" + runner_.region().name() +
                        "': " + counted(lost, "result was", "results were") +
                        " not passed on, since the loop was ended");
  }
}

}  // namespace gxr
