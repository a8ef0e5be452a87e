// Both ways to change parameters from outside, with an application in this process.

#include "control/control_server.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/socket.h>

#include "catch.hpp"
#include "control/control_answers.hpp"
#include "control/control_socket.hpp"
#include "control/watched_file.hpp"
#include "executors/application_run.hpp"
#include "graph/resolve.hpp"
#include "gxr/error.hpp"
#include "ipc/local_socket.hpp"
#include "observe/status_json.hpp"
#include "plan/plan.hpp"
#include "registry/extension_search.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;

/// A folder of its own, which goes with it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gxr-control-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] bool is_empty() const { return std::filesystem::is_empty(path_); }
  /// As editors do: a new file takes the place of the old one.
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name + ".new")) << text;
    std::filesystem::rename(file(name + ".new"), file(name));
  }

 private:
  std::string path_;
};

/// An entity that ticks until its two numbers are 1000, and fails when they differ.
class PairApplication {
 public:
  explicit PairApplication(const std::string& watched = {}) {
    document_.add_text({Source::Kind::Program, "app", R"(
name: a
components:
- {name: pair, type: live::Pair}
---
name: sched
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)"},
                       diagnostics_);
    if (!watched.empty()) {
      add_watched_file(watched, document_, diagnostics_);
    }
    resolve(document_, {},
            {{std::string(GXR_TEST_EXTENSION_DIR) + "/live.so"}, {}, installed_extension_folder()},
            diagnostics_, catalog_, graph_);
    INFO(render_text(diagnostics_, document_.sources(), false));
    REQUIRE(diagnostics_.errors() == 0);
    plan_ = make_plan(graph_, catalog_, {});
    run_ = std::make_unique<ApplicationRun>(*plan_, catalog_, ExecutorOptions{});
  }

  [[nodiscard]] const Document& document() const noexcept { return document_; }
  [[nodiscard]] ApplicationRun& run() noexcept { return *run_; }

 private:
  Document document_;
  Diagnostics diagnostics_;
  TypeCatalog catalog_;
  Graph graph_;
  std::optional<Plan> plan_;
  std::unique_ptr<ApplicationRun> run_;
};

std::vector<std::string> both(int number) {
  return {"a/first=" + std::to_string(number), "a/second=" + std::to_string(number)};
}

}  // namespace

TEST_CASE("clients at the same time, from before the components are there to the end",
          "[control]") {
  const Folder folder;
  PairApplication app;
  const std::string path = folder.file("socket");
  const ControlSocket socket(path);
  std::vector<std::thread> clients;
  std::atomic<int> refused{0};
  Report report;
  {
    const ControlAnswers answers(app.run(), {4711, "app", {"app.yaml"}, 0});
    const ControlServer server(socket, answers);
    for (int client = 0; client < 4; ++client) {
      clients.emplace_back([&, client] {
        for (int number = 1; number < 50; ++number) {
          send_request(path, {both(number), {}});
          try {
            send_request(path, {{"a/first=5", "a/frist=" + std::to_string(client)}, {}});
          } catch (const Error&) {
            ++refused;
          }
        }
      });
    }
    std::thread last([&] {
      for (std::thread& client : clients) {
        client.join();
      }
      send_request(path, {both(1000), {}});
    });
    report = app.run().run();
    last.join();
    CHECK_THROWS_WITH(send_request(path, {both(1), {}}), "the application has ended");
  }
  CHECK(report.reason == EndReason::Interrupted);
  CHECK(report.failures.empty());
  CHECK(refused == 4 * 49);
}

TEST_CASE("a client that waits for components hears that there will be none", "[control]") {
  const Folder folder;
  PairApplication app;
  const ControlSocket socket(folder.file("socket"));
  std::string heard;
  std::thread client;
  {
    const ControlAnswers answers(app.run(), {4711, "app", {"app.yaml"}, 0});
    const ControlServer server(socket, answers);
    client = std::thread([&] {
      try {
        send_request(folder.file("socket"), {both(1), {}});
      } catch (const Error& error) {
        heard = error.message();
      }
    });
    app.run().changes().end();
    client.join();
  }
  CHECK(heard == "the application has ended");
}

namespace {

/// An application that was told to go on until its numbers are 1000, and what it was asked
/// meanwhile.
struct Asked {
  Folder folder;
  std::string path = folder.file("socket");
  PairApplication app;

  /// `ask` runs beside the application, and is told the path.
  template <class Ask>
  Report run(const Ask& ask) {
    const ControlSocket socket(path);
    const ControlAnswers answers(app.run(), {4711, "app", {"app.yaml"}, 0});
    const ControlServer server(socket, answers);
    std::thread client([&] {
      ask(path);
      send_request(path, {both(1000), {}});
    });
    const Report report = app.run().run();
    client.join();
    return report;
  }
};

ApplicationStatus status_at(const std::string& path) {
  return read_status(send_request(path, {{}, {}, true, ControlRequest::Question::Status}));
}

std::vector<ParameterFacts> parameter_at(const std::string& path, const std::string& address) {
  return read_parameters(send_request(path, {{}, address, true, ControlRequest::Question::Get}));
}

}  // namespace

