#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "observe/trace_file.hpp"

namespace gxr {
namespace {

using Json = nlohmann::json;

/// A file of this process that goes with the object.
class ScratchFile {
 public:
  ScratchFile() = default;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { std::filesystem::remove(name_); }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::string text() const {
    std::ifstream file(name_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string name_ = (std::filesystem::temp_directory_path() /
                       ("gxr_trace_" + std::to_string(::getpid()) + ".json"))
                          .string();
};

/// The complete events of what was written.
std::vector<Json> complete(const std::string& text) {
  std::vector<Json> found;
  const Json trace = Json::parse(text);
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") {
      found.push_back(event);
    }
  }
  return found;
}

constexpr TraceKind kKernelEvent{"kernel", "iteration"};

}  // namespace

TEST_CASE("Names and texts of a trace are escaped", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), "a \"b\"\n");
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.add_track("GPU \\ 0");
  const std::int64_t zero = events.begin();
  TraceEvents::add(track, events.name("q\"\x01\xff"), kKernelEvent, zero + 5, 7, 3, "no\t\"luck\"");
  trace.write();
  const Json json = Json::parse(file.text());
  CHECK(json.at("traceEvents")[0].at("args").at("name") == "a \"b\"\n");
  CHECK(json.at("traceEvents")[1].at("args").at("name") == "GPU \\ 0");
  const Json event = complete(file.text()).at(0);
  CHECK(event.at("name") == "q\"\x01\xEF\xBF\xBD");
  CHECK(event.at("cat") == "kernel");
  CHECK(event.at("args") == Json{{"iteration", 3}, {"failure", "no\t\"luck\""}});
}

TEST_CASE("Times of a trace are microseconds that keep the nanoseconds", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), "gxr");
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.add_track("GPU 0");
  const TraceEvents::Name name = events.name("kernel");
  CHECK(events.name("kernel") == name);
  constexpr std::int64_t kDay = 86'400'000'000'000;
  TraceEvents::add(track, name, kStartEvent, events.begin() - 1001, 0);
  TraceEvents::add(track, name, kStartEvent, events.begin() + 7, 1'000'050);
  TraceEvents::add(track, name, kStartEvent, events.begin() + 100 * kDay + 1, 999);
  trace.write();
  const std::string text = file.text();
  CHECK(text.find("\"ts\":-1.001,\"dur\":0.000,") != std::string::npos);
  CHECK(text.find("\"ts\":0.007,\"dur\":1000.050,") != std::string::npos);
  CHECK(text.find("\"ts\":8640000000000.001,\"dur\":0.999,") != std::string::npos);
  const std::string begin = Json::parse(text).at("otherData").at("begin");
  CHECK(begin.size() == std::string("2026-01-31T12:30:01.250000000Z").size());
}

TEST_CASE("A trace keeps events up to its limit and counts the rest", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), "gxr", 2500);
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.this_thread("main");
  const TraceEvents::Name name = events.name("tick");
  for (int i = 0; i < 3000; ++i) {
    TraceEvents::add(track, name, kTickEvent, events.begin() + i, 1, i + 1, i == 0 ? "why" : "");
  }
  CHECK(events.left_out() == 501);  // one place has the text
  trace.write();
  const std::vector<Json> written = complete(file.text());
  CHECK(written.size() == 2499);
  CHECK(written.front().at("args").at("failure") == "why");
  CHECK(written.back().at("args").at("tick") == 2499);
  const Json other = Json::parse(file.text()).at("otherData");
  CHECK(other.at("events") == 2499);
  CHECK(other.at("events_left_out") == 501);
}

TEST_CASE("A text for which a trace has no room is said to be missing", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), "gxr", 10);
  TraceEvents& events = trace.events();
  TraceEvents::add(events.this_thread(), events.name("a"), kTickEvent, events.begin(), 1, 1,
                   std::string(1000, 'x'));
  trace.write();
  CHECK(complete(file.text()).at(0).at("args").at("failure") == "(no room for the text)");
}

TEST_CASE("Each thread adds to a track of its own", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), "gxr");
  TraceEvents& events = trace.events();
  TraceEvents other;
  const TraceEvents::Name name = events.name("tick");
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        TraceEvents::add(events.this_thread(), name, kTickEvent, events.begin() + i, 1, i);
        static_cast<void>(other.this_thread());
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  trace.write();
  CHECK(events.tracks().size() == 4);
  CHECK(other.tracks().size() == 4);
  CHECK(complete(file.text()).size() == 20'000);
}

TEST_CASE("An event contains those that are opened before it is closed", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), "gxr");
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.this_thread();
  TraceEvents::Event* const outer =
      track.open(events.name("outer"), kTickEvent, events.begin() + 1, 1);
  TraceEvents::add(track, events.name("inner"), kCodeletEvent, events.begin() + 2, 3, 1);
  track.close(outer, events.begin() + 10);
  trace.write();
  const std::vector<Json> written = complete(file.text());
  REQUIRE(written.size() == 2);
  CHECK(written[0].at("name") == "outer");
  CHECK(written[0].at("args") == Json{{"tick", 1}});
  CHECK(written[1].at("name") == "inner");
}

TEST_CASE("A trace that cannot be written says so", "[trace]") {
  CHECK_THROWS_WITH(TraceFile("no/such/folder/t.json", "gxr"),
                    "cannot write the trace 'no/such/folder/t.json': No such file or directory");
  TraceFile full("/dev/full", "gxr");
  CHECK_THROWS_WITH(full.write(), "cannot write the trace '/dev/full': No space left on device");
}

}  // namespace gxr
