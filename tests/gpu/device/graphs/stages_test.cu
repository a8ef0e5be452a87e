// Choices between long bodies in loops that may launch themselves: each body is a graph, with all
// that follows it.

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/cuda_nodes.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "gxr/cuda/check.hpp"
#include "launched.hpp"
#include "notebook.hpp"

namespace gxr::test {
namespace {

using cuda::RuntimeLoop;

constexpr std::size_t kLong = 40;  // kernels of a body

__global__ void add_one(std::int32_t* to) { ++*to; }

/// A loop that may launch itself.
class Looped {
 public:
  using Lay = std::function<void(Maker&, const Notebook&)>;

  Looped(const std::vector<std::int64_t>& numbers, const Lay& lay,
         GraphLoop shape = GraphLoop::ControlAtEnd)
      : Looped(lay, std::make_shared<Notebook>(numbers), shape) {}
  Looped(const Lay& lay, std::shared_ptr<const Notebook> kept,
         GraphLoop shape = GraphLoop::ControlAtEnd)
      : notebook(std::move(kept)), on(*notebook), loop(options_of(shape)) {
    Maker maker(loop);
    lay(maker, on);
    loop.instantiate();
  }

  void run(std::uint64_t times, std::uint64_t done = 0) {
    loop.launch_from(done, done + times);
    REQUIRE(soon([&] { return !loop.is_running(); }));
    CHECK(loop.report().iterations == done + times);
  }
  /// Conditional nodes.
  [[nodiscard]] std::size_t conditions() const {
    std::size_t found = 0;
    for (cudaGraph_t const graph : loop.graphs()) {
      for (cudaGraphNode_t const node : cuda::nodes_of(graph)) {
        found += cuda::type_of(node) == cudaGraphNodeTypeConditional ? 1 : 0;
      }
    }
    return found;
  }
  /// Is it so many graphs that launch each other?
  [[nodiscard]] bool has_stages(std::size_t graphs) const {
    CHECK(conditions() == 0);
    CHECK(loop.graphs().size() == graphs);
    return conditions() == 0 && loop.graphs().size() == graphs;
  }

  std::shared_ptr<const Notebook> notebook;
  const Notebook& on;
  RuntimeLoop loop;

