#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "control/answer_json.hpp"
#include "control/control_protocol.hpp"
#include "control/other_ranks.hpp"
#include "executors/application_run.hpp"
#include "executors/previews.hpp"
#include "internal_api.hpp"
#include "observe/run_status.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// What an application answers to the clients of its control socket. The results of questions are
/// ApplicationStatus, for About without entities, EntityFacts, ParameterFacts and SwapResult as
/// data.
class ControlAnswers {
 public:
  /// Refers to the run.
  GXR_INTERNAL_API ControlAnswers(ApplicationRun& run, ApplicationIdentity application);
  /// Answers for these ranks, too, from now on. They must outlive it.
  void answer_for(OtherRanks& others) noexcept { others_ = &others; }
  /// The run has ended, with this status, and the application goes on on other ranks. Any thread.
  GXR_INTERNAL_API void keep(const RunStatus& last);

  /// Must the request wait for components that are not there yet?
  [[nodiscard]] bool has_to_wait(const ControlRequest& request) const;
  /// Does what it asks for. The line to answer with, also when it cannot be done.
  [[nodiscard]] GXR_INTERNAL_API std::string answer(const ControlRequest& request) const;

  /// What the entities of this process do now.
  [[nodiscard]] GXR_INTERNAL_API ApplicationStatus own_status() const;
  /// The same of all ranks for which it answers.
  [[nodiscard]] GXR_INTERNAL_API ApplicationStatus status() const;
  /// All about one entity of this process. Throws Error(NotFound).
  [[nodiscard]] GXR_INTERNAL_API EntityFacts entity(const std::string& name) const;
  /// The same as JSON, of an entity of any rank. Throws Error.
  [[nodiscard]] GXR_INTERNAL_API std::string entity_json(const std::string& name) const;
  /// The previews of an entity of any rank, as JSON for the page; `to_text` makes it for this rank.
  /// Throws Error.
  [[nodiscard]] GXR_INTERNAL_API std::string preview_json(
      const std::string& entity,
      const std::function<std::string(const EntityPreviews&)>& to_text) const;
  /// Changes parameters of all ranks, "ENTITY/PARAMETER=VALUE". Throws Error when one is refused;
  /// of other ranks, some may have been changed then.
  GXR_INTERNAL_API void set(const std::vector<std::string>& assignments) const;
  /// Of all ranks for which it answers.
  [[nodiscard]] GXR_INTERNAL_API const Plan& plan() const;

 private:
  void change(const ControlRequest& request) const;
  [[nodiscard]] std::optional<std::string> answer_elsewhere(const ControlRequest& request) const;
  [[nodiscard]] std::string answer_question(const ControlRequest& request) const;
  [[nodiscard]] SwapResult swap(const ControlRequest& request) const;
  [[nodiscard]] ApplicationStatus about() const;
  [[nodiscard]] std::optional<RunStatus> last() const;

  ApplicationRun& run_;
  OtherRanks* others_ = nullptr;
  const ApplicationIdentity application_;
  const std::int64_t begin_;  // steady ns
  mutable std::mutex mutex_;  // guards the member below
  std::optional<RunStatus> last_;
};

/// The same for what is no request, or cannot be done.
GXR_INTERNAL_API std::string failure_line(const std::exception& error);

}  // namespace gxr
