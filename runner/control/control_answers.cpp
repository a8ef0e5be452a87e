#include "control/control_answers.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "gxr/error.hpp"
#include "observe/call_site.hpp"
#include "observe/log.hpp"
#include "observe/status_json.hpp"
#include "observe/status_text.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

/// A scheduler whose thread is in no long call answers much sooner.
constexpr std::chrono::milliseconds kAnswerPatience{500};

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

ControlAnswers::ControlAnswers(ApplicationRun& run, ApplicationIdentity application)
    : run_(run), application_(std::move(application)), begin_(steady_now()) {}

bool ControlAnswers::has_to_wait(const ControlRequest& request) const {
  return request.question == ControlRequest::Question::None && run_.changes().awaits_components();
}

std::string ControlAnswers::answer(const ControlRequest& request) const {
  try {
    if (std::optional<std::string> line = answer_elsewhere(request)) {
      return *std::move(line);
    }
    if (request.question != ControlRequest::Question::None) {
      return answer_question(request);
    }
    change(request);
    return success_line();
  } catch (const std::exception& error) {
    return failure_line(error);
  }
}

/// What another rank says about one entity, or does to it.
std::optional<std::string> ControlAnswers::answer_elsewhere(const ControlRequest& request) const {
  const std::optional<Rank> rank = others_ == nullptr || request.entity.empty()
                                       ? std::nullopt
                                       : others_->rank_of(request.entity);
  return rank ? std::optional(others_->ask(*rank, request)) : std::nullopt;
}

/// The log says what has changed a run.
void ControlAnswers::change(const ControlRequest& request) const {
  if (!request.entity.empty()) {
    run_.changes().enable(request.entity, request.on);
    Log::write(
        LogLevel::Info,
        "gxr set: entity '" + request.entity + "' is switched " + (request.on ? "on" : "off"),
        {request.entity, {}});
    return;
  }
  set(request.assignments);
  for (const std::string& assignment : request.assignments) {
    Log::write(LogLevel::Info, "gxr set: " + assignment);
  }
}

void ControlAnswers::set(const std::vector<std::string>& assignments) const {
  std::vector<std::string> own;
  std::map<Rank, ControlRequest> elsewhere;
  for (const std::string& assignment : assignments) {
    const std::optional<Rank> rank =
        others_ == nullptr ? std::nullopt : others_->rank_of(assignment);
    (rank ? elsewhere[*rank].assignments : own).push_back(assignment);
  }
  if (!own.empty() || elsewhere.empty()) {
    run_.changes().set(own);
  }
  for (const auto& [rank, part] : elsewhere) {
    static_cast<void>(require_success(others_->ask(rank, part)));
  }
}

std::string ControlAnswers::answer_question(const ControlRequest& request) const {
  switch (request.question) {
    case ControlRequest::Question::About:
      return success_line(text_of(to_json(about())));
    case ControlRequest::Question::StatusText:
      return success_text(render_status(status()));
    case ControlRequest::Question::Get:
      return success_line(text_of(to_json(
          ParameterReader(run_.plan(), run_.catalog(), run_.changes()).find(request.entity))));
    case ControlRequest::Question::Swap:
      return success_line(text_of(to_json(swap(request))));
    default:
      return success_line(
          text_of(request.entity.empty() ? to_json(status()) : to_json(entity(request.entity))));
  }
}

SwapResult ControlAnswers::swap(const ControlRequest& request) const {
  SwapOptions options;
  options.extension = request.extension;
  options.keep_for = std::chrono::nanoseconds(request.keep_for_ns);
  return run_.swaps().swap({request.entity, request.type, options});
}

ApplicationStatus ControlAnswers::about() const {
  ApplicationStatus status;
  status.application = application_;
  status.phase = last() ? RunPhase::Running : run_.phase();
  status.elapsed_ns = steady_now() - begin_;
  return status;
}

ApplicationStatus ControlAnswers::status() const {
  ApplicationStatus status = own_status();
  if (others_ != nullptr) {
    others_->complete(status);
  }
  return status;
}

ApplicationStatus ControlAnswers::own_status() const {
  ApplicationStatus status = about();
  for (RunningCall& call : running_calls()) {
    status.calls.push_back(std::move(call.text));
  }
  std::optional<RunStatus> now = run_.status(kAnswerPatience);
  if (!now) {
    now = last();
  }
  status.run = std::move(now).value_or(RunStatus{});
  return status;
}

void ControlAnswers::keep(const RunStatus& last) {
  const std::lock_guard lock(mutex_);
  last_ = last;
}

std::optional<RunStatus> ControlAnswers::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

EntityFacts ControlAnswers::entity(const std::string& name) const {
  const ParameterReader reader(run_.plan(), run_.catalog(), run_.changes());
  EntityFacts facts{{}, reader.region_of(name), reader.of_entity(name)};
  std::vector<EntityStatus> entities = own_status().run.entities;
  const auto found = std::ranges::find(entities, facts.region.empty() ? name : facts.region,
                                       &EntityStatus::entity);
  if (found != entities.end()) {
    facts.status = std::move(*found);
  }
  return facts;
}

std::string ControlAnswers::entity_json(const std::string& name) const {
  ControlRequest request;
  request.question = ControlRequest::Question::Status;
  request.entity = name;
  const std::optional<std::string> line = answer_elsewhere(request);
  return line ? require_success(*line).dump() : text_of(to_json(entity(name)));
}

std::string ControlAnswers::preview_json(
    const std::string& entity,
    const std::function<std::string(const EntityPreviews&)>& to_text) const {
  const std::optional<Rank> rank = others_ == nullptr ? std::nullopt : others_->rank_of(entity);
  return rank ? others_->preview(*rank, entity) : to_text(run_.previews(entity));
}

const Plan& ControlAnswers::plan() const {
  return others_ == nullptr ? run_.plan() : others_->plan();
}

std::string failure_line(const std::exception& error) {
  const auto* const own = dynamic_cast<const Error*>(&error);
  return own != nullptr ? failure_line(to_string(own->code()), own->message())
                        : failure_line(to_string(ErrorCode::Failure), error.what());
}

}  // namespace gxr
