#include "graph/shorten.hpp"

#include <memory>
#include <string>

#include "catch.hpp"
#include "graph/application.hpp"
#include "graph/expand.hpp"

using namespace gxr;
using namespace gxr::test;

namespace {

std::string shortened(const Application& app) {
  return expand_short(app.graph, app.document, app.catalog);
}

/// The short form of a text without mistakes, which gives back what the text says.
std::string shortened(const std::string& yaml) {
  const auto app = resolve_text(yaml);
  INFO(app->text());
  REQUIRE(app->diagnostics.errors() == 0);
  const std::string text = shortened(*app);
  const auto again = resolve_text(text);
  INFO(text);
  INFO(again->text());
  CHECK(again->diagnostics.errors() == 0);
  CHECK(different_entities(app->graph, again->graph, app->catalog).empty());
  CHECK(different_entities(again->graph, app->graph, app->catalog).empty());
  CHECK(shortened(*again) == text);
  return text;
}

bool is_short(const std::string& text, const std::string& name) {
  return text.find("---\nname: " + name + "\noperator: ") != std::string::npos;
}

/// An entity `p` between a source and a sink.
std::string with_pass(const std::string& components, const std::string& more = {}) {
  return "name: p\ncomponents:\n" + components + tx("tx") + rx("rx") +
         connect("tx/signal", "p/in") + connect("p/out", "rx/signal") + more + kScheduler;
}

const std::string kQueues =
    "- {name: in, type: gxr::DoubleBufferReceiver}\n- {name: out, type: "
    "gxr::DoubleBufferTransmitter}\n";
const std::string kTerms =
    "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}\n- {type: "
    "gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}\n";
const std::string kPass = "- {type: test::Pass, parameters: {in: in, out: out}}\n";

}  // namespace

TEST_CASE("An application in GXF's form has a short form", "[short]") {
  CHECK(shortened(with_pass(kQueues + kTerms + kPass)) ==
        "%YAML 1.2\n"
        "---\nname: p\noperator: test::Pass\ninputs: {in: tx}\n"
        "---\nname: tx\noperator: test::Tx\ncount: 10\n"
        "---\nname: rx\noperator: test::Rx\ninputs: {signal: p}\n"
        "---\nname: scheduler\ncomponents:\n- name: clock\n  type: gxr::RealtimeClock\n"
        "- type: gxr::GreedyScheduler\n  parameters:\n    clock: clock\n");
}

TEST_CASE("Entities stay as they are if the short form cannot say them", "[short]") {
  const std::string no_term =
      "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}\n";
  CHECK_FALSE(is_short(shortened(with_pass(kQueues + no_term + kPass)), "p"));
  CHECK_FALSE(is_short(
      shortened(with_pass(kQueues + kTerms + kPass + "- {type: gxr::UnboundedAllocator}\n")), "p"));
  CHECK_FALSE(is_short(shortened(with_pass(kQueues + kTerms + kPass + kPass)), "p"));
  // A queue with another name than its port.
  CHECK_FALSE(is_short(
      shortened("name: s\ncomponents:\n- {name: out, type: gxr::DoubleBufferTransmitter}\n- {type: "
                "gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}\n- {type: "
                "test::Tx, parameters: {signal: out}}\n" +
                rx("rx") + connect("s/out", "rx/signal") + kScheduler),
      "s"));
}

TEST_CASE("Settings and terms of their own are kept", "[short]") {
  const std::string text = shortened(with_pass(
      "- {name: in, type: gxr::DoubleBufferReceiver, parameters: {capacity: 4}}\n"
      "- {name: out, type: gxr::DoubleBufferTransmitter}\n"
      "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in, min_size: 2}}\n"
      "- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}\n"
      "- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out, min_size: "
      "1}}\n"
      "- {type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 5ms}}\n"
      "- {type: gxr::BooleanSchedulingTerm}\n" +
      kPass));
  CHECK(text.find("ports: {in: {capacity: 4, min_size: 2}}\nperiod: 5ms\nterms:\n") !=
        std::string::npos);
}

TEST_CASE("The name of a term that something refers to is kept", "[short]") {
  const std::string text = shortened(
      "name: tx\ncomponents:\n- {name: signal, type: gxr::DoubleBufferTransmitter}\n- {type: "
      "gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: signal}}\n- {name: more, "
      "type: gxr::BooleanSchedulingTerm}\n- {type: test::Tx, parameters: {signal: signal}}\n" +
      rx("rx") + connect("tx/signal", "rx/signal") +
      "---\nname: s\ncomponents:\n- {type: gxr::CountSchedulingTerm, parameters: {count: 3}}\n- "
      "{type: test::Switch, parameters: {term: tx/more}}\n" +
      kScheduler);
  CHECK(is_short(text, "tx"));
  CHECK(text.find("terms:\n- name: more\n") != std::string::npos);
}

TEST_CASE("A connection that inputs cannot say stays", "[short]") {
  const std::string delayed =
      "---\ncomponents:\n- {type: gxr::Connection, parameters: {source: tx/signal, target: p/in, "
      "delayed: true}}\n";
  const auto app = resolve_text("name: p\ncomponents:\n" + kQueues + kTerms + kPass + tx("tx") +
                                rx("rx") + connect("p/out", "rx/signal") + delayed + kScheduler);
  const std::string text = shortened(*app);
  CHECK(is_short(text, "p"));
  CHECK(text.find("delayed: true") != std::string::npos);
}

TEST_CASE("The short form of the short form is itself", "[short]") {
  const std::string text =
      "%YAML 1.2\n"
      "---\nname: c\noperator: test::Camera\nports: {extra: {capacity: 2}}\nperiod: 10ms\n"
      "---\nname: b\noperator: test::Broadcast\ninputs: {source: c/out}\nports: {left: {}, right: "
      "{}}\n"
      "---\nname: g\noperator: test::Gather\ninputs: {x: b/left, y: [b/right, c/extra]}\n"
      "---\nname: rx\noperator: test::Rx\ninputs: {signal: g}\n";
  CHECK(shortened(text) == text);
}
