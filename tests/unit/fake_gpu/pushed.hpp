#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "made_application.hpp"
#include "operators.hpp"

namespace gxr::test {

/// Numbers that a test pushes through two operators of a graph, `add` and `scale`.
class Pushed {
 public:
  explicit Pushed(const std::string& mode, const std::string& second = "Scale",
                  const std::string& parameters = "factor: 2", TypeProvider more = {},
                  const std::string& first_parameters = "value: 10",
                  const std::string& scheduler = "gxr::GreedyScheduler") {
    MadeApplication made;
    made.graph_operator("add", "Add", {},
                        "in: in" + (first_parameters.empty() ? "" : ", " + first_parameters))
        .graph_operator("scale", second, {{"in", "add"}}, parameters)
        .keep("keep", "scale");
    std::string text = made.text(mode, scheduler);
    // The input of the first comes from the test.
    const std::string first = "name: add\ncomponents:\n";
    text.replace(text.find(first), first.size(),
                 first +
                     "- {name: in, type: gxr::DoubleBufferReceiver, parameters: {capacity: 4}}\n"
                     "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}\n");
    load(app, text, switches);
    if (!more.types.empty()) {
      app.types(std::move(more));
    }
    app.input("add/in");
    app.run_async();
  }

  /// The output for a number.
  std::int64_t pass(std::int64_t number) {
    const std::size_t before = switches->kept().size();
    Message message = app.new_message();
    auto& tensor = message.add<Tensor>();
    auto* const memory = new std::int64_t(number);
    tensor.wrap(
        memory, Shape{1}, ElementType::Int64, MemoryStorageType::System, memory,
        [](void* owner, void* /*pointer*/) noexcept { delete static_cast<std::int64_t*>(owner); });
    const PushResult pushed = app.push("add/in", std::move(message), std::chrono::seconds(10));
    REQUIRE(pushed == PushResult::Taken);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (switches->kept().size() == before && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
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

}  // namespace gxr::test
