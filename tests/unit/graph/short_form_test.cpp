#include "graph/short_form.hpp"

#include <algorithm>
#include <ctime>
#include <string>

#include "catch.hpp"
#include "graph/application.hpp"
#include "graph/expand.hpp"

using namespace gxr;
using namespace gxr::test;

namespace {

/// An application of the short form and the same in GXF's form, both with this scheduler.
void check_same(const std::string& written, const std::string& meant,
                const std::string& connections) {
  const auto app = resolve_text(written + kScheduler);
  INFO(app->text());
  REQUIRE(app->diagnostics.all().empty());
  const auto other = resolve_text(meant + kScheduler + connections);
  CHECK(expand(app->graph, app->document) == expand(other->graph, other->document));
}

std::string places(const Application& app, DiagnosticCode code) {
  std::string text;
  for (const Diagnostic& diagnostic : app.diagnostics.all()) {
    if (diagnostic.code == code) {
      text += (text.empty() ? "" : " ") + std::to_string(diagnostic.where.line) + ":" +
              std::to_string(diagnostic.where.column) + "+" + std::to_string(diagnostic.length);
    }
  }
  return text;
}

const std::string kTx = "---\nname: tx\noperator: test::Tx\ncount: 10\n";

}  // namespace

TEST_CASE("A short document becomes queues, terms and a codelet", "[short]") {
  check_same(
      "---\nname: tx\noperator: test::Tx\ncount: 10\nperiod: 30Hz\n"
      "---\nname: rx\noperator: test::Rx\ninputs: {signal: tx}\n",
      "---\nname: tx\ncomponents:\n"
      "- {name: signal, type: gxr::DoubleBufferTransmitter}\n"
      "- {name: signal_free, type: gxr::DownstreamReceptiveSchedulingTerm, parameters: "
      "{transmitter: signal}}\n"
      "- {name: count, type: gxr::CountSchedulingTerm, parameters: {count: 10}}\n"
      "- {name: period, type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 30Hz}}\n"
      "- {name: operator, type: test::Tx, parameters: {signal: signal}}\n"
      "---\nname: rx\ncomponents:\n"
      "- {name: signal, type: gxr::DoubleBufferReceiver}\n"
      "- {name: signal_available, type: gxr::MessageAvailableSchedulingTerm, parameters: "
      "{receiver: signal}}\n"
      "- {name: operator, type: test::Rx, parameters: {signal: signal}}\n",
      "---\nname: gxr.connections\ncomponents:\n"
      "- {type: gxr::Connection, parameters: {source: tx/signal, target: rx/signal}}\n");
}

TEST_CASE("Settings of ports go to queues and their terms", "[short]") {
  check_same(
      "---\nname: p\noperator: test::Pass\ninputs: {in: [tx/signal, other]}\n"
      "ports: {in: {capacity: 4, min_size: 2, policy: 2}, out: {capacity: 2}}\n" +
          tx("tx") + tx("other") + rx("rx") + connect("p/out", "rx/signal"),
      "---\nname: p\ncomponents:\n"
      "- {name: in, type: gxr::DoubleBufferReceiver, parameters: {capacity: 4, policy: 2}}\n"
      "- {name: out, type: gxr::DoubleBufferTransmitter, parameters: {capacity: 2}}\n"
      "- {name: in_available, type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: "
      "in, min_size: 2}}\n"
      "- {name: out_free, type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: "
      "out}}\n"
      "- {name: operator, type: test::Pass, parameters: {in: in, out: out}}\n" +
          tx("tx") + tx("other") + rx("rx") + connect("p/out", "rx/signal"),
      "---\nname: gxr.connections\ncomponents:\n"
      "- {type: gxr::Connection, parameters: {source: tx/signal, target: p/in}}\n"
      "- {type: gxr::Connection, parameters: {source: other/signal, target: p/in}}\n");
}

TEST_CASE("A term of the author's takes the place of the usual one", "[short]") {
  const auto app = resolve_text(
      "---\nname: p\noperator: test::Pass\ninputs: {in: tx}\nports: {in: {capacity: 5}}\n"
      "terms:\n- type: gxr::MessageAvailableSchedulingTerm\n  parameters: {receiver: in, min_size: "
      "5}\n" +
      kTx + "---\nname: rx\noperator: test::Rx\ninputs: {signal: p}\n");
  INFO(app->text());
  REQUIRE(app->diagnostics.errors() == 0);
  const GraphEntity& entity = *app->graph.find_entity("p");
  std::string names;
  for (const ComponentId id : entity.components) {
    names += app->graph.components[id].name + " ";
  }
  CHECK(names == "in out out_free  operator ");
}

