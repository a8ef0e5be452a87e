#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "gxf/core/filepath.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/parameter_parser_std.hpp"
#include "gxf/std/scheduling_terms.hpp"

namespace acme {
namespace embed {

// Adds a number in each tick, for programs that look at it and change it.
class Counter : public nvidia::gxf::Codelet {
 public:
  ~Counter() override;
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;
  gxf_result_t deinitialize() override;

  int64_t sum() const { return sum_; }

 private:
  gxf_result_t end_graph();
  gxf_result_t embed_another();

  template <typename T>
  using Parameter = nvidia::gxf::Parameter<T>;

  Parameter<int64_t> step_;
  Parameter<uint32_t> limit_;
  Parameter<int32_t> unset_;
  Parameter<uint16_t> interrupts_at_;
  Parameter<bool> silent_;
  Parameter<float> gain_;
  Parameter<double> ratio_;
  Parameter<std::string> label_;
  Parameter<std::string> does_;
  Parameter<nvidia::gxf::FilePath> file_;
  Parameter<std::vector<int64_t>> numbers_;
  Parameter<std::vector<std::vector<double>>> grid_;
  Parameter<std::vector<std::string>> names_;
  Parameter<nvidia::gxf::Handle<nvidia::gxf::CountSchedulingTerm>> term_;

  std::atomic<int64_t> sum_{0};
  uint64_t ticks_ = 0;
  uint64_t maker_ = 0;   // the thread of initialize()
  uint64_t ticker_ = 0;  // the thread of tick()
};

}  // namespace embed
}  // namespace acme
