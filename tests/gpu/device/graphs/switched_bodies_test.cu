// Choices between short branch bodies, where kernels are switched on and off: which kernels run, in
// which order, and where there is a conditional node all the same. In loops, and in graphs that the
// host launches.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "device_array.hpp"
#include "extensions/cuda/runtime/cuda_nodes.hpp"
#include "extensions/cuda/runtime/loop.hpp"
#include "extensions/cuda/runtime/switched_bodies.hpp"
#include "gxr/cuda/check.hpp"
#include "launched.hpp"
#include "notebook.hpp"

namespace gxr::test {
namespace {

using cuda::kMostSwitchedOff;
using cuda::RuntimeLoop;

constexpr std::uint64_t kMany = std::uint64_t{1} << 40;

__global__ void ring(std::uint64_t* rung) { *rung = kMany; }

/// to = from * factor.
__global__ void multiply(std::int32_t* to, const std::int32_t* from, std::int32_t factor) {
  *to = *from * factor;
}

__global__ void add_one(std::int32_t* to) { ++*to; }

__global__ void note_sum(std::int32_t* notes, const std::int32_t* one, const std::int32_t* other) {
  notes[++notes[0]] = *one + *other;
}

/// Lets its successors come at once, and notes later.
__global__ void note_late(std::int32_t* notes, std::int32_t code, std::uint64_t ns) {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
  std::uint64_t begin = 0;
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
  notes[++notes[0]] = code;
}

/// A loop that may have branches.
struct Shape {
  GraphLoop loop = GraphLoop::ControlAtEnd;
  std::uint32_t unroll = 1;
  bool polls = false;
  std::uint32_t instrument_every = 0;
  std::size_t whiles = 1;    ///< conditional nodes that are the loop
  std::size_t switched = 1;  ///< copies of the iteration in which bodies are switched
  std::size_t measured = 0;  ///< copies in which they are not
};

const std::vector<Shape> kShapes = {
    {},
    {.loop = GraphLoop::HeadTail},
    {.unroll = 3, .whiles = 3, .switched = 4},
    {.polls = true, .whiles = 2},
    {.instrument_every = 3, .whiles = 2, .measured = 1},
    {.unroll = 2, .instrument_every = 5, .whiles = 4, .switched = 3, .measured = 1}};

DeviceLoopOptions options_of(const Shape& shape) {
  DeviceLoopOptions options;
  options.loop = shape.loop;
  options.unroll = shape.unroll;
  options.instrument_every = shape.instrument_every;
  options.doorbells = shape.polls ? 1 : 0;
  return options;
}

using Lay = std::function<void(Maker&)>;

/// A loop of some shape that was not instantiated yet.
class Looped {
 public:
  Looped(const Shape& shape, const Lay& lay) : loop(options_of(shape)), shape_(shape) {
    if (shape.polls) {
      DeviceNode piece;
      piece.polls = true;
      loop.add([&](cudaStream_t stream) { ring<<<1, 1, 0, stream>>>(loop.doorbell(0).rung); },
               piece);
    }
    Maker maker(loop);
    lay(maker);
  }

  void run(std::uint64_t times) {
    loop.launch(times);
    REQUIRE(soon([&] { return !loop.is_running(); }));
    CHECK(loop.report().iterations == times);
  }
  /// Has it as many conditional nodes in each iteration?
  [[nodiscard]] bool has_choices(std::size_t in_switched, std::size_t in_measured) const {
    std::size_t found = 0;
    for (cudaGraph_t const graph : loop.graphs()) {
      for (cudaGraphNode_t const node : cuda::nodes_of(graph)) {
        found += cuda::type_of(node) == cudaGraphNodeTypeConditional ? 1 : 0;
      }
    }
    const std::size_t wanted =
        shape_.whiles + shape_.switched * in_switched + shape_.measured * in_measured;
    CHECK(found == wanted);
    return found == wanted;
  }