TEST_CASE("Receivers of a codelet that takes all messages have free names", "[short]") {
  const auto app =
      resolve_text(kTx + "---\nname: other\noperator: test::Tx\ncount: 3\n" +
                   "---\nname: g\noperator: test::Gather\ninputs: {left: tx, right: [tx, other]}\n"
                   "---\nname: rx\noperator: test::Rx\ninputs: {signal: g}\n" +
                   connect("other/signal", "g/third"));
  INFO(app->text());
  CHECK(app->diagnostics.errors() == 0);
  CHECK(app->component("g", "left").type_name == "gxr::DoubleBufferReceiver");
  CHECK(app->component("g", "third_available").find("receiver")->value->text() == "third");
  CHECK(app->component("g", "operator").find("sources") == nullptr);
  CHECK(app->graph.links.size() == 5);
}

TEST_CASE("Each consumer of an open-ended output has a queue of its own", "[short]") {
  const auto app =
      resolve_text(kTx + "---\nname: b\noperator: test::Broadcast\ninputs: {source: tx}\n" +
                   "---\nname: first\noperator: test::Rx\ninputs: {signal: b}\n"
                   "---\nname: second\noperator: test::Rx\ninputs: {signal: b/named}\n"
                   "---\nname: third\noperator: test::Gather\ninputs: {x: b, y: b}\n"
                   "---\nname: rx\noperator: test::Rx\ninputs: {signal: third}\n" +
                   rx("fourth") + connect("b/by_connection", "fourth/signal"));
  INFO(app->text());
  CHECK(app->diagnostics.errors() == 0);
  std::string names;
  for (const ComponentId id : app->graph.find_entity("b")->components) {
    const GraphComponent& component = app->graph.components[id];
    names += component.type_name == "gxr::DoubleBufferTransmitter" ? component.name + " " : "";
  }
  CHECK(names == "first named third third_2 by_connection ");
  CHECK(app->graph.links.size() == 7);
}

TEST_CASE("Lists of queues have the names that the document gives", "[short]") {
  const auto app = resolve_text(
      kTx + "---\nname: p\noperator: test::Pairs\ninputs: {a: tx, b: tx}\nports: {x: {}, y: ~}\n" +
      "---\nname: rx\noperator: test::Rx\ninputs: {signal: p/y}\n"
      "---\nname: other\noperator: test::Rx\ninputs: {signal: p/x}\n");
  INFO(app->text());
  CHECK(app->diagnostics.errors() == 0);
  const GraphComponent& codelet = app->component("p", "operator");
  CHECK(codelet.find("inputs")->value->to_yaml() == "[a, b]");
  CHECK(codelet.find("outputs")->value->to_yaml() == "[x, y]");
}

TEST_CASE("An optional port is there when somebody uses it", "[short]") {
  const std::string camera = "---\nname: c\noperator: test::Camera\n";
  const auto has_extra = [](const Application& app) {
    return app.component("c", "operator").find("extra") != nullptr;
  };
  const std::string reader = "---\nname: rx\noperator: test::Rx\ninputs: {signal: c/out}\n";
  CHECK_FALSE(has_extra(*resolve_text(camera + reader)));
  CHECK(has_extra(*resolve_text(camera + reader +
                                "---\nname: e\noperator: test::Rx\ninputs: {signal: c/extra}\n")));
  CHECK(has_extra(*resolve_text(camera + reader + rx("e") + connect("c/extra", "e/signal"))));
  CHECK(has_extra(*resolve_text(camera + "ports: {extra: {capacity: 2}}\n" + reader)));
  const auto unclear =
      resolve_text(camera + "---\nname: rx\noperator: test::Rx\ninputs: {signal: c}\n");
  CHECK(unclear->only(DiagnosticCode::InputSource).hint == "write c/out or c/extra");
}

