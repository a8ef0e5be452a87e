#include "catch.hpp"
#include "graph/application.hpp"

using namespace gxr;
using namespace gxr::test;
using Catch::Matchers::ContainsSubstring;
using Code = DiagnosticCode;

namespace {

std::unique_ptr<Application> app_of(const std::string& text) {
  return resolve_text(text + kScheduler);
}

const std::string kPing = tx("tx") + rx("rx") + connect("tx/signal", "rx/signal");

std::string term(const std::string& type, const std::string& parameters) {
  return "- type: gxr::" + type + "SchedulingTerm\n  parameters: {" + parameters + "}\n";
}

std::string works(const std::string& name) {
  return "---\nname: " + name + "\ncomponents:\n- type: test::Everything\n";
}

}  // namespace

TEST_CASE("an application has exactly one scheduler") {
  CHECK(resolve_text(kPing)->only(Code::NoScheduler).where.line == 0);
  CHECK(resolve_text(kPing + kScheduler)->count(Code::NoScheduler) == 0);
  CHECK(resolve_text("")->count(Code::NoScheduler) == 0);
  const auto two = app_of(kPing + "---\ncomponents:\n- type: test::OtherScheduler\n");
  CHECK(two->only(Code::SeveralSchedulers).related.size() == 1);
  CHECK(resolve_text(kPing + "---\ncomponents:\n- type: gxr::GredyScheduler\n")
            ->count(Code::NoScheduler) == 0);
}

TEST_CASE("a greedy scheduler needs a clock or realtime") {
  const std::string greedy = kPing + "---\ncomponents:\n- type: gxr::GreedyScheduler\n";
  CHECK(resolve_text(greedy)->count(Code::MissingClock) == 1);
  CHECK(resolve_text(greedy + "  parameters: {realtime: false}\n")->count(Code::MissingClock) == 0);
  CHECK(resolve_text(greedy + "  parameters: {clock: wrong}\n")->count(Code::MissingClock) == 0);
}

TEST_CASE("entities that can never tick are found") {
  CHECK_THAT(app_of(works("a") + term("Count", "count: 0"))->only(Code::NeverTicks).text,
             ContainsSubstring("count is 0"));
  CHECK(app_of(works("a") + term("Count", "count: -1"))->count(Code::NeverTicks) == 0);
  CHECK(app_of(works("a") + term("Boolean", "enable_tick: false"))->count(Code::NeverTicks) == 1);
  CHECK(app_of(works("a"))->count(Code::NeverTicks) == 0);
  CHECK_THAT(app_of(rx("rx"))->only(Code::NeverTicks).text,
             ContainsSubstring("no connection leads there"));
  CHECK_THAT(app_of(tx("tx"))->only(Code::NeverTicks).text,
             ContainsSubstring("no connection leads from there"));
  CHECK(app_of("components:\n" + term("Count", "count: 0"))->count(Code::NeverTicks) == 0);
}

TEST_CASE("a term that somebody can switch on is no obstacle") {
  const auto app = app_of(
      works("a") +
      "- name: on\n  type: gxr::BooleanSchedulingTerm\n  parameters: {enable_tick: false}\n---\n"
      "name: b\ncomponents:\n- type: test::Switch\n  parameters: {term: a/on}\n");
  INFO(app->text());
  CHECK(app->count(Code::NeverTicks) == 0);
}

TEST_CASE("more messages than fit are never there") {
  const auto messages = resolve_given({{kPing + kScheduler}, {"rx/message/min_size=2"}, false});
  CHECK_THAT(messages->only(Code::NeverTicks).text, ContainsSubstring("which can hold 1"));
  const auto enough = resolve_given(
      {{kPing + kScheduler}, {"rx/message/min_size=2", "rx/signal/capacity=2"}, false});
  CHECK(enough->diagnostics.all().empty());
  const auto room = resolve_given({{kPing + kScheduler}, {"tx/room/min_size=2"}, false});
  CHECK_THAT(room->only(Code::NeverTicks).text, ContainsSubstring("room for 2 messages"));
  const auto none = resolve_given({{rx("rx") + kScheduler}, {"rx/message/min_size=0"}, false});
  CHECK(none->count(Code::NeverTicks) == 0);
}

TEST_CASE("what waits for an entity that never ticks is named with it") {
  const auto app = app_of(tx("tx", 0) + pass("p") + rx("rx") + connect("tx/signal", "p/in") +
                          connect("p/out", "rx/signal"));
  const Diagnostic& never = app->only(Code::NeverTicks);
  CHECK_THAT(never.text, ContainsSubstring("2 entities behind it"));
  CHECK(never.related.size() == 2);
  const auto second = app_of(tx("tx", 0) + tx("ty") + rx("rx") + connect("tx/signal", "rx/signal") +
                             connect("ty/signal", "rx/signal"));
  CHECK(second->only(Code::NeverTicks).related.empty());
}

