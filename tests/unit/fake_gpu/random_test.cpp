// Random programs with random changes, faults and ends, for a fixed number of seeds.

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"
#include "made_application.hpp"
#include "operators.hpp"

namespace gxr::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kSeeds = 60;

/// A graph of random operators, of which the test knows what each number becomes.
class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(static_cast<unsigned>(seed)) {
    made.feed("feed", count);
    known_["feed"] = [](std::int64_t number) { return number; };
    const std::uint64_t operators = 2 + random_() % 7;
    for (std::uint64_t i = 0; i < operators; ++i) {
      add("o" + std::to_string(i));
    }
    if (random_() % 2 == 0) {
      add_choice();
    }
    if (random_() % 2 == 0) {
      add_while();
    }
    made.keep("keep", last_);
  }
  /// Another operator, behind all others, which does what it is called at a number.
  void add_odd(const std::string& type) {
    made.graph_operator("odd", type, {{"in", last_}}).keep("after", "odd");
  }

  /// `hangs`: it will, so the watchdog is not patient.
  std::string options(bool hangs) {
    const char* const modes[] = {"mode: graph", "mode: resident"};
    std::string text = modes[random_() % 2];
    text += ", slots: " + std::to_string(1 + random_() % 4);
    text += hangs ? ", watchdog_ms: 150" : ", watchdog_ms: 20000";
    return text;
  }
  std::string scheduler() {
    const char* const all[] = {"gxr::GreedyScheduler", "gxr::MultiThreadScheduler",
                               "gxr::EventBasedScheduler"};
    return all[random_() % 3];
  }
  [[nodiscard]] std::int64_t wanted(std::int64_t number) const { return known_.at(last_)(number); }
  std::uint64_t roll(std::uint64_t sides) { return random_() % sides; }

  static constexpr std::uint64_t count = 60;
  MadeApplication made;

 private:
  using Function = std::function<std::int64_t(std::int64_t)>;

  std::string any() {
    auto at = known_.begin();
    std::advance(at, random_() % known_.size());
    return at->first;
  }
  /// The last one reads the one before, so that all may matter.
  void add(const std::string& name) {
    const std::string from = last_.empty() ? "feed" : last_;
    const Function before = known_.at(from);
    switch (random_() % 3) {
      case 0: {
        const auto value = static_cast<std::int64_t>(random_() % 100);
        made.graph_operator(name, "Add", {{"in", from}}, "value: " + std::to_string(value));
        known_[name] = [before, value](std::int64_t n) { return before(n) + value; };
        break;
      }
      case 1: {
        const auto factor = static_cast<std::int64_t>(1 + random_() % 3);
        made.graph_operator(name, "Scale", {{"in", from}}, "factor: " + std::to_string(factor));
        known_[name] = [before, factor](std::int64_t n) { return before(n) * factor; };
        break;
      }
      default: {
        const std::string other = any();
        const Function also = known_.at(other);
        made.graph_operator(name, "Join", {{"a", from}, {"b", other}});
        known_[name] = [before, also](std::int64_t n) { return before(n) + also(n); };
      }
    }
    last_ = name;
  }

  /// One of two values is added, by what the number is.
  void add_choice() {
    const auto than = static_cast<std::int64_t>(random_() % 40);
    const std::string from = last_;
    made.graph_operator("less", "Less", {{"in", from}}, "than: " + std::to_string(than))
        .graph_operator("then", "Add", {{"in", from}}, "value: 1000")
        .graph_operator("else", "Add", {{"in", from}}, "value: 2000")
        .graph_operator("chosen", "Add", {{"in", "then"}, {"in", "else"}}, "value: 1")
        .branch(
            "- {type: gxr::cuda::If, parameters: {selector: less/out, then: [then], else: "
            "[else]}}");
    known_["chosen"] = [before = known_.at(from), than](std::int64_t n) {
      return before(n) + (before(n) < than ? 1001 : 2001);
    };
    last_ = "chosen";
  }
  /// The body runs a few times, and changes nothing behind the first.
  void add_while() {
    const std::string from = last_;
    made.graph_operator("again", "Add", {{"in", from}}, "value: 3")
        .graph_operator("more", "Less", {{"in", "again"}}, "than: 1000000000")
        .graph_operator("behind", "Add", {{"in", "again"}}, "value: 4")
        .branch(
            "- {type: gxr::cuda::While, parameters: {condition: more/out, body: [again, "
            "more], limit: 3}}");
    known_["behind"] = [before = known_.at(from)](std::int64_t n) { return before(n) + 7; };
    last_ = "behind";
  }

  std::minstd_rand random_;
  std::map<std::string, Function> known_;
  std::string last_;
};

enum class End : std::uint8_t { Count, Interrupt, Fault, Hang };

void require_end(End end, const Report& report, std::int64_t kept) {
  switch (end) {
    case End::Count:
      CHECK(report.failures.empty());
      CHECK(kept == static_cast<std::int64_t>(Random::count));
      return;
    case End::Interrupt:
      CHECK(report.failures.empty());
      return;
    case End::Fault:
    case End::Hang:
      CHECK(report.reason == EndReason::Failed);
      CHECK_FALSE(report.failures.empty());
  }
}

void run(std::uint64_t seed) {
  INFO("seed " << seed);
  fake::set_seed(seed);
  Random made(seed);
  const auto end = static_cast<End>(made.roll(4));
  const auto switches = std::make_shared<Switches>();
  const std::int64_t odd = made.wanted(1 + static_cast<std::int64_t>(made.roll(Random::count)));
  if (end == End::Fault || end == End::Hang) {
    made.add_odd(end == End::Fault ? "Fault" : "Hang");
    (end == End::Fault ? switches->fails_at : switches->hangs_at) = static_cast<std::uint64_t>(odd);
  }
  {
    Application app;
    load(app, made.made.text(made.options(end == End::Hang), made.scheduler()), switches);
    app.run_async();
    if (end == End::Interrupt) {
      std::this_thread::sleep_for(std::chrono::microseconds(made.roll(20'000)));
      app.interrupt();
    }
    const Report report = app.wait();
    std::map<std::int64_t, std::int64_t> seen;  // by number: both sinks get each
    std::int64_t number = 0;
    for (const std::int64_t kept : switches->kept()) {
      number += ++seen[kept] == 1 ? 1 : 0;
      REQUIRE(seen[made.wanted(number)] > 0);
    }
    require_end(end, report, number);
  }
  switches->hangs->open();
  fake::settle();
  fake::set_seed(0);
}

}  // namespace

TEST_CASE("Random programs give right results until their end", "[hangs]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    run(seed);
  }
}

}  // namespace gxr::test
