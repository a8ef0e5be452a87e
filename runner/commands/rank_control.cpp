#include "commands/rank_control.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include <nlohmann/json.hpp>

#include "gxr/error.hpp"
#include "monitor/preview_json.hpp"
#include "observe/own_thread.hpp"
#include "rank_run/rank_report.hpp"

namespace gxr::commands {
namespace {

/// Each question begins with one of these. A request follows, or the state of all entities is
/// meant.
constexpr char kRequest = 'R';
constexpr char kStatus = 'S';
/// The previews of an entity; its name follows.
constexpr char kPreview = 'P';

/// The exchange of an operator may take its probation, and start() any time.
constexpr std::chrono::milliseconds kRankPatience{2'000};
constexpr std::chrono::milliseconds kRankSwapPatience{3'600'000};
/// Of ranks that did not answer the last time.
constexpr std::chrono::milliseconds kSilentRankPatience{100};

bool is_change(const ControlRequest& request) {
  return request.question == ControlRequest::Question::None ||
         request.question == ControlRequest::Question::Swap;
}

[[noreturn]] void throw_silent(Rank rank) {
  throw Error(ErrorCode::InvalidState, "rank " + std::to_string(rank) + " does not answer");
}

/// Adds a rank's part.
void add_part(Rank rank, RunStatus part, const RankNames& names, RunStatus& whole,
              RankOrigins& origins) {
  const std::size_t before = whole.entities.size();
  names.add(whole, part);
  for (std::size_t i = before; i < whole.entities.size(); ++i) {
    origins.of_entity[whole.entities[i].entity] = rank;
  }
  origins.of_allocator.resize(whole.allocators.size(), rank);
}

}  // namespace

RankControl::RankControl(RankSession& session, const Plan& plan, const RankPlan& ranks,
                         const RankNames& names)
    : session_(session), plan_(plan), ranks_(ranks), names_(names) {}

std::optional<Rank> RankControl::rank_of(std::string_view address) const {
  const Graph& graph = *ranks_.graph;
  const std::string_view name = address.substr(0, address.find_first_of("/="));
  EntityId entity = kNone;
  if (const GraphEntity* const found = graph.find_entity(name)) {
    entity = found->id;
  } else if (const EntityInterface* const shown = graph.find_interface(name);
             shown != nullptr && !shown->names.empty() && shown->names.front().component != kNone) {
    entity = graph.components[shown->names.front().component].entity;
  }
  if (entity == kNone || ranks_.map.rank_of[entity] == RankMap::kEach ||
      ranks_.map.rank_of[entity] == session_.rank()) {
    return std::nullopt;
  }
  return ranks_.map.rank_of[entity];
}

std::string RankControl::ask(Rank rank, const ControlRequest& request) {
  const auto patience =
      request.question == ControlRequest::Question::Swap ? kRankSwapPatience : kRankPatience;
  return ask_for(rank, kRequest + to_line(request), is_change(request), patience);
}

std::string RankControl::ask_for(Rank rank, const std::string& question, bool changes,
                                 std::chrono::milliseconds patience) {
  std::optional<std::string> line = session_.ask(rank, question, changes, patience);
  if (!line || line->empty()) {
    throw_silent(rank);
  }
  return *std::move(line);
}

std::string RankControl::preview(Rank rank, const std::string& entity) {
  return require_success(ask_for(rank, kPreview + entity, false, kRankPatience)).dump();
}

void RankControl::complete(ApplicationStatus& status) {
  RunStatus whole;
  RankOrigins origins;
  origins.ranks = session_.ranks();
  add_part(session_.rank(), std::move(status.run), names_, whole, origins);
  std::unique_lock lock(mutex_);
  const std::vector<Rank> silent_before = silent_;
  lock.unlock();
  for (const auto& [rank, text] : session_.ask_others(
           std::string(1, kStatus), {kRankPatience, silent_before, kSilentRankPatience})) {
    if (text && !text->empty()) {
      add_part(rank, run_status_of(*text), names_, whole, origins);
    } else {
      status.silent_ranks.push_back(rank);
    }
  }
  names_.finish(whole, session_.ranks());
  status.run = std::move(whole);
  status.origins = std::move(origins);
  lock.lock();
  silent_ = status.silent_ranks;
}

RankControl::Service::Service(RankSession& session, const ControlAnswers& answers)
    : session_(session), answers_(answers) {
  thread_ = start_thread("the thread that answers other ranks", [this] { serve(); });
  session_.set_responder([this](RankQuestion question) {
    const std::lock_guard lock(mutex_);
    questions_.push_back(std::move(question));
    changed_.notify_one();
  });
}

RankControl::Service::~Service() {
  session_.set_responder(nullptr);
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_one();
  }
  thread_.join();
}

void RankControl::Service::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopped_ || !questions_.empty(); });
    if (questions_.empty()) {
      return;
    }
    const RankQuestion question = std::move(questions_.front());
    questions_.pop_front();
    lock.unlock();
    session_.respond(question, answer(question.text));
    lock.lock();
  }
}

std::string RankControl::Service::answer(const std::string& question) const {
  try {
    if (question.starts_with(kStatus)) {
      return to_text(answers_.own_status().run);
    }
    if (question.starts_with(kPreview)) {
      return success_line(answers_.preview_json(question.substr(1), text_of_previews));
    }
    return answers_.answer(read_request(std::string_view(question).substr(1)));
  } catch (const std::exception& error) {
    return failure_line(error);
  }
}

}  // namespace gxr::commands