  RuntimeLoop loop;

 private:
  Shape shape_;
};

enum class Expected : std::uint8_t { Switched, Conditional };

bool has_choice(const Launched& launched) {
  return std::ranges::any_of(cuda::nodes_of(launched.graph.get()), [](cudaGraphNode_t node) {
    return cuda::type_of(node) == cudaGraphNodeTypeConditional;
  });
}

/// A graph that the host launches; `number`: of the launch.
void make(Launched& launched, const DeviceArray<std::uint64_t>& number, const Lay& lay) {
  Maker maker(launched.graph, number.get());
  lay(maker);
  launched.graph.count_launches(number.get(), 0);
  launched.graph.instantiate();
}

void runs_launched(const std::function<void(Maker&, const Notebook&)>& lay,
                   const std::vector<std::int64_t>& numbers, std::uint64_t times,
                   const Codes& wanted, Expected expected) {
  for (const std::uint32_t every : {0U, 3U}) {
    INFO("launched by the host, measured every " << every);
    const Notebook notebook(numbers);
    const DeviceArray<std::uint64_t> number(1);
    Launched launched({.instrument_every = every});
    make(launched, number, [&](Maker& maker) { lay(maker, notebook); });
    CHECK(has_choice(launched) == (expected == Expected::Conditional));
    for (std::uint64_t i = 0; i < times; ++i) {
      launched.launch();
    }
    launched.wait();
    CHECK(notebook.written() == wanted);
  }
}

/// `choices`: branches, laid out as expected.
void runs_everywhere(const std::function<void(Maker&, const Notebook&)>& lay,
                     const std::vector<std::int64_t>& numbers, std::uint64_t times,
                     const Codes& wanted, std::size_t choices, Expected expected) {
  for (const Shape& shape : kShapes) {
    CAPTURE(static_cast<int>(shape.loop), shape.unroll, shape.polls, shape.instrument_every);
    const Notebook notebook(numbers);
    Looped looped(shape, [&](Maker& maker) { lay(maker, notebook); });
    looped.loop.instantiate();
    CHECK(looped.has_choices(expected == Expected::Switched ? 0 : choices, choices));
    looped.run(times);
    CHECK(notebook.written() == wanted);
  }
  runs_launched(lay, numbers, times, wanted, expected);
}

/// One work that is so many kernels.
Work notes_often(const Notebook& on, std::int32_t code, std::size_t times) {
  return [note = on.notes(code), times](cudaStream_t stream) {
    for (std::size_t i = 0; i < times; ++i) {
      note(stream);
    }
  };
}

Codes repeated(std::int32_t code, std::size_t times, std::int32_t last) {
  Codes codes(times, code);
  codes.push_back(last);
  return codes;
}

/// A number decides between 1 2, 3, and nothing; then comes 9.
void lay_switch(Maker& maker, const Notebook& on) {
  const std::size_t decides = maker.add(on.decides());
  const std::size_t branch = maker.add(on.branch(BranchKind::Switch, 3), {decides});
  const std::size_t first = maker.add(on.notes(1), {}, {branch, 0});
  maker.add(on.notes(2), {first}, {branch, 0});
  maker.add(on.notes(3), {}, {branch, 1});
  maker.add(on.notes(9), {branch});
}

}  // namespace

TEST_CASE("Short bodies are switched, in each iteration or after some", "[switched]") {
  runs_everywhere(
      lay_switch, {0, 1, 2, 0, 0, 0, 1, 1, -1, -1, 3, 1, 1'000'000, 0, 2, 2}, 16,
      {1, 2, 9, 3, 9, 9, 1, 2, 9, 1, 2, 9, 1, 2, 9, 3, 9, 3, 9, 9, 9, 9, 3, 9, 9, 1, 2, 9, 9, 9}, 1,
      Expected::Switched);
}

TEST_CASE("An If whose body is short is switched, with an else and without", "[switched]") {
  for (const std::uint32_t bodies : {1U, 2U}) {
    CAPTURE(bodies);
    runs_everywhere(
        [&](Maker& maker, const Notebook& on) {
          const std::size_t decides = maker.add(on.decides());
          const std::size_t branch = maker.add(on.branch(BranchKind::If, bodies), {decides});
          maker.add(on.notes(1), {}, {branch, 0});
          maker.add(on.notes(9), {branch});
        },
        {1, 0, 0, -3, 7, 0, 1}, 7, {1, 9, 9, 9, 1, 9, 1, 9, 9, 1, 9}, 1, Expected::Switched);
  }
  runs_everywhere(
      [](Maker& maker, const Notebook& on) {
        const std::size_t decides = maker.add(on.decides());
        const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
        maker.add(on.notes(1), {}, {branch, 1});
      },
      {1, 0, 0, 5}, 4, {1, 1}, 1, Expected::Switched);
}

TEST_CASE("A branch whose bodies are all empty does nothing", "[switched]") {
  runs_everywhere(
      [](Maker& maker, const Notebook& on) {
        const std::size_t decides = maker.add(on.decides());
        const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
        maker.add(on.notes(9), {branch});
      },
      {1, 0, 1}, 3, {9, 9, 9}, 1, Expected::Switched);
}

TEST_CASE("An Every whose body is short is switched", "[switched]") {
  runs_everywhere(
      [](Maker& maker, const Notebook& on) {
        const std::size_t each = maker.add_every(1, 4);
        maker.add(on.notes(1), {}, {each, 0});
        const std::size_t third = maker.add_every(3, 1, {each});
        const std::size_t inside = maker.add(on.notes(2), {}, {third, 0});
        maker.add(on.notes(3), {inside}, {third, 0});
        const std::size_t never = maker.add_every(1, ~std::uint64_t{0}, {third});
        maker.add(on.notes(4), {}, {never, 0});
        maker.add(on.notes(9), {never});
      },
      {0}, 8, {9, 2, 3, 9, 9, 9, 1, 2, 3, 9, 1, 9, 1, 9, 1, 2, 3, 9}, 3, Expected::Switched);
}

TEST_CASE("Kernels of a switched body follow each other", "[switched]") {
  const DeviceArray<std::int32_t> cells(3);
  std::int32_t* const base = cells.get();
  const auto lay_diamond = [&](Maker& maker, const Notebook& on, const DeviceBody& body,
                               std::int32_t factor) {
    const std::size_t top =
        maker.add([=](cudaStream_t stream) { add_one<<<1, 1, 0, stream>>>(base); }, {}, body);
    const auto multiplies = [&](std::int32_t* to, std::int32_t by) {
      return maker.add([=](cudaStream_t stream) { multiply<<<1, 1, 0, stream>>>(to, base, by); },
                       {top}, body);
    };
    const std::size_t left = multiplies(base + 1, factor);
    const std::size_t right = multiplies(base + 2, 10 * factor);
    maker.add(
        [=, notes = on.notes()](cudaStream_t stream) {
          note_sum<<<1, 1, 0, stream>>>(notes, base + 1, base + 2);
        },
        {left, right}, body);
  };
  for (const Shape& shape : kShapes) {
    CAPTURE(static_cast<int>(shape.loop), shape.unroll, shape.polls, shape.instrument_every);
    cuda::check(cudaMemset(base, 0, 3 * sizeof *base), "cudaMemset");
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const Notebook on({1, 0, 0, 1, 1});
    Looped looped(shape, [&](Maker& maker) {
      const std::size_t decides = maker.add(on.decides());
      const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
      lay_diamond(maker, on, {branch, 0}, 1);
      lay_diamond(maker, on, {branch, 1}, 100);
      maker.add(on.notes(9), {branch});
    });
    looped.loop.instantiate();
    CHECK(looped.has_choices(0, 1));
    looped.run(5);
    CHECK(on.written() == Codes{11, 9, 2200, 9, 3300, 9, 44, 9, 55, 9});
  }
}

TEST_CASE("A node behind bodies waits for kernels that let it come early", "[switched]") {
  constexpr std::uint64_t kLate = 30'000;
  DeviceNode early;
  early.traits.dependent_launch = true;
  for (const Shape& shape : kShapes) {
    CAPTURE(static_cast<int>(shape.loop), shape.unroll, shape.polls, shape.instrument_every);
    const Notebook on({0, 1, 2, 2, 1, 0, 5, 1});
    RuntimeLoop* loop = nullptr;
    const auto add = [&](std::int32_t code, std::uint64_t ns, const Numbers& after,
                         const DeviceBody& body) {
      DeviceNode piece = early;
      piece.after = after;
      piece.body = body;
      return loop->add(
          [=, notes = on.notes()](cudaStream_t stream) {
            note_late<<<1, 1, 0, stream>>>(notes, code, ns);
          },
          piece);
    };
    Looped looped(shape, [](Maker&) {});
    loop = &looped.loop;
    Maker maker(*loop);
    const std::size_t decides = maker.add(on.decides());
    const std::size_t front = add(8, 0, {decides}, {});
    const std::size_t branch = maker.add(on.branch(BranchKind::Switch, 3), {front});
    for (std::uint32_t body = 0; body < 3; ++body) {
      const auto code = static_cast<std::int32_t>(10 * body);
      const std::size_t first = add(code + 1, kLate, {}, {branch, body});
      add(code + 2, body == 1 ? 0 : kLate, {first}, {branch, body});
    }
    add(9, 0, {branch}, {});
    looped.loop.instantiate();
    CHECK(looped.has_choices(0, 1));
    looped.run(8);
    CHECK(on.written() == Codes{8, 1, 2,  9,  8, 11, 12, 9, 8, 21, 22, 9, 8,  21, 22,
                                9, 8, 11, 12, 9, 8,  1,  2, 9, 8,  9,  8, 11, 12, 9});
  }
}

TEST_CASE("Branches follow each other, and each remembers its own body", "[switched]") {
  runs_everywhere(
      [](Maker& maker, const Notebook& on) {
        const std::size_t decides = maker.add(on.decides());
        const std::size_t branch = maker.add(on.branch(BranchKind::Switch, 2), {decides});
        maker.add(on.notes(1), {}, {branch, 0});
        maker.add(on.notes(2), {}, {branch, 1});
        const std::size_t again = maker.add(on.decides(), {branch});
        const std::size_t other = maker.add(on.branch(BranchKind::Switch, 2), {again});
        maker.add(on.notes(3), {}, {other, 0});
        maker.add(on.notes(4), {}, {other, 1});
        maker.add(on.notes(9), {other});
      },
      {0, 0, 0, 1, 1, 1, 1, 0, 2, 0, 0, 2}, 6, {1, 3, 9, 1, 4, 9, 2, 4, 9, 2, 3, 9, 3, 9, 1, 9}, 2,
      Expected::Switched);
}

TEST_CASE("Bodies with other nodes than kernels have a conditional node", "[switched]") {
  const DeviceArray<std::int32_t> cell(1);
  runs_everywhere(
      [&](Maker& maker, const Notebook& on) {
        const std::size_t decides = maker.add(on.decides());
        const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
        const std::size_t first = maker.add(on.notes(1), {}, {branch, 0});
        maker.add(
            [&](cudaStream_t stream) {
              cuda::check(cudaMemsetAsync(cell.get(), 0, sizeof(std::int32_t), stream),
                          "cudaMemsetAsync");
            },
            {first}, {branch, 0});
        maker.add(on.notes(2), {}, {branch, 1});
        maker.add(on.notes(9), {branch});
      },
      {1, 0, 0, 1}, 4, {1, 9, 2, 9, 2, 9, 1, 9}, 1, Expected::Conditional);
}

TEST_CASE("Branches in bodies have conditional nodes, and so have the branches around them",
          "[switched]") {
  runs_everywhere(
      [](Maker& maker, const Notebook& on) {
        const std::size_t decides = maker.add(on.decides());
        const std::size_t outer = maker.add(on.branch(BranchKind::If, 1), {decides});
        const DeviceBody inside{outer, 0};
        const std::size_t again = maker.add(on.decides(), {}, inside);
        const std::size_t inner = maker.add(on.branch(BranchKind::If, 2), {again}, inside);
        maker.add(on.notes(1), {}, {inner, 0});
        maker.add(on.notes(2), {}, {inner, 1});
        maker.add(on.notes(9), {outer});
      },
      {1, 1, 0, 1, 0, 1, 1}, 4, {1, 9, 9, 2, 9, 1, 9}, 2, Expected::Conditional);
}

TEST_CASE("Long bodies have a conditional node", "[switched]") {
  const auto alone = [](std::size_t kernels) {
    return [=](Maker& maker, const Notebook& on) {
      const std::size_t decides = maker.add(on.decides());
      const std::size_t branch = maker.add(on.branch(BranchKind::If, 1), {decides});
      maker.add(notes_often(on, 1, kernels), {}, {branch, 0});
      maker.add(on.notes(9), {branch});
    };
  };
  runs_everywhere(
      alone(kMostSwitchedOff), {0, 1}, 2,
      [] {
        Codes codes = {9};
        const Codes more = repeated(1, kMostSwitchedOff, 9);
        codes.insert(codes.end(), more.begin(), more.end());
        return codes;
      }(),
      1, Expected::Switched);
  runs_everywhere(alone(kMostSwitchedOff + 1), {1}, 1, repeated(1, kMostSwitchedOff + 1, 9), 1,
                  Expected::Conditional);
  // The shortest of two counts for nothing.
  const auto beside = [](std::size_t one, std::size_t other) {
    return [=](Maker& maker, const Notebook& on) {
      const std::size_t decides = maker.add(on.decides());
      const std::size_t branch = maker.add(on.branch(BranchKind::Switch, 2), {decides});
      maker.add(notes_often(on, 1, one), {}, {branch, 0});
      maker.add(notes_often(on, 2, other), {}, {branch, 1});
      maker.add(on.notes(9), {branch});
    };
  };
  runs_everywhere(beside(20, kMostSwitchedOff), {0}, 1, repeated(1, 20, 9), 1, Expected::Switched);
  runs_everywhere(beside(kMostSwitchedOff + 1, 20), {1}, 1, repeated(2, 20, 9), 1,
                  Expected::Conditional);
}

TEST_CASE("Bodies stay on from launch to launch, and are all on in a loop that is made anew",
          "[switched]") {
  for (const Shape& shape : kShapes) {
    CAPTURE(static_cast<int>(shape.loop), shape.unroll, shape.polls, shape.instrument_every);
    const Notebook on({0, 1, /**/ 1, 0, 2, /**/ 0, 1, 0, /**/ 1, 0});
    std::size_t inside = 0;
    Looped looped(shape, [&](Maker& maker) {
      const std::size_t decides = maker.add(on.decides());
      const std::size_t branch = maker.add(on.branch(BranchKind::Switch, 2), {decides});
      inside = maker.add(on.notes(1), {}, {branch, 0});
      maker.add(on.notes(2), {}, {branch, 1});
      maker.add(on.notes(9), {branch});
    });
    looped.loop.instantiate();
    looped.run(2);
    looped.run(3);
    looped.loop.replace(inside, on.notes(5));
    looped.loop.instantiate();
    CHECK(looped.has_choices(0, 1));
    looped.run(3);
    looped.loop.replace_by_copy(inside, {});
    looped.loop.instantiate();
    CHECK(looped.has_choices(0, 1));
    looped.run(2);
    CHECK(on.written() == Codes{1, 9, 2, 9, 2, 9, 1, 9, 9, 5, 9, 2, 9, 5, 9, 2, 9, 9});
  }
}

TEST_CASE("A body that gets another kind of node is no longer switched", "[switched]") {
  const DeviceArray<std::int32_t> from(1);
  const DeviceArray<std::int32_t> to(1);
  const Notebook on({1, 0, /**/ 1, 0, /**/ 1, 0});
  std::size_t inside = 0;
  Looped looped({}, [&](Maker& maker) {
    const std::size_t decides = maker.add(on.decides());
    const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
    inside = maker.add(on.notes(1), {}, {branch, 0});
    maker.add(on.notes(2), {}, {branch, 1});
    maker.add(on.notes(9), {branch});
  });
  looped.loop.instantiate();
  CHECK(looped.has_choices(0, 0));
  looped.run(2);
  looped.loop.replace_by_copy(inside, {to.get(), from.get(), sizeof(std::int32_t)});
  looped.loop.instantiate();
  CHECK(looped.has_choices(1, 0));
  looped.run(2);
  looped.loop.replace(inside, on.notes(1));
  looped.loop.instantiate();
  CHECK(looped.has_choices(0, 0));
  looped.run(2);
  CHECK(on.written() == Codes{1, 9, 2, 9, 9, 2, 9, 1, 9, 2, 9});
}

TEST_CASE("A graph whose bodies are switched is changed while it is launched", "[switched]") {
  const DeviceArray<std::int32_t> from(1);
  const DeviceArray<std::int32_t> to(1);
  const DeviceArray<std::uint64_t> number(1);
  for (const std::uint32_t every : {0U, 2U}) {
    CAPTURE(every);
    const Notebook on(
        {0, 0, 1, /**/ 1, 0, /**/ 0, 1, /**/ 1, 0, /**/ 0, 1, /**/ 1, 0, /**/ 0, 0, 0, 0, /**/ 1});
    Launched launched({.instrument_every = every});
    std::size_t inside = 0;
    std::size_t last = 0;
    make(launched, number, [&](Maker& maker) {
      const std::size_t decides = maker.add(on.decides());
      const std::size_t branch = maker.add(on.branch(BranchKind::Switch, 2), {decides});
      inside = maker.add(on.notes(1), {}, {branch, 0});
      maker.add(on.notes(2), {}, {branch, 1});
      last = maker.add(on.notes(9), {branch});
    });
    const auto launch = [&](int times) {
      for (int i = 0; i < times; ++i) {
        launched.launch();
      }
    };
    launch(3);
    launched.graph.replace(last, on.notes(8));
    launched.update();
    CHECK_FALSE(has_choice(launched));
    launch(2);
    launched.graph.enable(last, false);
    launch(2);
    launched.graph.enable(last, true);
    launched.graph.replace(inside, on.notes(5));
    launched.update();
    CHECK_FALSE(has_choice(launched));
    launch(2);
    // It gets another kind of node: all is decided by a conditional node then.
    launched.graph.replace_by_copy(inside, {to.get(), from.get(), sizeof(std::int32_t)});
    launched.update();
    CHECK(has_choice(launched));
    launch(2);
    launched.graph.replace(inside, on.notes(6));
    launched.update();
    CHECK_FALSE(has_choice(launched));
    launch(2);
    // Who changes it often gets a graph that can be changed in place.
    for (const bool has : {false, false, false, true}) {
      launched.graph.replace(last, on.notes(7));
      launched.update();
      CHECK(has_choice(launched) == has);
      launch(1);
    }
    launched.graph.replace(last, on.notes(3));
    launched.update();
    launch(1);
    launched.wait();
    launched.graph.check();
    CHECK(on.written() == Codes{1,      9,      1, 9,      2, 9, /**/ 2, 8,      1,
                                8,      /**/ 1, 2, /**/ 2, 8, 5, 8,
                                /**/ 8, 2,      8, /**/ 2, 8, 6, 8,      /**/ 6, 7,
                                6,      7,      6, 7,      6, 7, /**/ 2, 3});
    CHECK(is(launched.graph.updates(), 1, 0, 9));
  }
}

TEST_CASE("Those bodies are measured that ran", "[switched]") {
  const Notebook on({1, 0, 0, 1, 1, 0, 0});
  Looped looped({.instrument_every = 2, .whiles = 2, .measured = 1}, [&](Maker& maker) {
    const std::size_t decides = maker.add(on.decides());
    const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
    maker.add(on.notes(1), {}, {branch, 0});
    maker.add(on.notes(2), {}, {branch, 1});
  });
  looped.loop.instantiate();
  looped.run(7);
  CHECK(on.written() == Codes{1, 2, 2, 1, 1, 2, 2});
  const std::vector<MeasuredIteration> found = looped.loop.measured();
  REQUIRE(found.size() == 4);
  const std::vector<bool> ran = {true, false, true, false};
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].number == 2 * i);
    REQUIRE(found[i].parts.size() == 4);
    CHECK((found[i].parts[2].end_ns != 0) == ran[i]);
    CHECK((found[i].parts[3].end_ns != 0) != ran[i]);
  }
}

