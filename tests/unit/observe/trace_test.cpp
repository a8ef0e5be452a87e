#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "observe/trace_events.hpp"
#include "observe/trace_file.hpp"
#include "observe/trace_merge.hpp"

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
  std::string name_ =
      (std::filesystem::temp_directory_path() /
       ("gxr_trace_" + std::to_string(::getpid()) + "_" + std::to_string(next_number()) + ".json"))
          .string();

  static int next_number() {
    static int last = 0;
    return ++last;
  }
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
constexpr std::chrono::milliseconds kNever = std::chrono::hours(24);
constexpr std::chrono::milliseconds kSoon{1};

/// The trace that is in the file, when it has what is waited for; null when it does not come.
Json wait_for(const ScratchFile& file, const std::function<bool(const Json&)>& is_there) {
  for (int i = 0; i < 5000; ++i) {
    const Json trace = Json::parse(file.text(), nullptr, false);
    if (!trace.is_discarded() && is_there(trace.at("traceEvents"))) {
      return trace;
    }
    std::this_thread::sleep_for(kSoon);
  }
  return {};
}

std::vector<Json> of_form(const Json& events, const std::string& form) {
  std::vector<Json> found;
  std::ranges::copy_if(events, std::back_inserter(found),
                       [&](const Json& event) { return event.at("ph") == form; });
  return found;
}

}  // namespace

TEST_CASE("Names and texts of a trace are escaped", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), {"a \"b\"\n"});
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.add_track("GPU \\ 0");
  const std::int64_t zero = events.begin();
  TraceEvents::add(track, events.name("q\"\x01\xff"), kKernelEvent, zero + 5, 7, 3, "no\t\"luck\"");
  trace.finish();
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
  TraceFile trace(file.name(), {"gxr"});
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.add_track("GPU 0");
  const TraceEvents::Name name = events.name("kernel");
  CHECK(events.name("kernel") == name);
  constexpr std::int64_t kDay = 86'400'000'000'000;
  TraceEvents::add(track, name, kStartEvent, events.begin() - 1001, 0);
  TraceEvents::add(track, name, kStartEvent, events.begin() + 7, 1'000'050);
  TraceEvents::add(track, name, kStartEvent, events.begin() + 100 * kDay + 1, 999);
  trace.finish();
  const std::string text = file.text();
  CHECK(text.find("\"ts\":-1.001,\"dur\":0.000,") != std::string::npos);
  CHECK(text.find("\"ts\":0.007,\"dur\":1000.050,") != std::string::npos);
  CHECK(text.find("\"ts\":8640000000000.001,\"dur\":0.999,") != std::string::npos);
  const std::string begin = Json::parse(text).at("otherData").at("begin");
  CHECK(begin.size() == std::string("2026-01-31T12:30:01.250000000Z").size());
}

TEST_CASE("A trace keeps events up to its limit and counts the rest", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), {"gxr"}, 2500, kNever);
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.this_thread("main");
  const TraceEvents::Name name = events.name("tick");
  for (int i = 0; i < 3000; ++i) {
    TraceEvents::add(track, name, kTickEvent, events.begin() + i, 1, i + 1, i == 0 ? "why" : "");
  }
  CHECK(events.left_out() == 501);  // one place has the text
  trace.finish();
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
  TraceFile trace(file.name(), {"gxr"}, 10, kNever);
  TraceEvents& events = trace.events();
  TraceEvents::add(events.this_thread(), events.name("a"), kTickEvent, events.begin(), 1, 1,
                   std::string(1000, 'x'));
  trace.finish();
  CHECK(complete(file.text()).at(0).at("args").at("failure") == "(no room for the text)");
}

TEST_CASE("Each thread adds to a track of its own", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), {"gxr"});
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
  trace.finish();
  CHECK(events.tracks().size() == 4);
  CHECK(other.tracks().size() == 4);
  CHECK(complete(file.text()).size() == 20'000);
}

TEST_CASE("An event contains those that are opened before it is closed", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), {"gxr"});
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.this_thread();
  TraceEvents::Event* const outer =
      track.open(events.name("outer"), kTickEvent, events.begin() + 1, 1);
  TraceEvents::add(track, events.name("inner"), kCodeletEvent, events.begin() + 2, 3, 1);
  track.close(outer, events.begin() + 10);
  trace.finish();
  const std::vector<Json> written = complete(file.text());
  REQUIRE(written.size() == 2);
  CHECK(written[0].at("name") == "outer");
  CHECK(written[0].at("args") == Json{{"tick", 1}});
  CHECK(written[1].at("name") == "inner");
}