TEST_CASE("What is left out is made: the end, the allocator, the scheduler", "[short]") {
  const std::string yaml =
      "---\nname: c\noperator: test::Camera\n---\nname: rx\noperator: test::Rx\ninputs: {signal: "
      "c/out}\n";
  const auto app = resolve_text(yaml);
  INFO(app->text());
  CHECK(app->diagnostics.all().empty());
  CHECK(app->component("c", "end").type_name == "gxr::BooleanSchedulingTerm");
  CHECK(app->component("c", "operator").find("last")->value->text() == "end");
  CHECK(app->component("c", "operator").find("pool")->value->text() == "gxr.memory/pool");
  CHECK(app->component("gxr.memory", "pool").type_name == "gxr::UnboundedAllocator");
  CHECK(app->component("gxr.scheduler", "scheduler").handle("clock") ==
        app->component("gxr.scheduler", "clock").id);
  const auto own = resolve_text(yaml + kScheduler);
  CHECK(own->graph.find_entity("gxr.scheduler") == nullptr);
  const auto given = resolve_text(
      "---\nname: c\noperator: test::Camera\nparameters: {pool: m/p, last: <Unspecified>}\n---\n"
      "name: m\ncomponents:\n- {name: p, type: gxr::UnboundedAllocator}\n---\nname: rx\n"
      "operator: test::Rx\ninputs: {signal: c/out}\n");
  CHECK(given->graph.find_entity("gxr.memory") == nullptr);
  CHECK(given->graph.find_entity("c")->components.size() == 3);
}

TEST_CASE("Overrides and later documents set what the short form made", "[short]") {
  const auto app = resolve_given(
      {{"---\nname: p\noperator: test::Pass\ninputs: {in: tx}\n" + kTx +
            "---\nname: rx\noperator: test::Rx\ninputs: {signal: p}\n",
        "---\nname: p\ncomponents:\n- {name: in, parameters: {capacity: 7}}\n---\nname: "
        "gxr.scheduler\ncomponents:\n- {name: scheduler, parameters: {realtime: true}}\n"},
       {"tx/count/count=3", "p/out/capacity=2"},
       false});
  INFO(app->text());
  CHECK(app->diagnostics.errors() == 0);
  CHECK(app->component("p", "in").find("capacity")->value->text() == "7");
  CHECK(app->component("p", "out").find("capacity")->value->text() == "2");
  CHECK(app->component("tx", "count").find("count")->value->text() == "3");
  CHECK(app->component("gxr.scheduler", "scheduler").find("realtime") != nullptr);
}

TEST_CASE("Diagnostics of the short form point at what was written", "[short]") {
  const auto app = resolve_text(
      "name: a\n"
      "operator: test::Pass\n"
      "inputs: {inn: b, in: [bb, c/x]}\n"
      "ports: {in: {capacity: many, size: 2}}\n"
      "parameters: {nix: 1}\n"
      "count: few\n"
      "---\n"
      "name: b\n"
      "operator: test::Tx\n");
  INFO(app->text());
  CHECK(places(*app, DiagnosticCode::UnknownPort) == "3:10+3");
  CHECK(places(*app, DiagnosticCode::EntityNotFound) == "3:23+2 3:27+1");
  CHECK(places(*app, DiagnosticCode::ShortFormValue) == "4:30+4");
  CHECK(places(*app, DiagnosticCode::ParameterValue) == "4:24+4 6:8+3");
  CHECK(places(*app, DiagnosticCode::UnknownParameter) == "5:14+3");
  CHECK(app->diagnostics.errors() == 7);
}

TEST_CASE("An unknown operator has no follow-up mistakes", "[short]") {
  const auto app = resolve_text(
      "name: a\noperator: test::Pas\ninputs: {in: b}\n---\nname: b\noperator: test::Tx\n---\n"
      "name: c\noperator: test::Rx\ninputs: {signal: a}\n---\nname: d\noperator: test::Rx\n"
      "inputs: {signal: a/out}\n");
  INFO(app->text());
  CHECK(app->only(DiagnosticCode::UnknownType).where.line == 2);
  CHECK(app->diagnostics.all().size() == 1);
}

TEST_CASE("An entity is made by one short document", "[short]") {
  const auto app = resolve_text(kTx + kTx);
  CHECK(app->only(DiagnosticCode::EntityMerged).severity == Severity::Error);
}

TEST_CASE("Keys of the short form mean nothing without operator", "[short]") {
  const auto app = resolve_text(
      "name: a\ncomponents: []\ncount: 3\n---\nname: b\noperater: test::Tx\ncount: 3\n");
  INFO(app->text());
  REQUIRE(app->count(DiagnosticCode::UnknownDocumentKey) == 2);
  CHECK(places(*app, DiagnosticCode::UnknownDocumentKey) == "3:1+5 6:1+8");
}