TEST_CASE("Bodies are switched with all that is said of kernels", "[switched]") {
  const DeviceArray<std::int32_t> kept(1024);
  const Notebook on({1, 0, 0, 1});
  DeviceLoopOptions options;
  options.priority = -1;
  options.memory_sync_domain = MemorySyncDomain::Remote;
  RuntimeLoop loop(options);
  Maker maker(loop);
  const std::size_t decides = maker.add(on.decides());
  const std::size_t branch = maker.add(on.branch(BranchKind::If, 2), {decides});
  for (std::uint32_t body = 0; body < 2; ++body) {
    DeviceNode piece;
    piece.body = {branch, body};
    piece.traits.priority = -2;
    loop.add(on.notes(static_cast<std::int32_t>(body) + 1), piece, kept.range());
  }
  loop.instantiate();
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "gxr_switched.dot";
  loop.write_dot(file.string());
  CHECK(std::filesystem::file_size(file) > 0);
  std::filesystem::remove(file);
  CHECK(loop.graphs().size() == 2);
  loop.launch(4);
  REQUIRE(soon([&] { return !loop.is_running(); }));
  CHECK(on.written() == Codes{1, 2, 2, 1});
}

TEST_CASE("A loop with switched bodies is made and given up while another runs", "[switched]") {
  const DeviceArray<std::int32_t> word(1);
  const DeviceArray<std::uint64_t> number(1);
  const Notebook on({0, 1, /**/ 1, 0});
  const Notebook again({1, 0});
  RuntimeLoop other({});
  other.add([&](cudaStream_t stream) { add_one<<<1, 1, 0, stream>>>(word.get()); }, {});
  other.instantiate();
  other.launch(4'000'000);  // some seconds: nothing waits for ever
  {
    Looped looped({.unroll = 3, .whiles = 3, .switched = 4},
                  [&](Maker& maker) { lay_switch(maker, on); });
    looped.loop.instantiate();
    CHECK(looped.has_choices(0, 0));
    looped.run(2);
    looped.loop.instantiate();
    looped.run(2);
    Launched launched;
    make(launched, number, [&](Maker& maker) { lay_switch(maker, again); });
    CHECK_FALSE(has_choice(launched));
    launched.run();
    launched.run();
  }
  CHECK(other.is_running());
  other.control().set_limit(0);
  REQUIRE(soon([&] { return !other.is_running(); }));
  CHECK(on.written() == Codes{1, 2, 9, 3, 9, 3, 9, 1, 2, 9});
  CHECK(again.written() == Codes{3, 9, 1, 2, 9});
}

}  // namespace gxr::test
