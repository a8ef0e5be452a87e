// Branches of graphs that the host launches, and of loops: what runs, and in which order.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/graph.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "extensions/cuda/runtime/runtime.hpp"
#include "gxr/error.hpp"
#include "launched.hpp"
#include "notebook.hpp"

namespace gxr::test {
namespace {

using Catch::Matchers::ContainsSubstring;
using cuda::RuntimeGraph;
using cuda::RuntimeLoop;

using Make = std::function<void(Maker&, const Notebook&)>;

/// What is noted in so many iterations.
Codes launched(const Make& make, const std::vector<std::int64_t>& numbers, std::uint64_t times) {
  const Notebook notebook(numbers);
  const DeviceArray<std::uint64_t> number(1);
  Launched on;
  Maker maker(on.graph, number.get());
  make(maker, notebook);
  on.graph.count_launches(number.get(), 0);
  on.graph.instantiate();
  for (std::uint64_t i = 0; i < times; ++i) {
    on.launch();
  }
  on.wait();
  return notebook.written();
}

Codes looped(const Make& make, const std::vector<std::int64_t>& numbers, std::uint64_t times,
             GraphLoop shape, std::uint32_t unroll) {
  const Notebook notebook(numbers);
  DeviceLoopOptions options;
  options.loop = shape;
  options.unroll = unroll;
  RuntimeLoop loop(options);
  Maker maker(loop);
  make(maker, notebook);
  loop.instantiate();
  loop.launch(times);
  REQUIRE(soon([&] { return !loop.is_running(); }));
  CHECK(loop.report().iterations == times);
  return notebook.written();
}

void notes_everywhere(const Make& make, const std::vector<std::int64_t>& numbers,
                      std::uint64_t times, const Codes& wanted) {
  CHECK(launched(make, numbers, times) == wanted);
  CHECK(looped(make, numbers, times, GraphLoop::HeadTail, 1) == wanted);
  CHECK(looped(make, numbers, times, GraphLoop::ControlAtEnd, 1) == wanted);
  CHECK(looped(make, numbers, times, GraphLoop::ControlAtEnd, 3) == wanted);
}

/// A number decides between 1, 2 and 3; then comes 9.
void choose(Maker& maker, const Notebook& on) {
  const std::size_t decides = maker.add(on.decides());
  const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
  const std::size_t first = maker.add(on.notes(1), {}, {branch, 0});
  maker.add(on.notes(2), {first}, {branch, 0});
  maker.add(on.notes(3), {}, {branch, 1});
  maker.add(on.notes(9), {branch});
}

}  // namespace

TEST_CASE("An If runs one of its bodies", "[branches]") {
  notes_everywhere(choose, {1, 0, -5, 7, 0}, 5, {1, 2, 9, 3, 9, 1, 2, 9, 1, 2, 9, 3, 9});
}

TEST_CASE("An If without an else runs its body or nothing", "[branches]") {
  const Make make = [](Maker& maker, const Notebook& on) {
    const std::size_t decides = maker.add(on.decides());
    const std::size_t branch = maker.add(on.branch(BranchKind::If, 1), {decides});
    maker.add(on.notes(1), {}, {branch, 0});
    maker.add(on.notes(9), {branch});
  };
  notes_everywhere(make, {0, 1, 0, 0, 2}, 5, {9, 1, 9, 9, 9, 1, 9});
}

TEST_CASE("A Switch runs the body of a number, or none", "[branches]") {
  const Make make = [](Maker& maker, const Notebook& on) {
    const std::size_t decides = maker.add(on.decides());
    const std::size_t branch = maker.add(on.branch(BranchKind::Switch, 4), {decides});
    maker.add(on.notes(1), {}, {branch, 0});
    maker.add(on.notes(2), {}, {branch, 1});
    maker.add(on.notes(3), {}, {branch, 2});
    maker.add(on.notes(9), {branch});
  };
  notes_everywhere(make, {0, 1, 2, 3, -1, 1'000'000, 2}, 7, {1, 9, 2, 9, 3, 9, 9, 9, 9, 3, 9});
}

TEST_CASE("A While runs its body once at least, and as long as a number is not 0", "[branches]") {
  const Make make = [](Maker& maker, const Notebook& on) {
    const std::size_t first = maker.add(on.notes(8));
    const std::size_t branch = maker.add(on.branch(BranchKind::While, 1), {first});
    const std::size_t inside = maker.add(on.notes(1), {}, {branch, 0});
    maker.add(on.decides(), {inside}, {branch, 0});
    maker.add(on.notes(9), {branch});
  };
  notes_everywhere(make, {1, 1, 0, 0, -3, 0}, 3, {8, 1, 1, 1, 9, 8, 1, 9, 8, 1, 1, 9});
}

TEST_CASE("A While ends at its limit", "[branches]") {
  const Make make = [](Maker& maker, const Notebook& on) {
    const std::size_t branch = maker.add(on.branch(BranchKind::While, 1, 3));
    const std::size_t inside = maker.add(on.notes(1), {}, {branch, 0});
    maker.add(on.decides(), {inside}, {branch, 0});
    maker.add(on.notes(9), {branch});
  };
  notes_everywhere(make, {1, 1, 1, 1, 0, 1, 1, 1}, 3, {1, 1, 1, 9, 1, 1, 9, 1, 1, 1, 9});
}

TEST_CASE("An Every runs its body in every Nth iteration", "[branches]") {
  const Make make = [](Maker& maker, const Notebook& on) {
    const std::size_t front = maker.add(on.notes(8));
    const std::size_t branch = maker.add_every(3, 1, {front});
    const std::size_t inside = maker.add(on.notes(1), {}, {branch, 0});
    maker.add(on.notes(2), {inside}, {branch, 0});
    maker.add(on.notes(9), {branch});
  };
  notes_everywhere(make, {0}, 6, {8, 9, 8, 1, 2, 9, 8, 9, 8, 9, 8, 1, 2, 9, 8, 9});
}

TEST_CASE("An Every may be the first of an iteration, and run in each", "[branches]") {
  const Make make = [](Maker& maker, const Notebook& on) {
    const std::size_t each = maker.add_every(1, 0);
    maker.add(on.notes(1), {}, {each, 0});
    const std::size_t later = maker.add_every(1, 3, {each});
    maker.add(on.notes(2), {}, {later, 0});
    const std::size_t never = maker.add_every(1, ~std::uint64_t{0}, {later});
    maker.add(on.notes(3), {}, {never, 0});
  };
  notes_everywhere(make, {0}, 5, {1, 1, 1, 1, 2, 1, 2});
}

TEST_CASE("An Every and other branches stand in each other", "[branches]") {
  const Make make = [](Maker& maker, const Notebook& on) {
    const std::size_t outer = maker.add_every(2, 0);
    const DeviceBody body{outer, 0};
    const std::size_t decides = maker.add(on.decides(), {}, body);
    const std::size_t choice = maker.add(on.branch(BranchKind::If, 2), {decides}, body);
    const std::size_t inner = maker.add_every(3, 0, {}, {choice, 0});
    maker.add(on.notes(1), {}, {inner, 0});
    maker.add(on.notes(2), {}, {choice, 1});
    maker.add(on.notes(9), {outer});
  };
  // Iterations 0, 2, 4, 6 and 8 decide; of those in which it is 1, 0 and 6 are multiples of 3.
  notes_everywhere(make, {1, 1, 0, 1, 1}, 9, {1, 9, 9, 9, 9, 2, 9, 9, 1, 9, 9, 9});
}

TEST_CASE("An Every is counted on when the graph is made anew", "[branches]") {
  const Notebook on({0});
  const DeviceArray<std::uint64_t> number(1);
  Launched graph;
  Maker maker(graph.graph, number.get());
  const std::size_t branch = maker.add_every(2, 1);
  const std::size_t inside = maker.add(on.notes(1), {}, {branch, 0});
  maker.add(on.notes(9), {branch});
  graph.graph.count_launches(number.get(), 0);
  graph.graph.instantiate();
  graph.run();
  graph.run();
  graph.graph.replace(inside, on.notes(5));
  graph.update();
  graph.run();
  graph.run();
  CHECK(is(graph.graph.updates(), 0, 0, 1));
  CHECK(on.written() == Codes{9, 1, 9, 9, 5, 9});
}

TEST_CASE("An Every of a loop that goes on counts from there", "[branches]") {
  const Notebook on({0});
  RuntimeLoop loop(DeviceLoopOptions{});
  Maker maker(loop);
  const std::size_t branch = maker.add_every(3, 1);
  const std::size_t inside = maker.add(on.notes(1), {}, {branch, 0});
  maker.add(on.notes(9), {branch});
  const auto run_to = [&](std::uint64_t done, std::uint64_t limit) {
    loop.instantiate();
    loop.launch_from(done, limit);
    REQUIRE(soon([&] { return !loop.is_running(); }));
  };
  run_to(0, 3);
  loop.replace(inside, on.notes(2));
  run_to(3, 5);
  loop.replace_by_copy(inside, {});
  run_to(5, 8);
  CHECK(on.written() == Codes{9, 1, 9, 9, 9, 2, 9, 9, 9, 9});
}

TEST_CASE("Branches stand in each other", "[branches]") {
  // A Switch: body 0 has a While, in whose body an If is; body 1 has an If.
  const Make make = [](Maker& maker, const Notebook& on) {
    const std::size_t decides = maker.add(on.decides());
    const std::size_t choice = maker.add(on.branch(BranchKind::Switch, 2), {decides});
    const DeviceBody first{choice, 0};
    const std::size_t loop = maker.add(on.branch(BranchKind::While, 1, 10), {}, first);
    const DeviceBody body{loop, 0};
    const std::size_t odd = maker.add(on.decides(), {}, body);
    const std::size_t inner = maker.add(on.branch(BranchKind::If, 2), {odd}, body);
    maker.add(on.notes(1), {}, {inner, 0});
    maker.add(on.notes(2), {}, {inner, 1});
    maker.add(on.decides(), {inner}, body);
    maker.add(on.notes(3), {loop}, first);
    const DeviceBody second{choice, 1};
    const std::size_t yes = maker.add(on.decides(), {}, second);
    const std::size_t other = maker.add(on.branch(BranchKind::If, 1), {yes}, second);
    maker.add(on.notes(4), {}, {other, 0});
    maker.add(on.notes(9), {choice});
  };
  notes_everywhere(make, {0, 1, 1, 0, 0, /**/ 1, 1, /**/ 1, 0, /**/ 7, /**/ 0, 0, 0}, 5,
                   {1, 2, 3, 9, 4, 9, 9, 9, 2, 3, 9});
}

TEST_CASE("Numbers of all whole types decide", "[branches]") {
  const auto with = [](ElementType type, auto number) {
    return [type, number](Maker& maker, const Notebook& on) {
      const std::size_t decides = maker.add(on.decides<decltype(number)>());
      cuda::BoundBranch branch = on.branch(BranchKind::Switch, 2);
      branch.branch.type = type;
      const std::size_t choice = maker.add(branch, {decides});
      maker.add(on.notes(1), {}, {choice, 0});
      maker.add(on.notes(2), {}, {choice, 1});
    };
  };
  const std::vector<std::int64_t> numbers = {
      1, 0, 255, -1, 257, 65'537, (std::int64_t{1} << 32) + 1};
  const std::uint64_t count = numbers.size();
  const Codes bytes = {2, 1, 2, 2, 2};  // the last three end with the byte 1
  CHECK(launched(with(ElementType::UInt8, std::uint8_t{}), numbers, count) == bytes);
  CHECK(launched(with(ElementType::Int8, std::int8_t{}), numbers, count) == bytes);
  CHECK(launched(with(ElementType::UInt16, std::uint16_t{}), numbers, count) == Codes{2, 1, 2, 2});
  CHECK(launched(with(ElementType::Int16, std::int16_t{}), numbers, count) == Codes{2, 1, 2, 2});
  CHECK(launched(with(ElementType::UInt32, std::uint32_t{}), numbers, count) == Codes{2, 1, 2});
  CHECK(launched(with(ElementType::Int32, std::int32_t{}), numbers, count) == Codes{2, 1, 2});
  CHECK(launched(with(ElementType::UInt64, std::uint64_t{}), numbers, count) == Codes{2, 1});
  CHECK(launched(with(ElementType::Int64, std::int64_t{}), numbers, count) == Codes{2, 1});
}

TEST_CASE("What stands in a branch is captured again", "[branches]") {
  const Notebook on({1, 0, 1, 1, 0});
  Launched graph;
  Maker maker(graph.graph);
  const std::size_t decides = maker.add(on.decides());
  const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
  const std::size_t inside = maker.add(on.notes(1), {}, {branch, 0});
  maker.add(on.notes(3), {}, {branch, 1});
  const std::size_t behind = maker.add(on.notes(9), {branch});
  graph.graph.instantiate();
  graph.run();
  graph.run();
  graph.graph.replace(inside, on.notes(5));
  graph.update();
  graph.run();
  CHECK(is(graph.graph.updates(), 0, 0, 1));
  graph.graph.replace(behind, on.notes(7));
  graph.update();
  graph.run();
  graph.run();
  CHECK(is(graph.graph.updates(), 0, 0, 2));
  CHECK(on.written() == Codes{1, 9, 3, 9, 5, 9, 5, 7, 3, 7});
}

TEST_CASE("Nothing is done in the place of what stands in a branch", "[branches]") {
  const Notebook on({1, 1, 0, 1, 1});
  Launched graph;
  Maker maker(graph.graph);
  const std::size_t decides = maker.add(on.decides());
  const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
  const std::size_t inside = maker.add(on.notes(1), {}, {branch, 0});
  maker.add(on.notes(2), {inside}, {branch, 0});
  const std::size_t alone = maker.add(on.notes(3), {}, {branch, 1});
  maker.add(on.notes(9), {branch});
  graph.graph.instantiate();
  graph.run();
  graph.graph.replace_by_copy(inside, {});
  graph.graph.replace_by_copy(alone, {});
  graph.update();
  graph.run();
  graph.run();
  graph.run();
  graph.graph.replace(inside, on.notes(1));
  graph.update();
  graph.run();
  CHECK(is(graph.graph.updates(), 0, 0, 2));
  CHECK(on.written() == Codes{1, 2, 9, 2, 9, 9, 2, 9, 1, 2, 9});
}

TEST_CASE("Launches of a graph with branches are counted", "[branches]") {
  const Notebook on({1, 0});
  const DeviceArray<std::uint64_t> number(1);
  const DeviceArray<std::uint64_t> seen(2);
  Launched graph;
  Maker maker(graph.graph);
  choose(maker, on);
  graph.graph.count_launches(number.get(), 40);
  graph.graph.instantiate();
  graph.run();
  CHECK(number.read().front() == 40);
  graph.run();
  CHECK(number.read().front() == 41);
  CHECK(on.written() == Codes{1, 2, 9, 3, 9});
}

TEST_CASE("Work that a branch body cannot do is refused", "[branches]") {
  const Notebook on({1});
  Launched graph;
  Maker maker(graph.graph);
  const std::size_t decides = maker.add(on.decides());
  const std::size_t branch = maker.add(on.branch(BranchKind::If, 1), {decides});
  const std::size_t inside = maker.add(on.notes(1), {}, {branch, 0});
  const Work allocates = [](cudaStream_t stream) {
    void* memory = nullptr;
    cuda::check(cudaMallocAsync(&memory, 1000, stream), "cudaMallocAsync");
    cuda::check(cudaFreeAsync(memory, stream), "cudaFreeAsync");
  };
  CHECK_THROWS_WITH(maker.add(allocates, {}, {branch, 0}),
                    ContainsSubstring("which operators in a branch body cannot do; scratch"));
  Launched other;
  Maker again(other.graph);
  choose(again, on);
  other.graph.instantiate();
  CHECK_THROWS_WITH(other.graph.enable(inside, false), ContainsSubstring("CUDA cannot switch off"));
}

TEST_CASE("A graph with branches is given up while a loop runs", "[branches]") {
  const Notebook on({1, 0, 1});
  const DeviceArray<std::int32_t> word(1);
  RuntimeLoop loop({});
  loop.add(
      [&](cudaStream_t stream) {
        cuda::check(cudaMemsetAsync(word.get(), 0, sizeof(std::int32_t), stream),
                    "cudaMemsetAsync");
      },
      {});
  loop.instantiate();
  {
    Launched graph;
    Maker maker(graph.graph);
    choose(maker, on);
    graph.graph.instantiate();
    graph.run();
    loop.launch(~std::uint64_t{0});
    graph.run();
  }
  CHECK(loop.is_running());
  loop.control().set_limit(0);
  REQUIRE(soon([&] { return !loop.is_running(); }));
}

}  // namespace gxr::test
