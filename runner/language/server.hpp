#pragma once

#include <functional>
#include <set>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "language/channel.hpp"
#include "language/workspace.hpp"

namespace gxr::language {

/// A server of the Language Server Protocol for one editor: answers its requests and tells it the
/// diagnostics of open applications, when nothing else has come from it.
class Server {
 public:
  /// `version`: of gxr, for the editor's log.
  Server(int input, int output, std::string version);
  /// Until the editor says that it is the end. Returns false when it went without a word. Throws
  /// Error(InvalidData, InputOutput) when nothing can be read or written any more.
  bool run();

 private:
  void take(const std::string& text);
  void take_request(const nlohmann::json& message);
  void take_notification(const nlohmann::json& message);
  [[nodiscard]] nlohmann::json answer(const std::string& method, const nlohmann::json& parameters);
  [[nodiscard]] nlohmann::json initialize(const nlohmann::json& parameters);
  void reply_error(const nlohmann::json& id, int code, const std::string& text) const;
  void notify(const std::string& method, nlohmann::json parameters) const;
  void begin();
  void change(const nlohmann::json& parameters);
  void publish();

  Channel channel_;
  std::string version_;
  Workspace workspace_;
  std::set<std::string> published_;  // paths of files with diagnostics
  std::string wrong_options_;        // their names
  bool watches_files_ = false;       // the editor tells of files that change without it
  bool has_news_ = false;            // something changed that the editor was not told of
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  bool has_ended_ = false;
};

}  // namespace gxr::language
