#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "control/answer_json.hpp"
#include "control/control_protocol.hpp"
#include "executors/application_run.hpp"
#include "internal_api.hpp"
#include "observe/run_status.hpp"

namespace gxr {

/// What an application answers to the clients of its control socket. The results of questions are
/// ApplicationStatus, for About without entities, EntityFacts, ParameterFacts and SwapResult as
/// data.
class ControlAnswers {
 public:
  /// Refers to the run.
  GXR_INTERNAL_API ControlAnswers(ApplicationRun& run, ApplicationIdentity application);

  /// Must the request wait for components that are not there yet?
  [[nodiscard]] bool has_to_wait(const ControlRequest& request) const;
  /// Does what it asks for. The line to answer with, also when it cannot be done.
  [[nodiscard]] std::string answer(const ControlRequest& request) const;

  /// What all entities do now.
  [[nodiscard]] GXR_INTERNAL_API ApplicationStatus status() const;
  /// All about one entity. Throws Error(NotFound).
  [[nodiscard]] GXR_INTERNAL_API EntityFacts entity(const std::string& name) const;

 private:
  void change(const ControlRequest& request) const;
  [[nodiscard]] std::string answer_question(const ControlRequest& request) const;
  [[nodiscard]] SwapResult swap(const ControlRequest& request) const;
  [[nodiscard]] ApplicationStatus about() const;

  ApplicationRun& run_;
  const ApplicationIdentity application_;
  const std::int64_t begin_;  // steady ns
};

/// The same for what is no request, or cannot be done.
std::string failure_line(const std::exception& error);

}  // namespace gxr
