// What a program may call the ports of its application.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "graph/application.hpp"

namespace gxr::test {
namespace {

using Catch::Matchers::ContainsSubstring;
using Code = DiagnosticCode;

/// Two entities pass messages on; `named` calls its queues otherwise than its codelet.
const std::string kFile = pass("plain") + R"(---
name: named
components:
- {name: incoming, type: gxr::DoubleBufferReceiver}
- {name: spare, type: gxr::DoubleBufferReceiver}
- {name: outgoing, type: gxr::DoubleBufferTransmitter}
- {name: work, type: test::Pass, parameters: {in: incoming, out: outgoing}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: incoming}}
)";

/// Connects the entity of a program with `port`, which is a receiver, beside the application.
std::unique_ptr<Application> push_into(const std::string& port, const std::string& file = kFile,
                                       const std::vector<std::string>& overrides = {}) {
  auto app = std::make_unique<Application>();
  app->document.add_text({Source::Kind::File, "app.yaml", file + kScheduler}, app->diagnostics);
  for (const std::string& argument : overrides) {
    app->document.add_override(argument, app->diagnostics);
  }
  app->document.add_text(
      {Source::Kind::ProgramPort, "input", tx("program") + connect("program/signal", port)},
      app->diagnostics);
  app->graph = resolve(app->document, app->catalog, app->diagnostics);
  return app;
}

/// Errors about what the program named.
std::size_t errors_of_program(const Application& app) {
  return static_cast<std::size_t>(
      std::ranges::count_if(app.diagnostics.all(), [&](const Diagnostic& found) {
        return found.severity == Severity::Error &&
               app.document.sources().at(found.where.source).kind == Source::Kind::ProgramPort;
      }));
}

std::string receiver_of(const Application& app) {
  INFO(app.text());
  REQUIRE(errors_of_program(app) == 0);
  REQUIRE(app.graph.links.size() == 1);
  return app.graph.full_name(app.graph.components[app.graph.links.front().receiver]);
}

TEST_CASE("A program names a queue, or the port of a codelet") {
  CHECK(receiver_of(*push_into("plain/in")) == "plain/in");
  CHECK(receiver_of(*push_into("named/incoming")) == "named/incoming");
  CHECK(receiver_of(*push_into("named/in")) == "named/incoming");
}

TEST_CASE("The port of a codelet is what the settings say") {
  CHECK(receiver_of(*push_into("named/in", kFile, {"named/work/in=spare"})) == "named/spare");
  CHECK(receiver_of(*push_into("named/in", kFile, {"named/in=plain/in"})) == "plain/in");
}

TEST_CASE("A queue without a name is called by its type, as in pictures of graphs") {
  const std::string hall = kFile +
                           "---\nname: hall\ncomponents:\n- type: test::HallReceiver\n- type: "
                           "test::HallTransmitter\n";
  const auto app = push_into("hall/test::HallReceiver", hall);
  INFO(app->text());
  CHECK(errors_of_program(*app) == 0);
  CHECK(app->graph.full_name(app->graph.components[app->graph.links.front().receiver]) ==
        "hall/test::HallReceiver");
}

TEST_CASE("A port that is not there is reported with the names that there are") {
  const Diagnostic unlike = push_into("named/nothing")->only(Code::ComponentNotFound);
  CHECK(unlike.text == "entity 'named' has no port 'nothing'");
  CHECK(unlike.hint == "it has: 'incoming', 'spare', 'in'");
  CHECK(push_into("named/incomming")->only(Code::ComponentNotFound).hint ==
        "did you mean 'incoming'?");
  CHECK_THAT(push_into("nmaed/in")->only(Code::EntityNotFound).hint,
             ContainsSubstring("did you mean 'named'?"));
  CHECK_THAT(push_into("named/out")->only(Code::ConnectionEnd).text,
             ContainsSubstring("'named/outgoing' is a gxr::DoubleBufferTransmitter"));
}

TEST_CASE("Parameters that are no ports of a codelet are no ports") {
  // The term's receiver, and a parameter that names no component.
  CHECK(push_into("named/receiver")->only(Code::ComponentNotFound).text ==
        "entity 'named' has no port 'receiver'");
  const std::string everything =
      "---\nname: every\ncomponents:\n- {type: test::Everything, parameters: {count: 1}}\n";
  CHECK(push_into("every/count", everything)->only(Code::ComponentNotFound).text ==
        "entity 'every' has no port 'count'");
}

TEST_CASE("A port without a queue, and one with several, say so") {
  const std::string none =
      "---\nname: every\ncomponents:\n- {type: test::Everything, parameters: {queues: []}}\n";
  const auto empty = push_into("every/queues", none);
  CHECK(empty->only(Code::ComponentNotFound).text ==
        "the port 'queues' of entity 'every' has no queue");
  const std::string two =
      kFile +
      "---\nname: every\ncomponents:\n- {type: test::Everything, parameters: {queues: "
      "[named/incoming, named/spare]}}\n";
  const auto several = push_into("every/queues", two);
  CHECK(several->only(Code::ComponentAmbiguous).hint ==
        "name one of them: named/incoming or named/spare");
}

TEST_CASE("What a mistake hides is not called a mistake of the program") {
  const std::string unknown =
      "---\nname: odd\ncomponents:\n- {type: test::Unknown, parameters: {in: incoming}}\n";
  CHECK(errors_of_program(*push_into("odd/in", unknown)) == 0);
  const std::string lost =
      "---\nname: odd\ncomponents:\n- {name: out, type: gxr::DoubleBufferTransmitter}\n- {type: "
      "test::Pass, parameters: {in: nobody, out: out}}\n";
  const auto app = push_into("odd/in", lost);
  CHECK_THAT(app->only(Code::ComponentNotFound).text, ContainsSubstring("'nobody'"));
  CHECK(errors_of_program(*app) == 0);
}

TEST_CASE("In files, the port of a codelet is no name") {
  const auto app = resolve_text(kFile + tx("tx") + connect("tx/signal", "named/in") + kScheduler);
  CHECK_THAT(app->only(Code::ComponentNotFound).text, ContainsSubstring("no component 'in'"));
}

}  // namespace
}  // namespace gxr::test
