#include "language/server.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "document/json_text.hpp"
#include "gxr/error.hpp"
#include "language/answers.hpp"
#include "language/uri.hpp"

namespace gxr::language {
namespace {

// Codes of JSON-RPC and of the protocol.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParameters = -32602;
constexpr int kNotInitialized = -32002;
constexpr int kRequestFailed = -32803;

constexpr int kIncrementalSync = 2;
constexpr JsonLimits kLimits{std::size_t{64} << 20U, 100};

using Answer = Json (*)(Workspace&, const Json&);

struct Request {
  const char* method;
  Answer answer;
};

constexpr Request kRequests[] = {
    {"textDocument/completion", complete},          {"textDocument/hover", hover},
    {"textDocument/definition", find_definition},   {"textDocument/references", find_references},
    {"textDocument/prepareRename", prepare_rename}, {"textDocument/rename", rename},
    {"textDocument/documentSymbol", list_symbols},  {"textDocument/codeAction", list_fixes},
};

/// Relative names in files count from the folder of the workspace.
void go_to_folder(const Json& parameters) {
  std::string uri;
  if (parameters.contains("workspaceFolders") && parameters.at("workspaceFolders").is_array() &&
      !parameters.at("workspaceFolders").empty()) {
    uri = parameters.at("workspaceFolders").front().at("uri").get<std::string>();
  } else if (parameters.contains("rootUri") && parameters.at("rootUri").is_string()) {
    uri = parameters.at("rootUri").get<std::string>();
  }
  if (!uri.empty()) {
    std::error_code ignored;
    std::filesystem::current_path(path_of_uri(uri), ignored);
  }
}

/// One of the options of the editor. `wrong` gets the names of those that are of another kind; null
/// is as good as left out.
template <class T>
void read_option(const Json& given, const char* name, T& value, std::string& wrong) {
  const auto found = given.find(name);
  if (found == given.end() || found->is_null()) {
    return;
  }
  try {
    value = found->get<T>();
  } catch (const Json::exception&) {
    wrong += (wrong.empty() ? "" : ", ") + std::string(name);
  }
}

WorkspaceOptions options_in(const Json& parameters, std::string& wrong) {
  WorkspaceOptions options;
  const auto given = parameters.find("initializationOptions");
  if (given == parameters.end() || !given->is_object()) {
    return options;
  }
  std::string compat;
  read_option(*given, "applications", options.applications, wrong);
  read_option(*given, "extensions", options.extensions, wrong);
  read_option(*given, "manifests", options.manifests, wrong);
  read_option(*given, "appRoot", options.root, wrong);
  read_option(*given, "compat", compat, wrong);
  read_option(*given, "trusted", options.trusted, wrong);
  options.compat_gxf = compat == "gxf";
  std::erase_if(options.applications, [](const auto& files) { return files.empty(); });
  return options;
}

/// Can the editor tell of files that change without it?
bool watches_files(const Json& parameters) {
  const Json::json_pointer place(
      "/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration");
  return parameters.contains(place) && parameters.at(place).is_boolean() &&
         parameters.at(place).get<bool>();
}

Json capabilities() {
  return {{"textDocumentSync",
           {{"openClose", true}, {"change", kIncrementalSync}, {"save", {{"includeText", false}}}}},
          {"completionProvider", {{"triggerCharacters", {":", "/", " "}}}},
          {"hoverProvider", true},
          {"definitionProvider", true},
          {"referencesProvider", true},
          {"renameProvider", {{"prepareProvider", true}}},
          {"documentSymbolProvider", true},
          {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}}};
}

}  // namespace

Server::Server(int input, int output, std::string version)
    : channel_(input, output), version_(std::move(version)) {}

bool Server::run() {
  while (!has_ended_) {
    // Changes that have come meanwhile go first: diagnostics are those of the last state.
    if (has_news_ && !channel_.has_input(std::chrono::milliseconds(0))) {
      publish();
    }
    const std::optional<std::string> text = channel_.read();
    if (!text) {
      return false;
    }
    take(*text);
  }
  return is_shut_down_;
}

void Server::take(const std::string& text) {
  Json message;
  try {
    message = read_foreign_json(text, kLimits);
  } catch (const Error& error) {
    reply_error(nullptr, kParseError, error.message());
    return;
  }
  if (!message.is_object() || !message.contains("method") || !message.at("method").is_string()) {
    if (!message.is_object() || !(message.contains("result") || message.contains("error"))) {
      reply_error(nullptr, kInvalidRequest, "a message needs a method");
    }
    return;
  }
  if (message.contains("id")) {
    take_request(message);
  } else {
    take_notification(message);
  }
}