 private:
  static DeviceLoopOptions options_of(GraphLoop shape) {
    DeviceLoopOptions options;
    options.loop = shape;
    options.may_launch_itself = true;
    return options;
  }
};

/// One work that is so many kernels, of which the last notes how many there were before, and then
/// the code.
Work counts_and_notes(const Notebook& on, const DeviceArray<std::int32_t>& counted,
                      std::int32_t code, std::size_t kernels = kLong) {
  return [&, note = on.notes(code), kernels](cudaStream_t stream) {
    for (std::size_t i = 1; i < kernels; ++i) {
      add_one<<<1, 1, 0, stream>>>(counted.get());
    }
    note(stream);
  };
}

}  // namespace

TEST_CASE("Long bodies are launched, in loops of every shape that may be", "[stages]") {
  const DeviceArray<std::int32_t> counted(1);
  for (const GraphLoop shape : {GraphLoop::ControlAtEnd, GraphLoop::TailLaunch}) {
    CAPTURE(static_cast<int>(shape));
    counted.clear();
    Looped looped(
        {0, 1, 2, 0, 0, -1, 2, 2, 3, 1'000'000, /**/ 1, 2},
        [&](Maker& maker, const Notebook& on) {
          const std::size_t decides = maker.add(on.decides());
          const std::size_t branch = maker.add(on.branch(BranchKind::Switch, 3), {decides});
          maker.add(counts_and_notes(on, counted, 1), {}, {branch, 0});
          maker.add(counts_and_notes(on, counted, 2), {}, {branch, 1});
          const std::size_t first = maker.add(counts_and_notes(on, counted, 3), {}, {branch, 2});
          maker.add(on.notes(4), {first}, {branch, 2});
          maker.add(on.notes(9), {branch});
        },
        shape);
    CHECK(looped.has_stages(1 + 2 * (3 + 1)));
    looped.run(10);
    CHECK(looped.loop.end_state().went_on == 9);
    looped.run(2);
    CHECK(looped.loop.end_state().went_on == 1);
    CHECK(looped.on.written() ==
          Codes{1, 9, 2, 9, 3, 4, 9, 1, 9, 1, 9, 9, 3, 4, 9, 3, 4, 9, 9, 9, 2, 9, 3, 4, 9});
    CHECK(counted.read().front() == 9 * (static_cast<std::int32_t>(kLong) - 1));
  }
}

TEST_CASE("An If and an Every with long bodies are launched, one behind the other", "[stages]") {
  const DeviceArray<std::int32_t> counted(1);
  for (const std::uint32_t bodies : {1U, 2U}) {
    CAPTURE(bodies);
    Looped looped({1, 0, 0, -7, 1, 0}, [&](Maker& maker, const Notebook& on) {
      const std::size_t decides = maker.add(on.decides());
      const std::size_t branch = maker.add(on.branch(BranchKind::If, bodies), {decides});
      maker.add(counts_and_notes(on, counted, 1), {}, {branch, 0});
      if (bodies == 2) {
        maker.add(counts_and_notes(on, counted, 2), {}, {branch, 1});
      }
      const std::size_t between = maker.add(on.notes(8), {branch});
      const std::size_t every = maker.add_every(3, 1, {between});
      maker.add(counts_and_notes(on, counted, 3), {}, {every, 0});
      maker.add(on.notes(9), {every});
    });
    CHECK(looped.has_stages(1 + 2 + 2 * 2));
    looped.run(6);
    if (bodies == 2) {
      CHECK(looped.on.written() ==
            Codes{1, 8, 9, 2, 8, 3, 9, 2, 8, 9, 1, 8, 9, 1, 8, 3, 9, 2, 8, 9});
    } else {
      CHECK(looped.on.written() == Codes{1, 8, 9, 8, 3, 9, 8, 9, 1, 8, 9, 1, 8, 3, 9, 8, 9});
    }
  }
}

TEST_CASE("An iteration begins with a decision", "[stages]") {
  const DeviceArray<std::int32_t> counted(1);
  Looped looped({0}, [&](Maker& maker, const Notebook& on) {
    const std::size_t every = maker.add_every(3, 1);
    maker.add(counts_and_notes(on, counted, 3), {}, {every, 0});
    maker.add(on.notes(9), {every});
  });
  CHECK(looped.has_stages(1 + 2 * 2));
  looped.run(6);
  CHECK(looped.loop.end_state().went_on == 5);
  CHECK(looped.on.written() == Codes{9, 3, 9, 9, 9, 3, 9, 9});
}

TEST_CASE("A loop that answers fast keeps its shape", "[stages]") {
  const DeviceArray<std::int32_t> counted(1);
  Looped looped(
      {1, 0},
      [&](Maker& maker, const Notebook& on) {
        const std::size_t decides = maker.add(on.decides());
        const std::size_t branch = maker.add(on.branch(BranchKind::If, 1), {decides});
        maker.add(counts_and_notes(on, counted, 1), {}, {branch, 0});
      },
      GraphLoop::HeadTail);
  CHECK(looped.conditions() == 2);
  looped.run(2);
  CHECK(looped.on.written() == Codes{1});
}

TEST_CASE("A loop of several graphs is made, changed and given up while another runs", "[stages]") {
  const DeviceArray<std::int32_t> word(1);
  const DeviceArray<std::int32_t> counted(1);
  const auto lay = [&](Maker& maker, const Notebook& on) {
    const std::size_t decides = maker.add(on.decides());
    const std::size_t branch = maker.add(on.branch(BranchKind::If, 1), {decides});
    maker.add(counts_and_notes(on, counted, 1), {}, {branch, 0});
    maker.add(on.notes(9), {branch});
  };
  // Making them and giving them up waits for all loops, which is none of ours.
  std::vector<std::shared_ptr<const Notebook>> notebooks;
  for (int i = 0; i < 2; ++i) {
    notebooks.push_back(std::make_shared<Notebook>(std::vector<std::int64_t>{1, 0, 1}));
  }
  RuntimeLoop other({});
  other.add([&](cudaStream_t stream) { add_one<<<1, 1, 0, stream>>>(word.get()); }, {});
  other.instantiate();
  other.launch(4'000'000);  // some seconds: nothing waits for ever
  for (const auto& notebook : notebooks) {
    Looped looped(lay, notebook);
    CHECK(other.is_running());
    CHECK(looped.has_stages(1 + 2 * 2));
    looped.run(2);
    CHECK(other.is_running());
    looped.loop.instantiate();
    looped.run(1, 2);
    CHECK(looped.on.written() == Codes{1, 9, 9, 1, 9});
  }
  CHECK(other.is_running());
  other.control().set_limit(0);
  REQUIRE(soon([&] { return !other.is_running(); }));
}

TEST_CASE("A node beside a branch keeps it in the iteration", "[stages]") {
  const DeviceArray<std::int32_t> counted(1);
  const DeviceArray<std::int32_t> beside(1);
  Looped looped({1, 0, 1}, [&](Maker& maker, const Notebook& on) {
    const std::size_t decides = maker.add(on.decides());
    const std::size_t branch = maker.add(on.branch(BranchKind::If, 1), {decides});
    maker.add(counts_and_notes(on, counted, 1), {}, {branch, 0});
    maker.add([&](cudaStream_t stream) { add_one<<<1, 1, 0, stream>>>(beside.get()); });
    maker.add(on.notes(9), {branch});
  });
  CHECK(looped.conditions() == 2);
  looped.run(3);
  CHECK(looped.on.written() == Codes{1, 9, 9, 1, 9});
  CHECK(beside.read().front() == 3);
}

TEST_CASE("A body is launched while it is long", "[stages]") {
  const DeviceArray<std::int32_t> counted(1);
  std::size_t inside = 0;
  std::size_t behind = 0;
  Looped looped({1, 0, /**/ 1, 0, 1, /**/ 0, 1, /**/ 1, 0}, [&](Maker& maker, const Notebook& on) {
    const std::size_t decides = maker.add(on.decides());
    const std::size_t branch = maker.add(on.branch(BranchKind::If, 1), {decides});
    inside = maker.add(counts_and_notes(on, counted, 1), {}, {branch, 0});
    behind = maker.add(on.notes(9), {branch});
  });
  CHECK(looped.has_stages(1 + 2 * 2));
  looped.run(2);
  looped.loop.replace(inside, looped.on.notes(2));
  looped.loop.instantiate();
  CHECK(looped.conditions() == 1);  // the loop's, in which kernels are switched
  looped.run(3, 2);
  looped.loop.replace(inside, counts_and_notes(looped.on, counted, 3));
  looped.loop.instantiate();
  CHECK(looped.has_stages(1 + 2 * 2));
  looped.run(2, 5);
  looped.loop.replace_by_copy(behind, {});
  looped.loop.instantiate();
  CHECK(looped.has_stages(1 + 2 * 2));
  looped.run(2, 7);
  CHECK(looped.on.written() == Codes{1, 9, 9, 2, 9, 9, 2, 9, 9, 3, 9, 3});
}

TEST_CASE("A loop of several graphs ends when it is told to", "[stages]") {
  const DeviceArray<std::int32_t> counted(1);
  const DeviceArray<std::int32_t> iterations(1);
  Looped looped({0}, [&](Maker& maker, const Notebook& on) {
    const std::size_t counts =
        maker.add([&](cudaStream_t stream) { add_one<<<1, 1, 0, stream>>>(iterations.get()); });
    const std::size_t every = maker.add_every(2, 0, {counts});
    maker.add(
        [&](cudaStream_t stream) {
          for (std::size_t i = 0; i < kLong; ++i) {
            add_one<<<1, 1, 0, stream>>>(counted.get());
          }
        },
        {}, {every, 0});
  });
  CHECK(looped.has_stages(1 + 2 * 2));
  std::int32_t ran = 0;
  std::int32_t ran_body = 0;
  for (int launch = 0; launch < 3; ++launch) {
    looped.loop.launch(~std::uint64_t{0});
    REQUIRE(soon([&] { return looped.loop.control().finished() > 1000; }));
    looped.loop.control().set_limit(0);
    REQUIRE(soon([&] { return !looped.loop.is_running(); }));
    const auto done = static_cast<std::int32_t>(looped.loop.report().iterations);
    CHECK(looped.loop.control().finished() == static_cast<std::uint64_t>(done));
    ran += done;
    ran_body += (done + 1) / 2;
    CHECK(iterations.read().front() == ran);
    CHECK(counted.read().front() == ran_body * static_cast<std::int32_t>(kLong));
  }
}

TEST_CASE("An empty body, and nothing behind a branch", "[stages]") {
  const DeviceArray<std::int32_t> counted(1);
  Looped looped({1, 0, 2, 1}, [&](Maker& maker, const Notebook& on) {
    const std::size_t decides = maker.add(on.decides());
    const std::size_t branch = maker.add(on.branch(BranchKind::Switch, 2), {decides});
    maker.add(counts_and_notes(on, counted, 1), {}, {branch, 1});
  });
  CHECK(looped.has_stages(1 + 2 * 3));
  looped.run(4);
  CHECK(looped.on.written() == Codes{1, 1});
}

}  // namespace gxr::test