TEST_CASE("A trace is a whole document while it goes on", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), {"gxr"}, TraceEvents::kGreatestNumber, kSoon);
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.this_thread();
  TraceEvents::add(track, events.name("past"), kTickEvent, events.begin() + 1, 2, 7);
  TraceEvents::Event* const open =
      track.open(events.name("now"), kTickEvent, events.begin() + 5, 8);
  TraceEvents::add(track, events.name("inside"), kCodeletEvent, events.begin() + 6, 1, 8);
  const Json during = wait_for(file, [](const Json& all) { return of_form(all, "B").size() == 1; });
  REQUIRE(during.is_object());
  const Json going_on = of_form(during.at("traceEvents"), "B").at(0);
  CHECK(going_on.at("name") == "now");
  CHECK(going_on.at("args") == Json{{"tick", 8}});
  CHECK_FALSE(going_on.contains("dur"));
  CHECK(of_form(during.at("traceEvents"), "X").size() == 2);
  CHECK(during.at("otherData").at("events") == 2);
  track.close(open, events.begin() + 9, "why");
  trace.finish();
  const Json after = Json::parse(file.text());
  CHECK(of_form(after.at("traceEvents"), "B").empty());
  const std::vector<Json> ended = of_form(after.at("traceEvents"), "X");
  REQUIRE(ended.size() == 3);
  CHECK(ended[1].at("args") == Json{{"tick", 8}, {"failure", "why"}});
  CHECK(ended[2].at("name") == "inside");
}

TEST_CASE("The memory of events that were taken is used again", "[trace]") {
  TraceEvents events(4096);
  TraceEvents::Track& track = events.add_track("a");
  TraceEvents::Track& other = events.add_track("b");
  std::size_t taken = 0;
  const auto count = [&](const TraceEvents::Event& event) {
    CHECK(event.number == static_cast<std::int64_t>(taken / 2));
    ++taken;
  };
  for (int i = 0; i < 100'000; ++i) {
    TraceEvents::Track& next = i / 3000 % 2 == 0 ? track : other;
    TraceEvents::add(next, 0, kTickEvent, i, 1, i / 2, i % 100 == 0 ? "a failure" : "");
    if (i % 1000 == 999) {
      next.take(count);
    }
  }
  CHECK(taken == 100'000);
  CHECK(events.left_out() == 0);
}

TEST_CASE("A trace says where events are missing", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), {"gxr"}, 2048, kNever);
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.this_thread();
  const auto add = [&](int number) {
    TraceEvents::add(track, events.name("a"), kTickEvent, events.begin() + number, 1, number);
  };
  for (int i = 0; i < 2100; ++i) {
    add(i);
  }
  CHECK(events.left_out() == 52);
  track.take([](const TraceEvents::Event&) {});
  add(3000);
  trace.finish();
  const Json all = Json::parse(file.text()).at("traceEvents");
  CHECK(of_form(all, "i").at(0).at("name") == "events left out");
  CHECK(of_form(all, "i").at(0).at("args") == Json{{"events", 52}});
  CHECK(of_form(all, "i").at(0).at("s") == "t");
  CHECK(of_form(all, "X").at(0).at("args") == Json{{"tick", 3000}});
}

TEST_CASE("An arrow of a trace has a beginning and an end", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), {"gxr"});
  TraceEvents& events = trace.events();
  TraceEvents::Track& from = events.add_track("from");
  TraceEvents::Track& to = events.add_track("to");
  TraceEvents::add_arrow(to, events.name("sink/in"), from.number(), events.begin() + 5,
                         events.begin() + 8);
  trace.finish();
  const Json all = Json::parse(file.text()).at("traceEvents");
  const Json begin = of_form(all, "s").at(0);
  const Json end = of_form(all, "f").at(0);
  CHECK(begin.at("tid") == 1);
  CHECK(end.at("tid") == 2);
  CHECK(end.at("bp") == "e");
  CHECK(begin.at("ts") == 0.005);
  CHECK(end.at("ts") == 0.008);
  for (const char* key : {"id", "name", "cat"}) {
    CHECK(begin.at(key) == end.at(key));
  }
}

