#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "control/control_answers.hpp"
#include "executors/application_run.hpp"
#include "monitor/web_access.hpp"
#include "monitor/web_address.hpp"
#include "monitor/web_request.hpp"
#include "monitor/web_server.hpp"
#include "observe/run_status.hpp"

namespace gxr {

/// The page of an application that runs, and what programs read instead:
///
///   GET  /                    the page
///   GET  /metrics             render_metrics()
///   GET  /api/status          to_json(ApplicationStatus)
///   GET  /api/graph[?narrow]  render_picture_json()
///   GET  /api/entity?name=    to_json(EntityFacts)
///   GET  /api/preview?entity= to_json(EntityPreviews)
///   GET  /api/log[?after=]    {"version", "lines": [{"number", "time_ms", "level", "text"}]}
///   GET  /api/events          server-sent events "status": the status with "log", the number of
///                             the last line of the log; and "end": the report of the run
///                             with "log", all kept lines
///   POST /api/set             {"set": ["tone/gamma=1.8"]}, as `gxr set`
///
/// Failures of the last five are {"ok": false, "code", "error"}. All clients share one status that
/// is at most kShortestInterval old.
class LivePage {
 public:
  static constexpr std::chrono::milliseconds kShortestInterval{100};

  /// Says in the log where the page is. Refers to the listener, the run and its answers. Throws
  /// what WebServer throws.
  LivePage(const WebListener& listener, ApplicationRun& run, const ControlAnswers& answers);

  /// The run has ended with this report, which is JSON.
  void finish(const std::string& report);

 private:
  using Answer = WebAnswer (LivePage::*)(const WebRequest&);
  struct Route {
    const char* method;
    Answer answer;
  };
  static const std::map<std::string, Route, std::less<>>& routes();

  WebAnswer answer(const WebRequest& request);
  WebAnswer page(const WebRequest& request);
  WebAnswer metrics(const WebRequest& request);
  WebAnswer status(const WebRequest& request);
  WebAnswer graph(const WebRequest& request);
  WebAnswer entity(const WebRequest& request);
  WebAnswer preview(const WebRequest& request);
  WebAnswer log(const WebRequest& request);
  WebAnswer events(const WebRequest& request);
  WebAnswer set(const WebRequest& request);
  std::pair<std::string, std::chrono::milliseconds> event();
  const ApplicationStatus& latest_status();

  ApplicationRun& run_;
  const ControlAnswers& answers_;
  std::optional<ApplicationStatus> status_;
  std::int64_t status_at_ = 0;            // steady ns
  std::map<bool, std::string> pictures_;  // by whether they are narrow
  WebServer server_;
};

}  // namespace gxr
