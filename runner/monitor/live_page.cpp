#include "monitor/live_page.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "control/answer_json.hpp"
#include "gxr/error.hpp"
#include "monitor/metrics_text.hpp"
#include "monitor/page_texts.hpp"
#include "monitor/picture_json.hpp"
#include "monitor/preview_json.hpp"
#include "observe/log.hpp"
#include "observe/log_tail.hpp"
#include "observe/status_json.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;

/// A status of many entities takes long, and the run waits for parts of it: so the share of time
/// that questions take is at most one in so many.
constexpr int kShareOfEvents = 20;

constexpr const char* kJson = "application/json";

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

WebAnswer json_answer(std::string text, int status = 200) {
  WebAnswer answer;
  answer.status = status;
  answer.content_type = kJson;
  answer.body = std::move(text);
  return answer;
}

WebAnswer failure_answer(int status, const char* code, const std::string& text) {
  return json_answer(text_of({{"ok", false}, {"code", code}, {"error", text}}), status);
}

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotFound:
      return 404;
    case ErrorCode::InvalidState:
    case ErrorCode::NotSupported:
      return 409;
    case ErrorCode::InvalidData:
    case ErrorCode::InvalidArgument:
      return 400;
    case ErrorCode::InvalidParameter:
    case ErrorCode::OutOfRange:
      return 422;
    default:
      return 500;
  }
}

const char* name_of(LogLevel level) {
  switch (level) {
    case LogLevel::Error:
      return "error";
    case LogLevel::Warn:
      return "warning";
    case LogLevel::Debug:
      return "debug";
    default:
      return "info";
  }
}

/// The kept lines of the log behind the one of this number.
Json lines_json(std::uint64_t after) {
  Json lines = Json::array();
  for (const LogTail::Line& line : LogTail::after(after)) {
    lines.push_back({{"number", line.number},
                     {"time_ms", line.time_ms},
                     {"level", name_of(line.level)},
                     {"text", line.text}});
  }
  return lines;
}

std::string query_value(const WebRequest& request, const std::string& key) {
  const auto found = request.query.find(key);
  return found == request.query.end() ? std::string() : found->second;
}

/// `json` is one line.
std::string event_text(const char* name, const std::string& json) {
  return std::string("event: ") + name + "\ndata: " + json + "\n\n";
}

/// Throws Error(InvalidData) for anything else than the body of a change.
std::vector<std::string> read_assignments(const std::string& body) {
  const nlohmann::json json = nlohmann::json::parse(body, nullptr, false);
  const bool is_list = json.is_object() && json.contains("set") && json["set"].is_array();
  const bool is_right =
      is_list && json.size() == 1 && !json["set"].empty() &&
      std::ranges::all_of(json["set"], [](const nlohmann::json& each) { return each.is_string(); });
  if (!is_right) {
    throw Error(ErrorCode::InvalidData,
                R"(a change is {"set": ["ENTITY/PARAMETER=VALUE", …]}, with one text or more)");
  }
  return json["set"].get<std::vector<std::string>>();
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    all += (all.empty() ? "" : ", ") + text;
  }
  return all;
}

WebAccess access_to(const WebListener& listener) {
  return {listener, listener.is_loopback() ? std::string() : make_token()};
}

}  // namespace

LivePage::LivePage(const WebListener& listener, ApplicationRun& run, const ControlAnswers& answers)
    : run_(run),
      answers_(answers),
      server_(listener,
              [&] {
                LogTail::keep();
                WebAccess access = access_to(listener);
                Log::answer(LogLevel::Info, "the page of this application: " + access.url());
                return access;
              }(),
              {[this](const WebRequest& request) { return answer(request); },
               [this] { return event(); }}) {}

void LivePage::finish(const std::string& report) {
  Json json = Json::parse(report);
  json["log"] = lines_json(0);
  server_.finish(event_text("end", text_of(json)));
}

const std::map<std::string, LivePage::Route, std::less<>>& LivePage::routes() {
  static const std::map<std::string, Route, std::less<>> all = {
      {"/", {"GET", &LivePage::page}},
      {"/page.css", {"GET", &LivePage::page}},
      {"/page.js", {"GET", &LivePage::page}},
      {"/icon.svg", {"GET", &LivePage::page}},
      {"/metrics", {"GET", &LivePage::metrics}},
      {"/api/status", {"GET", &LivePage::status}},
      {"/api/graph", {"GET", &LivePage::graph}},
      {"/api/entity", {"GET", &LivePage::entity}},
      {"/api/log", {"GET", &LivePage::log}},
      {"/api/events", {"GET", &LivePage::events}},
      {"/api/preview", {"GET", &LivePage::preview}},
      {"/api/set", {"POST", &LivePage::set}}};
  return all;
}