TEST_CASE("questions at the same time, while the application runs", "[control]") {
  Asked asked;
  const Report report = asked.run([](const std::string& path) {
    std::vector<std::thread> clients;
    std::atomic<int> answered{0};
    for (int client = 0; client < 4; ++client) {
      clients.emplace_back([&] {
        for (int i = 0; i < 25; ++i) {
          const ApplicationStatus status = status_at(path);
          answered += status.application.process == 4711 ? 1 : 0;
          send_request(path, {both(i), {}});
          answered += parameter_at(path, "a/first").size() == 1 ? 1 : 0;
        }
      });
    }
    for (std::thread& client : clients) {
      client.join();
    }
    CHECK(answered == 200);
  });
  CHECK(report.reason == EndReason::Interrupted);
  CHECK(report.failures.empty());
}

TEST_CASE("a parameter is told as it was set last", "[control]") {
  Asked asked;
  asked.run([](const std::string& path) {
    CHECK(parameter_at(path, "a/first").front().value == "0");
    CHECK(parameter_at(path, "a/first").front().is_default);
    send_request(path, {{"a/first=7", "a/second=7", "a/list=[7,   7]"}, {}});
    CHECK(parameter_at(path, "a/pair/first").front().value == "7");
    CHECK(parameter_at(path, "a/list").front().value == "[7, 7]");
    CHECK_FALSE(parameter_at(path, "a/list").front().is_default);
    CHECK(parameter_at(path, "a/first").front().fixed.empty());
    CHECK_THAT(parameter_at(path, "a/last").front().fixed, ContainsSubstring("not dynamic"));
    CHECK_THROWS_WITH(parameter_at(path, "a/frist"), ContainsSubstring("first"));
    CHECK_THROWS_WITH(parameter_at(path, "frist"), ContainsSubstring("has no '/'"));
  });
}

TEST_CASE("questions are answered while a change waits for components", "[control]") {
  const Folder folder;
  PairApplication app;
  const std::string path = folder.file("socket");
  const ControlSocket socket(path);
  const ControlAnswers answers(app.run(), {4711, "app", {"app.yaml"}, 0});
  const ControlServer server(socket, answers);
  std::thread waiting([&] { CHECK_THROWS(send_request(path, {both(1), {}})); });
  for (int i = 0; i < 3; ++i) {
    const ApplicationStatus status = status_at(path);
    CHECK(status.phase == RunPhase::Starting);
    CHECK(status.run.entities.empty());
    CHECK(parameter_at(path, "a/first").front().value == "0");
  }
  app.run().changes().end();
  waiting.join();
}

TEST_CASE("a client that does not take its answer keeps nobody waiting", "[control]") {
  Asked asked;
  asked.run([](const std::string& path) {
    const LocalAddress address(path, "socket");
    std::vector<FileDescriptor> deaf;
    const std::string line = to_line({{}, {}, true, ControlRequest::Question::Status});
    for (int i = 0; i < 20; ++i) {
      deaf.push_back(address.make_socket(0));
      REQUIRE(address.connect(deaf.back()) == 0);
      const int small = 1;
      ::setsockopt(deaf.back().get(), SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
      REQUIRE(::send(deaf.back().get(), line.data(), line.size(), MSG_NOSIGNAL) > 0);
    }
    CHECK(status_at(path).application.process == 4711);
  });
}

TEST_CASE("a socket takes its file along, and no other one", "[control]") {
  const Folder folder;
  const std::string path = folder.file("socket");
  {
    const ControlSocket socket(path);
    CHECK_THROWS_WITH(ControlSocket(path), ContainsSubstring("another application that runs"));
    CHECK((std::filesystem::status(path).permissions() & std::filesystem::perms::all) ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  }
  CHECK_FALSE(std::filesystem::exists(path));
  {
    const ControlSocket socket(path);
    std::filesystem::remove(path);
    std::ofstream(path) << "somebody else's";
  }
  CHECK(std::filesystem::exists(path));
  CHECK_THROWS_WITH(ControlSocket(path), ContainsSubstring("is no socket"));
}

TEST_CASE("a socket whose file has just appeared is waited for", "[control]") {
  const Folder folder;
  const LocalAddress address(folder.file("socket"), "socket");
  for (int i = 0; i < 300; ++i) {
    int error = 0;
    std::thread client([&] {
      const FileDescriptor socket = address.make_socket(0);
      while ((error = address.connect_patiently(socket)) == ENOENT) {
      }
    });
    const LocalSocket socket(address);
    client.join();
    REQUIRE(error == 0);
  }
  CHECK(folder.is_empty());
}

TEST_CASE("a watched file is set when it changes, also before it is watched", "[control]") {
  const Folder folder;
  const std::string path = folder.file("live.yaml");
  folder.write("live.yaml", "a/first: 1\na/second: 1\na/last: 7\n");
  PairApplication app(path);
  folder.write("live.yaml", "a/first: 2\na/second: 2\na/last: 7\n");
  const WatchedFile file(path);
  const ParameterWatcher watcher(file, app.document(), app.run().changes());
  std::thread editor([&] {
    for (int number = 3; number <= 7; ++number) {
      const std::string text = std::to_string(number);
      folder.write("live.yaml", "a/first: " + text + "\na/second: " + text + "\n");
    }
  });
  const Report report = app.run().run();
  editor.join();
  CHECK(report.reason == EndReason::Interrupted);
  CHECK(report.failures.empty());
}

TEST_CASE("a folder that is not there cannot be watched", "[control]") {
  const Folder folder;
  CHECK_THROWS_WITH(WatchedFile(folder.file("none/live.yaml")),
                    ContainsSubstring("cannot watch folder"));
}

}  // namespace gxr
