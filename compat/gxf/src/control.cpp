// Controllers, monitors and metrics; what the layer knows of schedulers.

#include <string>

#include "adapters.hpp"
#include "gxf/std/controller.hpp"
#include "gxf/std/job_statistics.hpp"
#include "gxf/std/metric.hpp"
#include "gxf/std/monitor.hpp"
#include "gxf/std/scheduler.hpp"
#include "gxr/controller.hpp"
#include "gxr/metric.hpp"
#include "gxr/monitor.hpp"
#include "native.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

static_assert(static_cast<int>(GXF_BEHAVIOR_INIT) == static_cast<int>(gxr::Behavior::Initial) &&
              static_cast<int>(GXF_BEHAVIOR_RUNNING) == static_cast<int>(gxr::Behavior::Running) &&
              static_cast<int>(GXF_BEHAVIOR_UNKNOWN) == static_cast<int>(gxr::Behavior::Unknown));

/// A controller that a source wrote.
class ControllerAdapter final : public AdapterOf<gxr::Controller> {
 public:
  explicit ControllerAdapter(gxf::Controller& controller) noexcept
      : AdapterOf(controller), controller_(controller) {}

  Decision control(Result result) override {
    const ComponentCall call = this->call();
    const gxf_controller_status_t answer =
        controller_.control(Context::entity_number_of(*this), ExpectedOrCode(code_of(result)));
    return {static_cast<gxr::Behavior>(answer.behavior_status), action_of(answer.exec_status)};
  }

 private:
  static gxf_result_t code_of(Result result) noexcept {
    switch (result) {
      case Result::Success:
        return GXF_SUCCESS;
      case Result::NotFinished:
        return GXF_NOT_FINISHED;
      case Result::Failure:
        return GXF_FAILURE;
    }
    return GXF_FAILURE;
  }
  static Action action_of(gxf_execution_status_t status) noexcept {
    switch (status) {
      case GXF_EXECUTE_SUCCESS:
        return Action::Continue;
      case GXF_EXECUTE_FAILURE_REPEAT:
        return Action::Repeat;
      case GXF_EXECUTE_FAILURE_DEACTIVATE:
        return Action::Deactivate;
      case GXF_EXECUTE_FAILURE:
        return Action::Fail;
    }
    return Action::Fail;
  }

  gxf::Controller& controller_;
};

/// A monitor that a source wrote.
class MonitorAdapter final : public AdapterOf<gxr::Monitor> {
 public:
  explicit MonitorAdapter(gxf::Monitor& monitor) noexcept : AdapterOf(monitor), monitor_(monitor) {}

  void on_execute(const Execution& execution) override {
    const ComponentCall call = this->call();
    gxf_result_t code = GXF_SUCCESS;
    if (!execution.succeeded) {
      code = execution.error == gxr::ErrorCode::NotFinished
                 ? GXF_NOT_FINISHED
                 : code_of(gxr::Error(execution.error, std::string()));
    }
    require_success(monitor_.on_execute_abi(Context::entity_number_of(execution.entity_id),
                                            static_cast<std::uint64_t>(execution.timestamp), code),
                    "on_execute_abi");
  }

 private:
  gxf::Monitor& monitor_;
};

Expected<double> value_of(const std::optional<double>& value) {
  if (!value) {
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  return *value;
}

}  // namespace
}  // namespace layer

Controller::~Controller() = default;
gxr::Component* Controller::make_adapter() { return new layer::ControllerAdapter(*this); }

Monitor::~Monitor() = default;
gxr::Component* Monitor::make_adapter() { return new layer::MonitorAdapter(*this); }
Expected<void> Monitor::onExecute(gxf_uid_t eid, uint64_t timestamp, gxf_result_t code) {
  return ExpectedOrCode(on_execute_abi(eid, timestamp, code));
}
JobStatistics::~JobStatistics() = default;
gxf_result_t JobStatistics::on_execute_abi(gxf_uid_t, uint64_t, gxf_result_t) {
  return GXF_NOT_IMPLEMENTED;
}

Metric::~Metric() = default;

Expected<void> Metric::record(double sample) {
  return ExpectedOrCode(layer::guarded([&] {
    metric_.record(sample);
    return GXF_SUCCESS;
  }));
}

Expected<bool> Metric::evaluateSuccess() {
  bool is_success = false;
  const gxf_result_t code = layer::guarded([&] {
    is_success = metric_.evaluate_success();
    return GXF_SUCCESS;
  });
  return ExpectedOrCode(code, is_success);
}

Expected<double> Metric::getAggregatedValue() {
  return layer::value_of(metric_.aggregated_value());
}
Expected<double> Metric::getLowerThreshold() { return layer::value_of(metric_.lower_threshold()); }
Expected<double> Metric::getUpperThreshold() { return layer::value_of(metric_.upper_threshold()); }

Expected<void> Metric::reset() {
  metric_.reset();
  return Success;
}

Expected<void> Metric::setAggregationFunction(std::function<double(double)> function) {
  return ExpectedOrCode(layer::guarded([&] {
    metric_.set_aggregation_function(std::move(function));
    return GXF_SUCCESS;
  }));
}

Expected<void> Metric::set_policy(const char* policy) {
  return ExpectedOrCode(layer::guarded([&] {
    metric_.set_aggregation_policy(policy);
    return GXF_SUCCESS;
  }));
}
Expected<void> Metric::setMeanAggregationFunction() { return set_policy("mean"); }
Expected<void> Metric::setRootMeanSquareAggregationFunction() {
  return set_policy("root_mean_square");
}
Expected<void> Metric::setAbsMaxAggregationFunction() { return set_policy("abs_max"); }
Expected<void> Metric::setMaxAggregationFunction() { return set_policy("max"); }
Expected<void> Metric::setMinAggregationFunction() { return set_policy("min"); }
Expected<void> Metric::setSumAggregationFunction() { return set_policy("sum"); }
Expected<void> Metric::setFixedAggregationFunction() { return set_policy("fixed"); }

System::~System() = default;
gxf_result_t System::schedule_abi(gxf_uid_t) { return GXF_NOT_IMPLEMENTED; }
gxf_result_t System::unschedule_abi(gxf_uid_t) { return GXF_NOT_IMPLEMENTED; }
gxf_result_t System::runAsync_abi() { return GXF_NOT_IMPLEMENTED; }
gxf_result_t System::stop_abi() { return GXF_NOT_IMPLEMENTED; }
gxf_result_t System::wait_abi() { return GXF_NOT_IMPLEMENTED; }
gxf_result_t System::event_notify_abi(gxf_uid_t, gxf_event_t) { return GXF_NOT_IMPLEMENTED; }

Scheduler::~Scheduler() = default;
gxf_result_t Scheduler::prepare_abi(EntityExecutor*) { return GXF_NOT_IMPLEMENTED; }

}  // namespace nvidia::gxf
