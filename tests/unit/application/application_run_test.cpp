#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <new>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

#include "catch.hpp"
#include "gxr/application.hpp"

namespace {

std::atomic<std::uint64_t> allocated{0};

}  // namespace

// The executable's operators stand in for those of all libraries.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  allocated.fetch_add(size, std::memory_order_relaxed);
  return std::malloc(size);
}
void* operator new(std::size_t size) {
  void* memory = operator new(size, std::nothrow);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace gxr {
namespace {

/// Sends one tensor.
constexpr const char* kSource = R"(name: source
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::CountSchedulingTerm, parameters: {count: 1}}
- {type: gxr::arithmetic::Numbers, parameters: {out: out, pool: memory/pool, size: 8}}
---
name: memory
components:
- {name: pool, type: gxr::UnboundedAllocator}
---
components:
- {name: clock, type: gxr::ManualClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
---
)";

/// An operator, which asks in its start() whether it works in a CUDA graph, behind the source.
std::string operator_behind_source(const std::string& name) {
  return "name: " + name + R"(
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: gxr::arithmetic::Multiply, parameters: {in: in, out: out, pool: memory/pool, factor: 2}}
---
components:
- {type: gxr::Connection, parameters: {source: source/out, target: )" +
         name + R"(/in}}
---
)";
}

/// Bytes that are allocated while an application of so many operators starts, runs and ends.
std::uint64_t bytes_of_run(std::uint64_t operators) {
  std::string text = kSource;
  for (std::uint64_t i = 0; i < operators; ++i) {
    text += operator_behind_source("operator_" + std::to_string(i));
  }
  Application app;
  app.load_text(text);
  REQUIRE(app.validate());
  const std::uint64_t before = allocated.load();
  const Report report = app.run();
  CHECK(report.reason != EndReason::Failed);
  return allocated.load() - before;
}

// Counted, not timed: what is done once for all entities must not be done for each.
TEST_CASE("a start costs as much for each entity, however many there are") {
  const std::uint64_t some = bytes_of_run(1000);
  const std::uint64_t twice_as_many = bytes_of_run(2000);
  CAPTURE(some, twice_as_many);
  CHECK(twice_as_many < some * 5 / 2);
}

std::set<std::string> environment() {
  std::set<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    all.emplace(*variable);
  }
  return all;
}

// Its other threads may read it at any time.
TEST_CASE("a program's environment stays as it is, also when a loop is to run on the GPU") {
  ::unsetenv("CUDA_MODULE_LOADING");
  const std::set<std::string> before = environment();
  {
    Application app;
    app.load_text(kSource + operator_behind_source("first") + R"(components:
- type: gxr::cuda::GraphExecutor
  parameters:
    mode: resident
    entities: [first]
    inputs: {first/in: {shape: [8], dtype: int32}}
)");
    REQUIRE(app.validate());
    CHECK(app.run().reason == EndReason::Failed);  // there is no GPU
  }
  std::vector<std::string> changed;
  std::ranges::set_symmetric_difference(environment(), before, std::back_inserter(changed));
  CAPTURE(changed);
  CHECK(changed.empty());
}

}  // namespace
}  // namespace gxr