TEST_CASE("A document with operator and components is an error, and GXF's form in GXF", "[short]") {
  const std::string yaml =
      "name: a\noperator: test::Tx\ncomponents:\n- type: gxr::UnboundedAllocator\n";
  const auto app = resolve_text(yaml);
  INFO(app->text());
  const Diagnostic& report = app->only(DiagnosticCode::OperatorAndComponents);
  CHECK(report.where.line == 3);
  REQUIRE(report.related.size() == 1);
  CHECK(report.related.front().where.line == 2);
  const auto compat = resolve_given({{yaml + kScheduler}, {}, true});
  CHECK(compat->diagnostics.errors() == 0);
  CHECK(compat->graph.find_entity("a")->components.size() == 1);
}

TEST_CASE("Only handles use the queues of others", "[short]") {
  const std::string yaml =
      kTx + "---\nname: b\noperator: test::Broadcast\ninputs: {source: tx}\n" +
      "---\nname: rx\noperator: test::Rx\ninputs: {signal: b}\n" +
      "---\nname: g\noperator: test::Gather\ninputs: {in: b, \"7\": b}\nterms:\n- {type: "
      "gxr::CountSchedulingTerm, parameters: {count: 7}}\n"
      "---\nname: rg\noperator: test::Rx\ninputs: {signal: g}\n"
      "---\nname: e\noperator: test::Everything\nparameters: {text: b/text, any: [b/any], pair: "
      "[b/pair, 1], queues: [b/queue]}\ncount: 3\n"
      "---\nname: f\ncomponents:\n- {name: e, type: test::Everything, parameters: {text: g/text}}\n"
      "- {type: gxr::CountSchedulingTerm, parameters: {count: 7}}\n" +
      kScheduler;
  const auto app = resolve_given({{yaml}, {"f/e/text=b/other", "e/text=b/over"}, false});
  INFO(app->text());
  const auto names_of = [&](std::string_view entity, std::string_view type) {
    std::string names;
    for (const ComponentId id : app->graph.find_entity(entity)->components) {
      const GraphComponent& component = app->graph.components[id];
      names += component.type_name == type ? component.name + " " : "";
    }
    return names;
  };
  CHECK(names_of("b", "gxr::DoubleBufferTransmitter") == "rx g g_2 queue ");
  CHECK(names_of("g", "gxr::DoubleBufferReceiver") == "in 7 ");
  CHECK(names_of("g", "gxr::MessageAvailableSchedulingTerm") == "in_available 7_available ");
}

TEST_CASE("A handle in an override makes the queue that it names", "[short]") {
  const std::string yaml = kTx +
                           "---\nname: b\noperator: test::Broadcast\ninputs: {source: tx}\n"
                           "---\nname: rx\noperator: test::Rx\ninputs: {signal: b}\n"
                           "---\nname: e\noperator: test::Everything\ncount: 3\nterms:\n- {name: "
                           "room, type: gxr::DownstreamReceptiveSchedulingTerm}\n" +
                           rx("other") + connect("b/nix", "other/signal") + kScheduler;
  const auto app =
      resolve_given({{yaml},
                     {"e/queues=[b/first]", "e/room/transmitter=b/second",
                      "rx/signal_available/receiver=b/third", "/gxr::Connection/source=b/fourth"},
                     false});
  INFO(app->text());
  for (const char* name : {"first", "second", "third", "fourth"}) {
    CHECK(app->component("b", name).type_name == "gxr::DoubleBufferTransmitter");
  }
}

TEST_CASE("A queue of a consumer keeps out of the way of other components", "[short]") {
  const auto reader = [](const std::string& name, const std::string& source = "b") {
    return "---\nname: " + name + "\noperator: test::Rx\ninputs: {signal: " + source + "}\n";
  };
  const auto app = resolve_text(
      kTx +
      "---\nname: b\noperator: test::Broadcast\ninputs: {source: tx}\ncount: 3\nperiod: "
      "1ms\nports: "
      "{set: {}}\nterms:\n- {name: own, type: gxr::BooleanSchedulingTerm}\n" +
      reader("count") + reader("period") + reader("end") + reader("operator") + reader("own") +
      reader("source") + reader("source_available") + reader("set") + reader("set_free") +
      reader("x") + reader("x_free") + reader("y_free") + reader("y") + reader("z", "b/end_2"));
  INFO(app->text());
  CHECK(app->diagnostics.all().empty());
  std::string names;
  for (const ComponentId id : app->graph.find_entity("b")->components) {
    const GraphComponent& component = app->graph.components[id];
    names += component.type_name == "gxr::DoubleBufferTransmitter" ? component.name + " " : "";
  }
  CHECK(names ==
        "set count_2 period_2 end_2 operator_2 own_2 source_2 source_available_2 set_free_2 x "
        "x_free_2 y_free y_2 ");
}

