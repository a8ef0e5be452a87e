// A program changes parameters and switches operators while a graph or a loop of the fake device
// runs: all kinds of edits, in both modes.

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "made_application.hpp"
#include "operators.hpp"

namespace gxr::test {
namespace {

using namespace std::chrono_literals;
/// Numbers that the test pushes, through two operators.
class Edited {
 public:
  explicit Edited(const std::string& mode, const std::string& second = "Scale",
                  const std::string& parameters = "factor: 2") {
    MadeApplication made;
    made.graph_operator("add", "Add", {}, "in: in, value: 10")
        .graph_operator("scale", second, {{"in", "add"}}, parameters)
        .keep("keep", "scale");
    std::string text = made.text(mode);
    // The input of the first comes from the test.
    const std::string first = "name: add\ncomponents:\n";
    text.replace(text.find(first), first.size(),
                 first +
                     "- {name: in, type: gxr::DoubleBufferReceiver, parameters: {capacity: 4}}\n"
                     "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}\n");
    load(app, text, switches);
    app.input("add/in");
    app.run_async();
  }

  /// What comes out for a number.
  std::int64_t pass(std::int64_t number) {
    const std::size_t before = switches->kept().size();
    Message message = app.new_message();
    auto& tensor = message.add<Tensor>();
    auto* const memory = new std::int64_t(number);
    tensor.wrap(
        memory, Shape{1}, ElementType::Int64, MemoryStorageType::System, memory,
        [](void* owner, void* /*pointer*/) noexcept { delete static_cast<std::int64_t*>(owner); });
    const PushResult pushed = app.push("add/in", std::move(message), 10s);
    REQUIRE(pushed == PushResult::Taken);
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (switches->kept().size() == before && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(50us);
    }
    REQUIRE(switches->kept().size() == before + 1);
    return switches->kept().back();
  }
  GraphStatistics end() {
    app.end_input("add/in");
    const Report report = app.wait();
    CHECK(report.reason == EndReason::Completed);
    REQUIRE(report.graphs.size() == 1);
    return report.graphs.front();
  }

  std::shared_ptr<Switches> switches = std::make_shared<Switches>();
  Application app;
};

}  // namespace

TEST_CASE("Edits of a program reach the iterations behind them") {
  for (const std::string mode : {"mode: graph", "mode: resident"}) {
    INFO(mode);
    const bool loops = mode == "mode: resident";
    Edited edited(mode);
    CHECK(edited.pass(1) == 22);
    // Parameters in device memory: no graph changes.
    edited.app.set("scale/it/factor=3");
    CHECK(edited.pass(1) == 33);
    // A part of the kernel: it is captured again.
    edited.app.set("add/it/value=20");
    CHECK(edited.pass(1) == 63);
    // Both at once, so that no iteration has one alone.
    edited.app.set_all({"scale/it/factor=1", "add/it/value=0"});
    CHECK(edited.pass(5) == 5);
    // Switched off, an operator's output keeps what it held.
    edited.app.enable("add", false);
    CHECK(edited.pass(7) == 5);
    // What changes meanwhile is there when it is switched on.
    edited.app.set("add/it/value=100");
    CHECK(edited.pass(8) == 5);
    edited.app.enable("add");
    CHECK(edited.pass(9) == 109);
    const GraphStatistics did = edited.end();
    CHECK(did.iterations == 7);
    CHECK(did.parameter_sets == (loops ? 1 : 2));
    CHECK(did.instantiations == (loops ? 4 : 0));
    CHECK(did.node_updates == (loops ? 0 : 3));
  }
}

TEST_CASE("A node keeps the traits of its operator when it is captured again") {
  for (const std::string mode : {"mode: graph", "mode: resident"}) {
    INFO(mode);
    Edited edited(mode, "Urgent", "priority: -2");
    CHECK(edited.pass(1) == -1989);
    edited.app.set("scale/it/value=5");
    CHECK(edited.pass(1) == -1984);
    edited.app.enable("scale", false);
    CHECK(edited.pass(3) == -1984);
    edited.app.enable("scale");
    CHECK(edited.pass(2) == -1983);
    static_cast<void>(edited.end());
  }
}

}  // namespace gxr::test
