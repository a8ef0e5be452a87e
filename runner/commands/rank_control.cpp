#include "commands/rank_control.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "gxr/error.hpp"
#include "observe/own_thread.hpp"
#include "rank_run/rank_report.hpp"

namespace gxr::commands {
namespace {

/// What a question begins with: a request follows, or the state of the entities is asked for.
constexpr char kRequest = 'R';
constexpr char kStatus = 'S';

/// The exchange of an operator may take its probation, and start() any time.
constexpr std::chrono::milliseconds kRankPatience{2'000};
constexpr std::chrono::milliseconds kRankSwapPatience{3'600'000};

bool is_change(const ControlRequest& request) {
  return request.question == ControlRequest::Question::None ||
         request.question == ControlRequest::Question::Swap;
}

[[noreturn]] void throw_silent(Rank rank) {
  throw Error(ErrorCode::InvalidState, "rank " + std::to_string(rank) + " does not answer");
}

}  // namespace

RankControl::RankControl(RankSession& session, const RankPlan& ranks, const RankNames& names)
    : session_(session), ranks_(ranks), names_(names) {}

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
  std::optional<std::string> line =
      session_.ask(rank, kRequest + to_line(request), is_change(request), patience);
  if (!line || line->empty()) {
    throw_silent(rank);
  }
  return *std::move(line);
}

std::vector<Rank> RankControl::complete(RunStatus& status) {
  RunStatus whole;
  std::vector<Rank> silent;
  names_.add(whole, status);
  for (const auto& [rank, text] : session_.ask_others(std::string(1, kStatus), kRankPatience)) {
    if (text && !text->empty()) {
      RunStatus other = run_status_of(*text);
      names_.add(whole, other);
    } else {
      silent.push_back(rank);
    }
  }
  names_.finish(whole, session_.ranks());
  status = std::move(whole);
  return silent;
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
    return answers_.answer(read_request(std::string_view(question).substr(1)));
  } catch (const std::exception& error) {
    return failure_line(error);
  }
}

}  // namespace gxr::commands
