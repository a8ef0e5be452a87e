#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executors/cuda_graph/resident_runner.hpp"

namespace gxr {

/// The measures of the loop's iterations: for the report, and for the text of a failure.
class ResidentRunner::Measures {
 public:
  explicit Measures(ResidentRunner& runner) : runner_(runner) {}

  /// Forgets all that was kept.
  void launch() noexcept;
  /// The loop has ended, and is launched from where it is: that forgets what it knows.
  void keep();
  /// The same of one that another loop takes the place of.
  void leave();
  /// Where the loop is, for the text of a failure; begins with "; ".
  [[nodiscard]] std::string place_of_failure() const;
  /// The loop has ended.
  void report();

 private:
  [[nodiscard]] std::vector<MeasuredIteration> measured() const;
  void warn_of_lost_results(std::uint64_t iterations) const;

  ResidentRunner& runner_;
  // Of the launches that were kept:
  std::int64_t ran_ns_ = 0;
  std::uint64_t late_ = 0;
  std::uint64_t left_out_ = 0;  // by loops that are gone
  std::vector<MeasuredIteration> measured_;
};

}  // namespace gxr