TEST_CASE("A handle cannot give a queue the name of another component", "[short]") {
  const auto app = resolve_text(
      "name: tx\noperator: test::Tx\ncount: 10\n"
      "---\nname: b\noperator: test::Broadcast\ninputs: {source: tx}\ncount: 3\n"
      "---\nname: r\noperator: test::Rx\ninputs: {signal: b/count}\n"
      "---\nname: s\noperator: test::Rx\ninputs: {signal: [b/end, b/source_available]}\n"
      "---\nname: t\noperator: test::Rx\ninputs: {signal: b}\n");
  INFO(app->text());
  CHECK(places(*app, DiagnosticCode::NameTaken) == "12:20+5 16:21+3 16:28+16");
  CHECK(app->diagnostics.all().size() == 3);
}

TEST_CASE("A short document has no name of an entity that gxr makes", "[short]") {
  const auto app = resolve_text(
      "name: gxr.scheduler\noperator: test::Tx\ncount: 10\n"
      "---\nname: gxr.connections\noperator: test::Rx\ninputs: {signal: gxr.scheduler}\n"
      "---\nname: gxr.memory\noperator: test::Camera\n"
      "---\nname: rx\noperator: test::Rx\ninputs: {signal: gxr.memory/out}\n");
  INFO(app->text());
  CHECK(places(*app, DiagnosticCode::NameTaken) == "9:7+10 1:7+13 5:7+15");
  CHECK(app->diagnostics.all().size() == 3);
}

TEST_CASE("Names that are missing in inputs are reported there", "[short]") {
  const auto app = resolve_text(
      "name: tx\noperator: test::Tx\ncount: 10\n"
      "---\nname: b\noperator: test::Broadcast\ninputs: {source: tx}\n"
      "---\nname: g\noperator: test::Gather\ninputs: {\"\": b, in: [b/, /b, b]}\nports: {\"\": "
      "{}}\n"
      "---\nname: r\noperator: test::Rx\ninputs: {signal: g, sig: b}\n");
  INFO(app->text());
  CHECK(places(*app, DiagnosticCode::UnknownPort) == "11:10+2 12:9+2 16:21+3");
  CHECK(places(*app, DiagnosticCode::ShortFormValue) == "11:22+2 11:26+2");
  CHECK(app->diagnostics.all().size() == 5);
}

TEST_CASE("Connections of the short form are set in inputs", "[short]") {
  const std::string yaml = kTx + "---\nname: p\noperator: test::Pass\ninputs: {in: tx}\n" +
                           "---\nname: rx\noperator: test::Rx\ninputs: {signal: p}\n";
  for (const char* key : {"gxr.connections/source", "gxr.connections/gxr::Connection/source"}) {
    const auto app = resolve_given({{yaml}, {std::string(key) + "=t"}, false});
    INFO(app->text());
    const Diagnostic& report = app->only(DiagnosticCode::OverrideAmbiguous);
    CHECK(report.text == "2 connections of the short form have a parameter 'source'");
    CHECK(report.hint == "they have no names; set them in 'inputs' of the entities that read");
    CHECK(app->diagnostics.all().size() == 1);
  }
}

TEST_CASE("Many inputs take time in proportion", "[short][time]") {
  const auto inputs = [](std::size_t count) {
    std::string text =
        "---\nname: b\noperator: test::Broadcast\ninputs: {source: tx}\n"
        "---\nname: g\noperator: test::Gather\ninputs: {";
    for (std::size_t i = 0; i < count; ++i) {
      text += "i" + std::to_string(i) + ": b, ";
    }
    return kTx + text + "}\n---\nname: r\noperator: test::Rx\ninputs: {signal: g}\n";
  };
  const auto seconds = [&](std::size_t count) {
    const std::clock_t begin = std::clock();
    const auto app = resolve_text(inputs(count));
    const std::string text = expand_short(app->graph, app->document, app->catalog);
    CHECK(app->diagnostics.errors() == 0);
    CHECK(app->graph.links.size() == count + 2);
    CHECK(text.find("inputs: {i0: b/g, i1: b/g_2, ") != std::string::npos);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const double few = std::min({seconds(1000), seconds(1000), seconds(1000)});
  CHECK(seconds(16000) < 64 * few);  // 16 times as many; their square is 256
}
