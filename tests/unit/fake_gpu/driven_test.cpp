// A program that drives a loop of the fake device with data of its own.

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"
#include "gxr/resident_graph.hpp"
#include "made_application.hpp"
#include "operators.hpp"

namespace gxr::test {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

const std::string kInputs = "inputs: {add/in: 'int64 [1]'}";

/// Two operators, with nothing connected to the ends.
MadeApplication chain() {
  MadeApplication made;
  made.graph_operator("add", "Add", {{"in", ""}}, "value: 5")
      .graph_operator("scale", "Scale", {{"in", "add"}}, "factor: 3");
  return made;
}

class Driven {
 public:
  explicit Driven(const MadeApplication& made, const std::string& options = {}) {
    load(app_, made.text("mode: resident, host_driven: true, " + kInputs + options),
         std::make_shared<Switches>());
    app_.run_async();
    REQUIRE(app_.resident_graph("loop").wait_until_launched(10s));
  }

  ResidentGraph loop() { return app_.resident_graph("loop"); }
  Application& app() { return app_; }
  Report end() {
    app_.interrupt();
    return app_.wait();
  }

 private:
  Application app_;
};

void write(const GraphPort& port, std::int64_t number) {
  std::memcpy(port.address, &number, sizeof number);
}

std::int64_t read(const GraphPort& port) {
  std::int64_t number = 0;
  std::memcpy(&number, port.address, sizeof number);
  return number;
}

void await_result(const ResidentGraph& loop) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!loop.result_ready()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
  }
}

void await_end(const ResidentGraph& loop) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (loop.is_launched()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::sleep_for(100us);
  }
}

}  // namespace

TEST_CASE("A program writes the inputs of a loop, and reads every tensor") {
  for (const std::string options :
       {"", ", unroll: 4", ", sync_with_host: true", ", pause: fixed"}) {
    INFO(options);
    Driven running(chain(), options);
    const ResidentGraph loop = running.loop();
    const GraphPort in = loop.input("add/in");
    const GraphPort between = loop.output("add/out");
    const GraphPort out = loop.output("scale/out");
    CHECK(in.spec.to_string() == "int64 [1]");
    CHECK(out.spec.to_string() == "int64 [1]");
    CHECK(in.slots == 1);
    CHECK(read(in) == 0);
    CHECK_FALSE(loop.result_ready());
    for (std::int64_t i = 1; i <= 500; ++i) {
      write(in, i);
      running.loop().data_ready();
      await_result(loop);
      REQUIRE(read(in) == i);
      REQUIRE(read(between) == i + 5);
      REQUIRE(read(out) == 3 * (i + 5));
    }
    CHECK(running.end().graphs.front().iterations == 500);
  }
}

TEST_CASE("What a program wrote stays over new values of parameters, until the next launch") {
  Driven running(chain());
  ResidentGraph loop = running.loop();
  write(loop.input("add/in"), 7);
  loop.data_ready();
  await_result(loop);
  CHECK(read(loop.output("scale/out")) == 36);
  running.app().set("add/value=6");     // a part of the kernel
  running.app().set("scale/factor=2");  // read from memory
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (read(loop.output("scale/out")) != 26) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    loop.data_ready();
    await_result(loop);
  }
  loop.tear_down();
  loop.launch();
  CHECK_FALSE(loop.result_ready());
  loop.data_ready();
  await_result(loop);
  CHECK(read(loop.output("scale/out")) == 12);
  static_cast<void>(running.end());
}

/// launch() is refused until then.
void launch_when_ended(ResidentGraph& loop) {
  while (true) {
    try {
      return loop.launch();
    } catch (const Error& error) {
      REQUIRE_THAT(error.what(), ContainsSubstring("has not ended yet"));
    }
  }
}

TEST_CASE("A program tears a loop down without waiting for its end") {
  for (const GraphStop how : {GraphStop::Drain, GraphStop::Abort}) {
    Driven running(chain());
    ResidentGraph loop = running.loop();
    for (int cycle = 0; cycle < 10; ++cycle) {
      INFO(cycle);
      for (int i = 0; i < 20; ++i) {
        loop.data_ready();
      }
      loop.begin_tear_down(how);
      CHECK_THROWS_WITH(loop.data_ready(), ContainsSubstring("was torn down"));
      CHECK_THROWS_WITH(loop.begin_tear_down(), ContainsSubstring("was torn down"));
      if (cycle % 2 == 0) {
        await_end(loop);
        CHECK(loop.results() <= 20);
        CHECK((how == GraphStop::Abort || loop.results() == 20));
        loop.launch();
      } else {
        launch_when_ended(loop);
      }
      CHECK(loop.is_launched());
    }
    loop.begin_tear_down();
    loop.tear_down();  // waits for the end
    CHECK_FALSE(loop.is_launched());
    loop.launch();
    loop.begin_tear_down();
    await_end(loop);
    loop.tear_down();  // the end has come already
    CHECK_THROWS_WITH(loop.tear_down(), ContainsSubstring("was torn down"));
    CHECK_FALSE(loop.is_launched());
    CHECK(running.end().failures.empty());
  }
}

TEST_CASE("A program asks for ports that are not there") {
  MadeApplication made = chain();
  made.keep("keep", "scale");
  Driven running(made);
  const ResidentGraph loop = running.loop();
  CHECK_THROWS_WITH(loop.input("scale/in"),
                    ContainsSubstring("'scale/in' is no input that the program writes of region "
                                      "'loop'; there are 'add/in'"));
  CHECK_THROWS_WITH(loop.output("add/in"),
                    ContainsSubstring("is no output of region 'loop'; there are 'add/out', "
                                      "'scale/out'"));
  CHECK_THROWS_WITH(loop.input(""), ContainsSubstring("'' is no input"));
  const Report report = running.end();
  CHECK(report.failures.empty());
  CHECK_THROWS_WITH(loop.input("add/in"), ContainsSubstring("is not launched"));
}

TEST_CASE("A loop that messages drive gives no ports") {
  MadeApplication made;
  made.feed("feed", 1'000'000'000)
      .graph_operator("add", "Add", {{"in", "feed"}})
      .keep("keep", "add");
  Application app;
  load(app, made.text("mode: resident"), std::make_shared<Switches>());
  app.run_async();
  const ResidentGraph loop = app.resident_graph("loop");
  REQUIRE(loop.wait_until_launched(10s));
  CHECK_THROWS_WITH(loop.output("add/out"), ContainsSubstring("'host_driven: true' lets"));
  app.interrupt();
  static_cast<void>(app.wait());
}

}  // namespace gxr::test
