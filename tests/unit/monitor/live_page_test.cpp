// The page of an application in this process, from before its components are there to its end.

#include "monitor/live_page.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "catch.hpp"
#include "graph/resolve.hpp"
#include "ipc/file_descriptor.hpp"
#include "plan/plan.hpp"
#include "registry/extension_search.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;

/// An entity that ticks until its two numbers are 1000.
constexpr const char* kPair = R"(
name: a
components:
- {name: pair, type: live::Pair}
---
name: sched
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

constexpr const char* kNumbers = R"(
name: numbers
operator: gxr::arithmetic::Numbers
parameters: {size: 3}
period: 5ms
---
name: forward
operator: gxr::Forward
inputs: {in: numbers}
---
name: sink
operator: gxr::sample::PingRx
inputs: {signal: forward}
)";

class RunningApplication {
 public:
  explicit RunningApplication(const char* text) {
    document_.add_text({Source::Kind::Program, "app", text}, diagnostics_);
    resolve(document_, {},
            {{std::string(GXR_TEST_EXTENSION_DIR) + "/live.so"}, {}, installed_extension_folder()},
            diagnostics_, catalog_, graph_);
    REQUIRE(diagnostics_.errors() == 0);
    plan_ = make_plan(graph_, catalog_, {});
    run_ = std::make_unique<ApplicationRun>(*plan_, catalog_, ExecutorOptions{});
  }
  [[nodiscard]] ApplicationRun& run() noexcept { return *run_; }

 private:
  Document document_;
  Diagnostics diagnostics_;
  TypeCatalog catalog_;
  Graph graph_;
  std::optional<Plan> plan_;
  std::unique_ptr<ApplicationRun> run_;
};

/// A connection to a page. Waits for at most 20 s.
class Client {
 public:
  explicit Client(const WebListener& listener)
      : port_(std::to_string(listener.address().port)), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{20, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(listener.address().port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  }
  void ask(const std::string& begin, const std::string& body = {}) {
    const std::string text = begin + " HTTP/1.1\r\nHost: 127.0.0.1:" + port_ +
                             "\r\nConnection: close\r\nContent-Type: application/json\r\n"
                             "Content-Length: " +
                             std::to_string(body.size()) + "\r\n\r\n" + body;
    REQUIRE(::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(text.size()));
  }
  /// Until `end` has come, or the server closes.
  std::string hear(const std::string& end = "\n\n\n never") {
    std::string text;
    char byte = 0;
    while (text.find(end) == std::string::npos && ::recv(socket_.get(), &byte, 1, 0) == 1) {
      text += byte;
    }
    return text;
  }

 private:
  std::string port_;
  FileDescriptor socket_;
};

std::string answer(const WebListener& listener, const std::string& begin,
                   const std::string& body = {}) {
  Client client(listener);
  client.ask(begin, body);
  return client.hear();
}

}  // namespace

TEST_CASE("a page from before the components are there to the end", "[monitor]") {
  const std::string change = R"({"set": ["a/first=1000", "a/second=1000"]})";
  RunningApplication app(kPair);
  const WebListener listener({"127.0.0.1", 0});
  const ControlAnswers answers(app.run(), {1, "app", {}, 0});
  std::optional<LivePage> page;
  page.emplace(listener, app.run(), answers);
  CHECK_THAT(answer(listener, "POST /api/set", change),
             ContainsSubstring("503") && ContainsSubstring("the components are not made yet"));
  CHECK_THAT(answer(listener, "GET /api/status"), ContainsSubstring(R"("state":"starting")"));
  Client follower(listener);
  follower.ask("GET /api/events");
  Report report;
  std::thread runs([&] { report = app.run().run(); });
  CHECK_THAT(follower.hear(R"("state":"running")"), ContainsSubstring("event: status"));
  CHECK_THAT(answer(listener, "GET /metrics"), ContainsSubstring("gxr_entity_ticks_total"));
  CHECK_THAT(answer(listener, "POST /api/set", change), ContainsSubstring(R"({"ok":true})"));
  runs.join();
  CHECK(report.failures.empty());
  page->finish(R"({"reason": "interrupted"})");
  page.reset();
  CHECK_THAT(follower.hear(), ContainsSubstring("event: end\ndata: {\"reason\":\"interrupted\""));
}

TEST_CASE("a page shows what an entity sends while somebody asks", "[monitor]") {
  RunningApplication app(kNumbers);
  const WebListener listener({"127.0.0.1", 0});
  const ControlAnswers answers(app.run(), {1, "app", {}, 0});
  std::optional<LivePage> page;
  page.emplace(listener, app.run(), answers);
  const std::string question = "GET /api/preview?entity=numbers";
  CHECK_THAT(answer(listener, question), ContainsSubstring(R"("tick":0,"queues":[])"));
  std::thread runs([&] { static_cast<void>(app.run().run()); });
  std::string last;
  while (last.find("\"line\"") == std::string::npos) {
    last = answer(listener, question);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK_THAT(last, ContainsSubstring(R"("shape":"[3]","type":"int32")") &&
                       ContainsSubstring(R"("queue":"numbers/)"));
  CHECK_THAT(answer(listener, "GET /api/preview?entity=nobody"),
             ContainsSubstring("404") && ContainsSubstring("no entity 'nobody' runs on the CPU"));
  app.run().interrupt_by_signal();
  runs.join();
  page->finish(R"({"reason": "interrupted"})");
}

}  // namespace gxr
