#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/running_applications.hpp"
#include "observe/status_json.hpp"
#include "observe/status_text.hpp"

namespace gxr::commands {
namespace {

constexpr int kListVersion = 1;

nlohmann::ordered_json to_json(const RunningApplication& application) {
  nlohmann::ordered_json json = {{"process", application.socket.process},
                                 {"socket", application.socket.path},
                                 {"answers", application.about.has_value()}};
  if (application.about) {
    const ApplicationStatus& about = *application.about;
    json["name"] = about.application.name;
    json["files"] = about.application.files;
    json["state"] = phase_text(about.phase);
    json["started_ms"] = about.application.started_ms;
    json["elapsed_ns"] = about.elapsed_ns;
  }
  return json;
}

std::string files_of(const ApplicationStatus& about) {
  std::string text;
  for (const std::string& file : about.application.files) {
    text += (text.empty() ? "" : " ") + file;
  }
  return text;
}

std::string table_of(const std::vector<RunningApplication>& applications) {
  std::size_t width = 4;
  for (const RunningApplication& each : applications) {
    width = std::max(width, each.about ? each.about->application.name.size() : 1);
  }
  std::string text = fmt::format("{:>8}  {:<{}}  {:<8}  {:>12}  files\n", "process", "name", width,
                                 "state", "time");
  for (const RunningApplication& each : applications) {
    text += each.about
                ? fmt::format("{:>8}  {:<{}}  {:<8}  {:>12}  {}\n", each.socket.process,
                              each.about->application.name, width, phase_text(each.about->phase),
                              elapsed_text(each.about->elapsed_ns), files_of(*each.about))
                : fmt::format("{:>8}  {:<{}}  does not answer\n", each.socket.process, "?", width);
  }
  return text;
}

int list_running(const std::string& format) {
  const std::vector<RunningApplication> applications = running_applications();
  if (format == "json") {
    nlohmann::ordered_json json = {{"version", kListVersion},
                                   {"applications", nlohmann::ordered_json::array()}};
    for (const RunningApplication& each : applications) {
      json["applications"].push_back(to_json(each));
    }
    print(json);
  } else {
    print_text(applications.empty() ? "no application runs\n" : table_of(applications));
  }
  return kDone;
}

}  // namespace

void add_ps(CLI::App& app, int& exit_code) {
  auto format = std::make_shared<std::string>("text");
  CLI::App* command = app.add_subcommand("ps", "List the applications of this user that run");
  command->add_option("--format", *format, "Form of the list")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([format, &exit_code] { exit_code = list_running(*format); });
}

}  // namespace gxr::commands
