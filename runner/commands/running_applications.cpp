#include "commands/running_applications.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include "commands/commands.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "observe/status_json.hpp"

namespace gxr::commands {
namespace {

using Applications = std::vector<RunningApplication>;

constexpr std::chrono::milliseconds kListPatience{1000};

std::vector<ListeningSocket> find_sockets() {
  std::vector<std::string> problems;
  std::vector<ListeningSocket> sockets = listening_sockets(problems);
  for (const std::string& problem : problems) {
    print_warning(problem + ": applications in it are not listed");
  }
  return sockets;
}

/// Nothing if it has ended meanwhile, or does not listen.
std::optional<ControlCall> begin_call(const ListeningSocket& socket,
                                      const ControlDeadline& deadline) {
  try {
    return ControlCall(socket.path, {{}, {}, true, ControlRequest::Question::About}, deadline);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<ApplicationStatus> end_call(const std::optional<ControlCall>& call,
                                          const ControlDeadline& deadline) {
  try {
    return call ? std::optional(read_status(call->answer(deadline))) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// All are asked before the first answer is waited for.
Applications ask_all(std::vector<ListeningSocket> sockets) {
  const ControlDeadline deadline(kListPatience);
  std::vector<std::optional<ControlCall>> calls;
  for (const ListeningSocket& socket : sockets) {
    calls.push_back(begin_call(socket, deadline));
  }
  Applications applications;
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    applications.push_back({std::move(sockets[i]), end_call(calls[i], deadline)});
  }
  return applications;
}

bool is_called(const RunningApplication& application, const std::string& name) {
  if (!application.about) {
    return false;
  }
  const ApplicationIdentity& identity = application.about->application;
  return identity.name == name || std::ranges::any_of(identity.files, [&](const std::string& file) {
           return file == name || std::filesystem::path(file).filename() == name;
         });
}

/// Throws Error(NotFound) unless there is one.
std::string only_path(const Applications& applications, const std::string& none,
                      const std::string& several) {
  if (applications.empty()) {
    throw Error(ErrorCode::NotFound, none);
  }
  if (applications.size() > 1) {
    throw Error(ErrorCode::NotFound, several + ":\n" + list_text(applications));
  }
  return applications.front().socket.path;
}

std::string path_of(const std::string& name) {
  Applications applications = running_applications();
  const auto process = std::ranges::find(applications, name, [](const RunningApplication& each) {
    return std::to_string(each.socket.process);
  });
  if (process != applications.end()) {
    return process->socket.path;
  }
  std::string others = list_text(applications);
  std::erase_if(applications,
                [&](const RunningApplication& each) { return !is_called(each, name); });
  if (others.empty()) {
    others = "; no application runs";
  } else {
    others = "; these run:\n" + others;
  }
  return only_path(applications, "no application " + quote_text(name) + " runs" + others,
                   "several applications are called " + quote_text(name) +
                       "; name one by its process, with --app");
}

/// The one that has the usual socket, else the only one.
std::string usual_path() {
  if (std::string usual = usual_control_path(); has_listener(usual)) {
    return usual;
  }
  std::vector<ListeningSocket> sockets = find_sockets();
  if (sockets.size() == 1) {
    return sockets.front().path;
  }
  return only_path(ask_all(std::move(sockets)),
                   "no application of this user runs that could be asked (--no-control, gxe and "
                   "programs that embed gxr make no control socket)",
                   "several applications run; name one with --app");
}

/// An Error of these codes is thrown before there is an application that could refuse.
bool is_not_reached(ErrorCode code) {
  return code == ErrorCode::NotFound || code == ErrorCode::InvalidArgument ||
         code == ErrorCode::InputOutput;
}

int fail_to_ask(const Error& error, bool reached) {
  print_error(error.message());
  return !reached && is_not_reached(error.code()) ? kUsage : kRunFailed;
}

}  // namespace

Applications running_applications() { return ask_all(find_sockets()); }

std::string list_text(const Applications& applications) {
  std::string text;
  for (const RunningApplication& each : applications) {
    const std::string name = each.about ? each.about->application.name : "does not answer";
    text += fmt::format("{}  {:<7}  {}", text.empty() ? "" : "\n", each.socket.process, name);
    for (const std::string& file :
         each.about ? each.about->application.files : std::vector<std::string>()) {
      text += "  " + file;
    }
  }
  return text;
}

void ApplicationChoice::add_to(CLI::App& command) {
  command
      .add_option("--app", app_,
                  "The application: its process number, its name as 'gxr ps' shows it, or a "
                  "socket; left out: the only one that runs")
      ->type_name("PID|NAME|SOCKET");
  add_number_option(command, "--timeout", 0, 1e6, "How long to wait for the answer; 0: no limit",
                    [this](double seconds) { timeout_ = seconds; })
      ->type_name("SECONDS")
      ->default_str(fmt::format("{}", timeout_));
}

void ApplicationChoice::set_socket(std::string path) { socket_ = std::move(path); }

std::string ApplicationChoice::path() const {
  if (!socket_.empty()) {
    if (!app_.empty()) {
      throw Error(ErrorCode::InvalidArgument, "a socket and --app: name the application once");
    }
    return socket_;
  }
  if (app_.empty()) {
    return usual_path();
  }
  return is_socket_path(app_) ? app_ : path_of(app_);
}

int ApplicationChoice::call(
    const ControlRequest& request, std::chrono::milliseconds patience,
    const std::function<int(const ControlCall&, const ControlDeadline&)>& take) const {
  bool reached = false;
  try {
    const ControlDeadline deadline(patience);
    const ControlCall call(path(), request, deadline);
    reached = true;
    return take(call, deadline);
  } catch (const Error& error) {
    return fail_to_ask(error, reached);
  }
}

std::chrono::milliseconds ApplicationChoice::patience() const {
  return std::chrono::milliseconds(std::llround(timeout_ * 1000.0));
}

int ApplicationChoice::find(
    const std::function<int(const std::string&, std::chrono::milliseconds)>& take) const {
  try {
    return take(path(), patience());
  } catch (const Error& error) {
    return fail_to_ask(error, false);
  }
}

int ApplicationChoice::ask(const ControlRequest& request,
                           const std::function<int(const nlohmann::json&)>& take,
                           std::chrono::nanoseconds more) const {
  std::chrono::milliseconds limit = patience();
  if (limit.count() > 0) {
    limit += std::chrono::ceil<std::chrono::milliseconds>(more);
  }
  return call(request, limit, [&](const ControlCall& call, const ControlDeadline& deadline) {
    return take(call.answer(deadline));
  });
}

int ApplicationChoice::print_status() const {
  return call({{}, {}, true, ControlRequest::Question::StatusText}, patience(),
              [](const ControlCall& call, const ControlDeadline& deadline) {
                print_text(call.text(deadline));
                return static_cast<int>(kDone);
              });
}

bool is_socket_path(const std::string& argument) {
  struct stat file {};
  return argument.ends_with(".sock") ||
         (::stat(argument.c_str(), &file) == 0 && S_ISSOCK(file.st_mode));
}

}  // namespace gxr::commands
