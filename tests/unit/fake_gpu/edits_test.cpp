// A program changes parameters and switches operators while a graph or a loop of the fake device
// runs: all kinds of edits, in both modes.

#include <string>

#include "catch.hpp"
#include "pushed.hpp"

namespace gxr::test {
TEST_CASE("Edits of a program reach the iterations behind them") {
  for (const std::string mode : {"mode: graph", "mode: resident"}) {
    INFO(mode);
    const bool loops = mode == "mode: resident";
    Pushed edited(mode);
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
    Pushed edited(mode, "Urgent", "priority: -2");
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