TEST_CASE("a mistake in a connection does not make its queues unconnected") {
  const auto entity = app_of(tx("tx") + rx("rx") + connect("tx/signal", "ry/signal"));
  CHECK(entity->count(Code::EntityNotFound) == 1);
  CHECK(entity->diagnostics.all().size() == 1);
  const auto component = app_of(tx("tx") + rx("rx") + connect("tx/singal", "rx/signal"));
  CHECK(component->diagnostics.all().size() == 1);
  const auto type =
      app_of(tx("tx") + rx("rx") +
             "---\ncomponents:\n- type: gxr::Conection\n  parameters: {source: tx/signal, "
             "target: rx/signal}\n");
  CHECK(type->diagnostics.all().size() == 1);
}

TEST_CASE("nothing is said of queues and entities that an error leaves unknown") {
  const std::string ping = tx("tx") + rx("rx");
  const auto app = [&](const std::string& connection) {
    return app_of(ping + "---\ncomponents:\n- type: gxr::Connection\n  " + connection + "\n");
  };
  for (const char* wrong :
       {"parameters: {source: tx, target: rx/signal}",
        "parameters: {source: tx/signal, target: rx}",
        "parameters: {source: tx/signal, target: tx/signal}",
        "parameters: {source: rx/signal, target: rx/signal}", "parameters: {source: tx/signal}",
        "parameters: {source: tx/signal, taget: rx/signal}", "paramters: {source: tx/signal}",
        "parameters: [tx/signal, rx/signal]", "parameters: {source:tx/signal, target: rx/signal}",
        "parameters: {source: tx/signal, target: rx/signal}\n  type: gxr::Connection"}) {
    const auto application = app(wrong);
    INFO(wrong << "\n" << application->text());
    CHECK(application->diagnostics.all().size() == 1);
  }
}

TEST_CASE("what refers to a name that was lost to an error is right") {
  const auto with = [](const std::string& text) {
    return app_of(text + rx("rx") + connect("tx/signal", "rx/signal"));
  };
  const char* const unseparated =
      "name: a\ncomponents: []\nname: tx\ncomponents:\n"
      "- {name: signal, type: gxr::DoubleBufferTransmitter}\n";
  for (const std::string wrong :
       {"name: tx\ncomponent: []\n", "nmae: tx\ncomponents: []\n", "name: tx\ncomponents: none\n",
        "name: tx\ncomponents:\n- nmae: signal\n  type: gxr::DoubleBufferTransmitter\n",
        "name: tx\ncomponents:\n- name: signal\n  typ: gxr::DoubleBufferTransmitter\n",
        "name: tx\ncomponents:\n- gxr::DoubleBufferTransmitter\n", unseparated}) {
    const auto application = with(wrong);
    INFO(wrong << "\n" << application->text());
    CHECK(application->diagnostics.errors() == 1);
    CHECK(application->diagnostics.warnings() == 0);
  }
}

TEST_CASE("two documents that make one entity are one error") {
  const auto application =
      app_of(tx("tx") + tx("tx") + rx("rx") + connect("tx/signal", "rx/signal") +
             connect("ty/signal", "rx/signal"));
  INFO(application->text());
  CHECK(application->diagnostics.all().size() == 1);
  CHECK(application->only(Code::EntityMerged).severity == Severity::Error);
}

TEST_CASE("a component that may pass messages on leaves its queues open") {
  const auto app = app_of(
      tx("tx") + rx("rx") +
      "---\ncomponents:\n- type: test::Router\n  parameters: {queues: [tx/signal, rx/signal]}\n");
  INFO(app->text());
  CHECK(app->diagnostics.all().empty());
}

TEST_CASE("a transmitter may be used from another entity") {
  const auto app = app_of(
      "name: queues\ncomponents:\n- name: out\n  type: gxr::DoubleBufferTransmitter\n---\n"
      "name: work\ncomponents:\n- type: test::Tx\n  parameters: {signal: queues/out}\n" +
      rx("rx") + connect("queues/out", "rx/signal"));
  INFO(app->text());
  CHECK(app->diagnostics.all().empty());
}

