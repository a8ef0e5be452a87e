#include "commands/run_application.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "commands/rank_control.hpp"
#include "commands/rank_member.hpp"
#include "commands/run_progress.hpp"
#include "control/control_answers.hpp"
#include "control/control_server.hpp"
#include "executors/application_run.hpp"
#include "graph/failure_place.hpp"
#include "graph/file_beside.hpp"
#include "gxr/error.hpp"
#include "monitor/live_page.hpp"
#include "observe/log.hpp"
#include "rank_run/rank_session.hpp"

namespace gxr::commands {
namespace {

/// Those who ask and change an application from outside, while it runs.
class Controls {
 public:
  Controls(const RunChoices& choices, ApplicationRun& run)
      : answers_(run, choices.identity), usual_(choices.usual_control) {
    if (choices.member != nullptr) {
      serve_ranks(*choices.member);
    }
    const char* option = "--control: ";
    try {
      if (choices.monitor != nullptr) {
        option = "--monitor: ";
        page_.emplace(*choices.monitor, run, answers_);
        option = "--control: ";
      }
      if (choices.control != nullptr) {
        server_.emplace(*choices.control, answers_);
      }
      option = "--watch: ";
      if (choices.watched != nullptr) {
        watcher_.emplace(*choices.watched, *choices.document, run.changes());
      }
    } catch (const Error& error) {
      run.changes().end();  // clients may wait for components, which will never be there
      throw OptionFailure(option + error.message());
    }
  }

  /// Serves the usual socket from when the first client comes: most runs never need the thread.
  [[nodiscard]] InterruptSignals::Knock knock() {
    return {usual_ != nullptr ? usual_->descriptor() : -1, [this] { serve_usual(); }};
  }

  /// Answers tell this status from now on, while other ranks still run.
  void keep(const RunStatus& last) { answers_.keep(last); }

  /// Tells those who look on how it has ended.
  void finish(const RunEnd& end) {
    if (page_) {
      page_->finish(render_report_json(end.report, end.places));
    }
  }

 private:
  /// The first rank asks, the others answer.
  void serve_ranks(RankMember& member) {
    if (member.is_first()) {
      answers_.answer_for(member.control());
    } else {
      service_.emplace(member.session(), answers_);
    }
  }

  /// Nobody has asked for it by an option, so that the run goes on without.
  void serve_usual() noexcept {
    try {
      usual_server_.emplace(*usual_, answers_);
    } catch (const std::exception& error) {
      Log::write(LogLevel::Warn,
                 std::string("nobody can ask this application or change it: ") + error.what());
    }
  }

  ControlAnswers answers_;
  std::optional<RankControl::Service> service_;
  const ControlSocket* usual_;
  std::optional<ControlServer> server_;
  std::optional<ControlServer> usual_server_;
  std::optional<ParameterWatcher> watcher_;
  std::optional<LivePage> page_;
};

}  // namespace

RunEnd run_application(PlannedApplication& planned, const RunChoices& choices,
                       InterruptSignals::Style style) {
  const Plan& plan = planned.plan;
  std::optional<Plan> without_graphs;
  if (choices.verify) {
    without_graphs = plan_without_graphs(plan);
  }
  ApplicationRun run(without_graphs ? *without_graphs : plan, *plan.catalog, choices.options);
  run.set_verify(choices.verify);
  if (choices.document != nullptr) {
    run.set_sources(choices.document->sources());
  }
  run.take_components(std::move(planned.components));
  run.set_dot_files(choices.dot_files);
  RankMember* const member = choices.member;
  const AttachedRun attached(member != nullptr ? &member->session() : nullptr,
                             [&run] { run.interrupt(); });
  Controls controls(choices, run);
  RunProgress progress(run, choices.progress);
  std::mutex service_mutex;  // a signal may come while the run ends
  std::optional<RunService> service;
  if (style == InterruptSignals::Style::Gxr && (member == nullptr || member->is_first())) {
    service.emplace(run);
  }
  const auto when_asked = [&] {
    {
      const std::lock_guard lock(service_mutex);
      if (service) {
        service->tell_end();
      }
    }
    if (member != nullptr) {
      member->ask_for_end();
    }
  };
  InterruptSignals signals(
      run, style, {controls.knock(), RunProgress::kLong, [&] { progress.begin(); }, when_asked});
  run.run_alone([&](const std::string& why) {
    progress.end();
    signals.end_hanging_run(why);
  });
  RunEnd end{run.run(), {}, 0};
  progress.end();
  if (member != nullptr) {
    controls.keep(end.report.last_status);
    member->await_others(end.report);
  }
  {
    const std::lock_guard lock(service_mutex);
    service.reset();
  }
  for (Failure& failure : end.report.failures) {
    end.places.push_back(find_place(*plan.graph, choices.document->sources(), failure));
    explain_missing_file(*plan.graph, choices.document->sources(), failure);
  }
  end.signal = signals.first();
  controls.finish(end);
  return end;
}

FailurePlace find_place(const Graph& graph, const SourceMap& sources, const Failure& failure) {
  const std::optional<WrittenPlace> found = place_of(graph, sources, failure);
  if (!found) {
    return {};
  }
  return {render_place(sources, found->where, found->length), sources.at(found->where.source).name,
          found->where.line, found->where.column};
}

void end_if_gpu_hangs(const Report& report, int exit_code) {
  if (report.gpu_hangs) {
    std::fflush(nullptr);
    std::_Exit(exit_code);
  }
}

}  // namespace gxr::commands