WebAnswer LivePage::answer(const WebRequest& request) {
  const auto route = routes().find(request.path);
  if (route == routes().end()) {
    return failure_answer(404, "not-found", "there is nothing at this address");
  }
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  if (method != route->second.method) {
    WebAnswer refusal = failure_answer(405, "not-supported",
                                       std::string("only ") + route->second.method + " works here");
    refusal.headers = {{"Allow", route->second.method}};
    return refusal;
  }
  try {
    return (this->*route->second.answer)(request);
  } catch (const Error& error) {
    return failure_answer(status_of(error.code()), to_string(error.code()), error.message());
  } catch (const std::exception& error) {
    return failure_answer(500, "failure", error.what());
  }
}

WebAnswer LivePage::page(const WebRequest& request) {
  WebAnswer answer;
  if (request.path == "/page.js") {
    answer.content_type = "text/javascript; charset=utf-8";
    answer.body = page_texts::page_js;
  } else if (request.path == "/page.css") {
    answer.content_type = "text/css; charset=utf-8";
    answer.body = page_texts::page_css;
  } else if (request.path == "/icon.svg") {
    answer.content_type = "image/svg+xml";
    answer.body = page_texts::icon_svg;
  } else {
    answer.content_type = "text/html; charset=utf-8";
    answer.body = page_texts::index_html;
  }
  return answer;
}

WebAnswer LivePage::metrics(const WebRequest& request) {
  const MetricsForm form = metrics_form(request.accept);
  WebAnswer answer;
  answer.content_type = content_type_of(form);
  answer.body = render_metrics(latest_status(), form);
  return answer;
}

WebAnswer LivePage::status(const WebRequest& /*request*/) {
  return json_answer(text_of(to_json(latest_status())));
}

WebAnswer LivePage::graph(const WebRequest& request) {
  const bool narrow = request.query.count("narrow") > 0;
  auto picture = pictures_.find(narrow);
  if (picture == pictures_.end()) {
    picture = pictures_.emplace(narrow, render_picture_json(answers_.plan(), narrow)).first;
  }
  return json_answer(picture->second);
}

WebAnswer LivePage::entity(const WebRequest& request) {
  return json_answer(answers_.entity_json(query_value(request, "name")));
}

WebAnswer LivePage::preview(const WebRequest& request) {
  return json_answer(answers_.preview_json(query_value(request, "entity"), text_of_previews));
}

WebAnswer LivePage::log(const WebRequest& request) {
  const std::string after = query_value(request, "after");
  std::uint64_t number = 0;
  std::from_chars(after.data(), after.data() + after.size(), number);
  return json_answer(text_of({{"version", 1}, {"lines", lines_json(number)}}));
}

WebAnswer LivePage::events(const WebRequest& /*request*/) {
  WebAnswer answer;
  answer.content_type = "text/event-stream; charset=utf-8";
  answer.body = "retry: 1000\n\n";
  answer.opens_stream = true;
  return answer;
}

WebAnswer LivePage::set(const WebRequest& request) {
  if (!request.content_type.starts_with(kJson)) {
    return failure_answer(415, "invalid-data",
                          "a change is JSON: say so with 'Content-Type: application/json'");
  }
  const std::vector<std::string> assignments = read_assignments(request.body);
  if (run_.changes().awaits_components()) {
    WebAnswer answer =
        failure_answer(503, "not-available", "the components are not made yet: try again");
    answer.headers = {{"Retry-After", "1"}};
    return answer;
  }
  answers_.set(assignments);
  Log::write(LogLevel::Info, "page, " + request.client + ": set " + joined(assignments));
  return json_answer(text_of({{"ok", true}}));
}

std::pair<std::string, std::chrono::milliseconds> LivePage::event() {
  const std::int64_t begin = steady_now();
  std::string text;
  try {
    Json json = to_json(latest_status());
    json["log"] = LogTail::last();
    text = event_text("status", text_of(json));
  } catch (const std::exception&) {  // there is no memory now, perhaps for the next one
  }
  const auto wait = std::chrono::milliseconds((steady_now() - begin) / 1'000'000 * kShareOfEvents);
  return {std::move(text), std::max(wait, kShortestInterval)};
}

/// Once for all who ask at about the same time.
const ApplicationStatus& LivePage::latest_status() {
  constexpr std::int64_t kFresh = std::chrono::nanoseconds(kShortestInterval).count() / 2;
  if (!status_ || steady_now() - status_at_ > kFresh) {
    status_ = answers_.status();
    status_at_ = steady_now();
  }
  return *status_;
}

}  // namespace gxr