TEST_CASE("a cycle needs a message to start") {
  const std::string cycle = pass("a") + pass("b") + pass("c") + connect("a/out", "b/in") +
                            connect("b/out", "c/in") + connect("c/out", "a/in");
  const auto app = app_of(cycle);
  CHECK_THAT(app->only(Code::CycleWithoutStart).text,
             ContainsSubstring("'a' -> 'b' -> 'c' -> 'a'"));
  CHECK(app->count(Code::NeverTicks) == 0);

  CHECK(app_of(cycle + tx("tx") + connect("tx/signal", "b/in"))->count(Code::CycleWithoutStart) ==
        0);
  CHECK(app_of(pass("a") + connect("a/out", "a/in"))->count(Code::CycleWithoutStart) == 1);
  CHECK(app_of(cycle + rx("rx") + connect("a/out", "rx/signal"))->count(Code::CycleWithoutStart) ==
        1);
}

TEST_CASE("cycles one behind the other are reported each, once") {
  const std::string two = pass("a") + pass("b") + connect("a/out", "b/in") +
                          connect("b/out", "a/in") + pass("c") + pass("d") +
                          connect("c/out", "d/in") + connect("d/out", "c/in");
  CHECK(app_of(two)->count(Code::CycleWithoutStart) == 2);
  // The second cycle can be fed by the first, so one mistake is left.
  CHECK(app_of(two + connect("a/out", "c/in"))->count(Code::CycleWithoutStart) == 1);
}

TEST_CASE("a long chain is no cycle") {
  std::string text = tx("tx") + connect("tx/signal", "p0/in");
  for (int i = 0; i < 500; ++i) {
    text += pass("p" + std::to_string(i));
    text +=
        i > 0 ? connect("p" + std::to_string(i - 1) + "/out", "p" + std::to_string(i) + "/in") : "";
  }
  const auto app = app_of(text + rx("rx") + connect("p499/out", "rx/signal"));
  INFO(app->text());
  CHECK(app->diagnostics.all().empty());
}

TEST_CASE("queues that nothing is connected to are warned of") {
  const auto app = app_of(works("a") +
                          "- name: in\n  type: gxr::DoubleBufferReceiver\n- name: out\n"
                          "  type: gxr::DoubleBufferTransmitter\n");
  CHECK(app->only(Code::UnconnectedReceiver).severity == Severity::Warning);
  CHECK(app->only(Code::UnconnectedTransmitter).severity == Severity::Warning);
  CHECK(app->diagnostics.errors() == 0);
  CHECK(app_of("name: a\ncomponents:\n- name: in\n  type: gxr::DoubleBufferReceiver\n")
            ->diagnostics.all()
            .empty());
}

TEST_CASE("queues join a topic that is their default") {
  const auto queue = [](const std::string& entity, const std::string& type,
                        const std::string& parameters) {
    return "---\nname: " + entity + "\ncomponents:\n- name: end\n  type: test::Hall" + type +
           "\n  parameters: {" + parameters + "}\n";
  };
  const std::string sender = queue("from", "Transmitter", "");
  for (const char* const written : {"", "hall: 'east: 1'"}) {
    const auto app = app_of(sender + queue("to", "Receiver", written));
    INFO(app->text());
    REQUIRE(app->graph.links.size() == 1);
    CHECK(app->graph.links[0].transmitter == app->component("from", "end").id);
    CHECK(app->graph.links[0].receiver == app->component("to", "end").id);
  }
  CHECK(app_of(sender + queue("to", "Receiver", "hall: west"))->graph.links.empty());
}

TEST_CASE("what joins a topic and is no queue is not linked") {
  const auto app = app_of(
      "name: a\ncomponents:\n- name: out\n  type: test::HallTransmitter\n"
      "- type: test::HallCodelet\n");
  CHECK(app->graph.links.empty());
}

TEST_CASE("a receiver that no term waits for is warned of, unless the entity polls") {
  const std::string poll =
      "---\nname: poll\ncomponents:\n- name: in\n  type: gxr::DoubleBufferReceiver\n"
      "- type: test::Rx\n  parameters: {signal: in}\n";
  const std::string rest = tx("tx") + connect("tx/signal", "poll/in");
  CHECK(app_of(poll + rest)->only(Code::ReceiverNotWaitedFor).severity == Severity::Warning);
  CHECK(app_of(poll + term("Periodic", "recess_period: 5ms") + rest)->diagnostics.all().empty());
}

TEST_CASE("repeated links and names are warned of") {
  const auto link = app_of(kPing + connect("tx/signal", "rx/signal"));
  CHECK(link->only(Code::DuplicateConnection).severity == Severity::Warning);
  REQUIRE(link->graph.links.size() == 2);
  CHECK(link->graph.links[1].duplicate);
  const auto name = app_of(
      "name: a\ncomponents:\n- name: x\n  type: gxr::RealtimeClock\n- name: x\n"
      "  type: gxr::UnboundedAllocator\n");
  CHECK(name->only(Code::DuplicateComponent).related.size() == 1);
}
