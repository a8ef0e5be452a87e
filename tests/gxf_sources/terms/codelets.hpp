#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "gxf/std/allocator.hpp"
#include "gxf/std/clock.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/scheduling_terms.hpp"

namespace acme {
namespace terms {

// Counts its ticks, and fails at the end unless there were as many as expected.
class TickCounter : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;
  gxf_result_t deinitialize() override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::SchedulingTerm>> term_;
  nvidia::gxf::Parameter<int64_t> expected_ticks_;

  int64_t ticks_ = 0;
};

// Takes and gives back memory of an allocator.
class MemoryUser : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Allocator>> allocator_;
};

// Squares numbers on a thread of its own. A tick takes one result and orders the next one. The
// thread wakes the scheduler through the terms.
class Squarer : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;
  gxf_result_t deinitialize() override;

 private:
  void work();
  void order(int64_t number);

  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::AsynchronousSchedulingTerm>> done_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::BooleanSchedulingTerm>> more_;
  nvidia::gxf::Parameter<int64_t> jobs_;

  std::thread worker_;
  std::mutex mutex_;
  std::condition_variable ordered_;
  bool stopping_ = false;
  int64_t next_ = -1;  // the number to be squared; -1: none
  int64_t result_ = 0;
  int64_t finished_ = 0;
};

// Ticks at times that it chooses itself.
class Alarm : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;
  gxf_result_t deinitialize() override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::TargetTimeSchedulingTerm>> target_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Clock>> clock_;
  nvidia::gxf::Parameter<std::vector<int64_t>> delays_;

  size_t rings_ = 0;
  int64_t due_ = 0;
};

}  // namespace terms
}  // namespace acme