void Server::take_request(const Json& message) {
  const Json id = message.at("id");
  const auto method = message.at("method").get<std::string>();
  const Json parameters = message.value("params", Json::object());
  if (is_shut_down_) {
    reply_error(id, kInvalidRequest, "the server has been shut down");
    return;
  }
  if (!is_initialized_ && method != "initialize") {
    reply_error(id, kNotInitialized, "'initialize' comes first");
    return;
  }
  try {
    channel_.write({{"jsonrpc", "2.0"}, {"id", id}, {"result", answer(method, parameters)}});
  } catch (const Json::exception&) {
    reply_error(id, kInvalidParameters,
                "the parameters of '" + method + "' are not as they must be");
  } catch (const Error& error) {
    if (error.code() == ErrorCode::InputOutput) {
      throw;
    }
    reply_error(id, error.code() == ErrorCode::NotFound ? kMethodNotFound : kRequestFailed,
                error.message());
  }
}

Json Server::answer(const std::string& method, const Json& parameters) {
  if (method == "initialize") {
    return initialize(parameters);
  }
  if (method == "shutdown") {
    is_shut_down_ = true;
    return nullptr;
  }
  for (const Request& request : kRequests) {
    if (method == request.method) {
      return request.answer(workspace_, parameters);
    }
  }
  throw Error(ErrorCode::NotFound, "there is no method '" + method + "'");
}

Json Server::initialize(const Json& parameters) {
  WorkspaceOptions options = options_in(parameters, wrong_options_);
  watches_files_ = watches_files(parameters);
  go_to_folder(parameters);
  workspace_ = Workspace(std::move(options));
  is_initialized_ = true;
  return {{"capabilities", capabilities()},
          {"serverInfo", {{"name", "gxr"}, {"version", version_}}}};
}

void Server::take_notification(const Json& message) {
  const auto method = message.at("method").get<std::string>();
  const Json parameters = message.value("params", Json::object());
  if (method == "exit") {
    has_ended_ = true;
    return;
  }
  if (!is_initialized_) {
    return;
  }
  const bool had_news = std::exchange(has_news_, true);
  try {
    if (method == "textDocument/didOpen") {
      const Json& file = parameters.at("textDocument");
      workspace_.open(path_in(parameters), file.at("uri").get<std::string>(),
                      file.at("text").get<std::string>(), file.value("version", std::int64_t{0}));
    } else if (method == "textDocument/didChange") {
      change(parameters);
    } else if (method == "textDocument/didClose") {
      workspace_.close(path_in(parameters));
    } else if (method == "initialized") {
      begin();
      has_news_ = had_news;
    } else if (method == "textDocument/didSave" || method == "workspace/didChangeWatchedFiles") {
      workspace_.files_changed();
    } else {
      has_news_ = had_news;  // others change nothing
    }
  } catch (const Json::exception&) {
    notify(
        "window/logMessage",
        {{"type", 2}, {"message", "the parameters of '" + method + "' are not as they must be"}});
  }
}

void Server::begin() {
  if (!wrong_options_.empty()) {
    notify("window/showMessage",
           {{"type", 2},
            {"message", "gxr: these options are not as they must be: " + wrong_options_}});
  }
  if (watches_files_) {
    channel_.write({{"jsonrpc", "2.0"},
                    {"id", "watch"},
                    {"method", "client/registerCapability"},
                    {"params",
                     {{"registrations",
                       {{{"id", "watch"},
                         {"method", "workspace/didChangeWatchedFiles"},
                         {"registerOptions",
                          {{"watchers", {{{"globPattern", "**/*.{yaml,yml,so,py}"}}}}}}}}}}}});
  }
}

void Server::change(const Json& parameters) {
  const std::string path = path_in(parameters);
  for (const Json& each : parameters.at("contentChanges")) {
    std::optional<Range> range;
    if (each.contains("range")) {
      range = range_in(each.at("range"));
    }
    workspace_.change(path, range, each.at("text").get<std::string>());
  }
  workspace_.set_version(path, parameters.at("textDocument").value("version", std::int64_t{0}));
}

void Server::reply_error(const Json& id, int code, const std::string& text) const {
  channel_.write({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
}

void Server::notify(const std::string& method, Json parameters) const {
  channel_.write({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}});
}

/// The diagnostics of all applications with open files, and none of files that have none any more.
void Server::publish() {
  has_news_ = false;
  workspace_.refresh();
  std::set<std::string> paths;
  for (const auto& application : workspace_.applications()) {
    for (const FileDiagnostic& each : application->diagnostics) {
      paths.insert(each.where.path);
    }
    for (const std::string& file : application->paths) {
      if (workspace_.text_of(file) != nullptr) {
        paths.insert(file);  // also when all is right
      }
    }
  }
  published_.insert(paths.begin(), paths.end());
  for (const std::string& path : published_) {
    Json all = Json::array();
    for (const auto& application : workspace_.applications()) {
      for (Json& each : diagnostics_of(*application, path, workspace_)) {
        all.push_back(std::move(each));
      }
    }
    Json parameters{{"uri", workspace_.uri_of(path)}, {"diagnostics", std::move(all)}};
    if (const auto version = workspace_.version_of(path)) {
      parameters["version"] = *version;
    }
    notify("textDocument/publishDiagnostics", std::move(parameters));
  }
  published_ = std::move(paths);
}

}  // namespace gxr::language