TEST_CASE("A counter of a trace shows its last value, however often it has changed", "[trace]") {
  const ScratchFile file;
  TraceFile trace(file.name(), {"gxr"}, TraceEvents::kGreatestNumber, kNever);
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.this_thread();
  TraceEvents::Counter& counter = events.add_counter("sink/in");
  for (int i = 0; i < 5000; ++i) {
    counter.set(track, events.begin() + i, i / 2);
  }
  for (int i = 0; i < 20; ++i) {
    counter.set(track, events.begin() + 10 * TraceBudget::kSpacing, i);
  }
  trace.finish();
  const std::vector<Json> shown = of_form(Json::parse(file.text()).at("traceEvents"), "C");
  REQUIRE(shown.size() == TraceBudget::kBurst + 10 + 1);
  CHECK(shown.front().at("args") == Json{{"messages", 0}});
  CHECK(shown[1].at("args") == Json{{"messages", 1}});
  CHECK(shown[TraceBudget::kBurst].at("args") == Json{{"messages", 0}});
  CHECK(shown.back().at("args") == Json{{"messages", 19}});
}

TEST_CASE("A trace that cannot be written says so", "[trace]") {
  CHECK_THROWS_WITH(TraceFile("no/such/folder/t.json", {"gxr"}),
                    "cannot write the trace 'no/such/folder/t.json': No such file or directory");
  TraceFile full("/dev/full", {"gxr"});
  CHECK_THROWS_WITH(full.finish(), "cannot write the trace '/dev/full': No space left on device");
  const ScratchFile file;
  TraceFile removed(file.name(), {"gxr"});
  std::filesystem::remove(file.name());
  CHECK_THROWS_WITH(removed.finish(),
                    "cannot write the trace '" + file.name() + "': it was removed during the run");
}

namespace {

/// A trace of one slice, of a process with this number.
void write_trace(const std::string& file, std::uint32_t number, TraceBegin begin,
                 const std::string& name) {
  TraceFile trace(file, {"rank", number, begin});
  TraceEvents& events = trace.events();
  TraceEvents::Track& track = events.this_thread("main");
  TraceEvents::add(track, events.name(name), kTickEvent, begin.steady_ns + number * 1000, 1);
  TraceEvents::add_arrow(track, events.name("queue"), track.number(), begin.steady_ns,
                         begin.steady_ns + 5);
  trace.finish();
}

}  // namespace

TEST_CASE("Traces of several processes become one", "[trace]") {
  const ScratchFile first;
  const ScratchFile second;
  const ScratchFile third;
  const ScratchFile other;
  const TraceBegin begin = TraceBegin::now();
  write_trace(first.name(), 1, begin, "a");
  write_trace(second.name(), 2, begin, "b");
  write_trace(third.name(), 3, begin, "c");
  write_trace(other.name(), 4, {begin.steady_ns, begin.of_day + std::chrono::seconds(1)}, "d");
  const std::string before = first.text();

  SECTION("of one time line") {
    const std::vector<std::string> left =
        merge_traces(first.name(), {second.name(), "no such", other.name(), third.name()});
    CHECK(left == std::vector<std::string>{"no such", other.name()});
    CHECK_FALSE(std::filesystem::exists(second.name()));
    CHECK(std::filesystem::exists(other.name()));
    const std::vector<Json> slices = complete(first.text());
    REQUIRE(slices.size() == 3);
    CHECK(slices[0].at("name") == "a");
    CHECK(slices[1].at("name") == "b");
    CHECK(slices[1].at("pid") == 2);
    CHECK(slices[2].at("ts") == 3.0);
    const Json json = Json::parse(first.text());
    CHECK(json.at("otherData").at("events") == 3);
    std::set<std::uint64_t> arrows;
    for (const Json& arrow : of_form(json.at("traceEvents"), "s")) {
      arrows.insert(arrow.at("id").get<std::uint64_t>());
    }
    CHECK(arrows.size() == 3);
  }
  SECTION("not when the first one is none") {
    std::ofstream(first.name()) << "{}";
    CHECK_THROWS_WITH(merge_traces(first.name(), {second.name()}),
                      "'" + first.name() + "' is no trace of gxr any more");
    CHECK(std::filesystem::exists(second.name()));
  }
  SECTION("not when there is no room") {
    const rlim_t size = before.size() + 10;
    rlimit all{};
    ::getrlimit(RLIMIT_FSIZE, &all);
    const rlimit little{size, all.rlim_max};
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &little);
    CHECK_THROWS_WITH(merge_traces(first.name(), {second.name()}),
                      "cannot write the trace '" + first.name() + "': File too large");
    ::setrlimit(RLIMIT_FSIZE, &all);
    ::signal(SIGXFSZ, handler);
    CHECK(first.text() == before);
    CHECK(std::filesystem::exists(second.name()));
  }
}

}  // namespace gxr
