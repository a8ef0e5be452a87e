#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "monitor/web_access.hpp"
#include "monitor/web_address.hpp"
#include "monitor/web_request.hpp"

namespace gxr {

/// A web server on two threads: one moves bytes, the other one makes answers, so that a question
/// that takes long keeps no client from sending or receiving. Clients that are silent, slow, or
/// send garbage or too much keep neither each other nor the application waiting: there are limits
/// on their number, on the bytes of a request, and on the time that it may take.
class WebServer {
 public:
  static constexpr std::size_t kMostClients = 32;
  static constexpr std::size_t kMostStreams = 16;  ///< of them that follow events
  static constexpr std::size_t kLongestHeader = std::size_t{16} << 10;  ///< bytes
  static constexpr std::size_t kLongestBody = std::size_t{64} << 10;    ///< bytes
  /// For a request to come, idle time before it included, and for an answer to go.
  static constexpr std::chrono::seconds kPatience{10};

  /// Both are called on the thread that makes answers, one after the other.
  struct Content {
    /// The answer to a request that was let in.
    std::function<WebAnswer(const WebRequest&)> answer;
    /// The next event for all who follow, as server-sent events have it, and how long to wait for
    /// the one behind. Called only while somebody follows.
    std::function<std::pair<std::string, std::chrono::milliseconds>()> event;
  };

  /// Throws Error(OutOfMemory) when the system has no thread or file descriptor, and
  /// Error(NotSupported) in a build without the library for it.
  WebServer(const WebListener& listener, WebAccess access, Content content);
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;
  /// Waits for `content` to return, and gives clients no more than a moment.
  ~WebServer();

  /// Makes this the last event of all who follow. Those who do not take it at once go without.
  void finish(const std::string& event);
  /// Throws Error(NotSupported) in a build without the library for it.
  static void require();

 private:
  class Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace gxr
