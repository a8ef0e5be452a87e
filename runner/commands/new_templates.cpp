#include "commands/new_templates.hpp"

namespace gxr::commands {
namespace {

constexpr std::string_view kIgnore = "build/\n";

constexpr std::string_view kCi = R"(#!/usr/bin/env bash
# Builds everything and runs the tests; for a CI server, and for you. Where gxr is not installed in a usual place,
# set CMAKE_PREFIX_PATH to its folder.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build
ctest --test-dir build --output-on-failure
)";

constexpr std::string_view kExtensionCMake = R"(cmake_minimum_required(VERSION 3.25)
project(@name@ VERSION 0.1.0 LANGUAGES CXX)

find_package(gxr @version@ REQUIRED)
gxr_add_extension(@name@ SOURCES @name@.cpp DESCRIPTION "Multiplies whole numbers")

enable_testing()
gxr_add_transcript_tests(tests)
)";

constexpr std::string_view kExtensionSource = R"(#include <gxr/gxr.hpp>

namespace @name@ {

/// Multiplies the elements of tensors.
class @Name@ : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Tensors of int32").elements({gxr::ElementType::Int32});
    interface.output(out_, "out", "Tensors of the same shape").elements({gxr::ElementType::Int32});
    interface.parameter(factor_, "factor", "What each element is multiplied by").default_value(2);
    interface.parameter(pool_, "pool", "Allocator of the results' memory");
  }

  void tick() override {
    const gxr::Message received = in_.receive();
    const auto& input = received.get<gxr::Tensor>();

    gxr::Message message = context().new_message();
    auto& output = message.add<gxr::Tensor>();
    output.allocate<std::int32_t>(**pool_, input.shape());
    for (std::uint64_t i = 0; i < input.element_count(); ++i) {
      output.data<std::int32_t>()[i] = input.data<std::int32_t>()[i] * factor_;
    }
    out_.publish(std::move(message), execution_timestamp());
  }

 private:
  gxr::Input<gxr::Tensor> in_;
  gxr::Output<gxr::Tensor> out_;
  gxr::Parameter<std::int32_t> factor_;
  gxr::Parameter<gxr::Handle<gxr::Allocator>> pool_;
};

}  // namespace @name@

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<@name@::@Name@>("Multiplies the elements of tensors");
}
)";

constexpr std::string_view kExtensionApplication =
    R"(# Numbers, the operator, and a check of its results.
name: numbers
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: pool, type: gxr::UnboundedAllocator}
- {type: gxr::arithmetic::Numbers, parameters: {out: out, pool: pool, size: 16}}
- {type: gxr::CountSchedulingTerm, parameters: {count: 3}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: @name@
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: pool, type: gxr::UnboundedAllocator}
- {type: @name@::@Name@, parameters: {in: in, out: out, pool: pool, factor: 3}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: check
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: check, type: gxr::arithmetic::Check, parameters: {in: in, factor: 3}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
---
components:
- {type: gxr::Connection, parameters: {source: numbers/out, target: @name@/in}}
- {type: gxr::Connection, parameters: {source: @name@/out, target: check/in}}
---
components:
- {name: clock, type: gxr::ManualClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

constexpr std::string_view kExtensionTest =
    R"(# The results are right; a wrong factor is noticed, and a value that is no number even before anything runs.
== run gxr run $GXR_SOURCE_DIR/@name@.yaml 2>&1 | grep -o 'check/check: .*'
check/check: 3 tensors right
== run gxr run $GXR_SOURCE_DIR/@name@.yaml -p @name@/factor=4 2>&1 | grep -o 'tensor 1: .*'
tensor 1: element 0 is 4, not 3
== run gxr validate $GXR_SOURCE_DIR/@name@.yaml -p @name@/factor=much 2>&1 | grep -c "'much'"
1
)";

constexpr std::string_view kExtensionReadme = R"(# @name@

An extension for gxr with one operator, `@name@::@Name@`, which multiplies the elements of tensors.

    cmake -S . -B build && cmake --build build       # with -DCMAKE_PREFIX_PATH=… where gxr is not in a usual place
    ctest --test-dir build
    gxr run -x build/extensions/@name@.so @name@.yaml

| file | holds |
|---|---|
| `@name@.cpp` | the operator |
| `@name@.yaml` | an application that uses it |
| `tests/@name@.test` | commands and the output they must print |
| `.ci/run` | what a CI server runs |

`gxr describe -x build/extensions/@name@.so @name@::@Name@` shows ports and parameters.
)";

constexpr std::string_view kApplicationCMake = R"(cmake_minimum_required(VERSION 3.25)
project(@name@ LANGUAGES CXX)

find_package(gxr @version@ REQUIRED)

enable_testing()
gxr_add_transcript_tests(tests)
)";

constexpr std::string_view kApplication = R"(# Numbers, each plus 5, and a check of the results.
name: numbers
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: pool, type: gxr::UnboundedAllocator}
- {type: gxr::arithmetic::Numbers, parameters: {out: out, pool: pool, size: 16}}
- {type: gxr::CountSchedulingTerm, parameters: {count: 3}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: add
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: pool, type: gxr::UnboundedAllocator}
- {type: gxr::arithmetic::Add, parameters: {in: in, out: out, pool: pool, value: 5}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: check
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: check, type: gxr::arithmetic::Check, parameters: {in: in, offset: 5}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
---
components:
- {type: gxr::Connection, parameters: {source: numbers/out, target: add/in}}
- {type: gxr::Connection, parameters: {source: add/out, target: check/in}}
---
components:
- {name: clock, type: gxr::ManualClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

constexpr std::string_view kApplicationTest = R"(# The application ends, and its results are right.
== run gxr run $GXR_SOURCE_DIR/@name@.yaml 2>&1 | grep -o 'check/check: .*'
check/check: 3 tensors right
== run gxr run $GXR_SOURCE_DIR/@name@.yaml -p add/value=6 2>&1 | grep -o 'tensor 1: .*'
tensor 1: element 0 is 7, not 6
)";

constexpr std::string_view kApplicationReadme = R"(# @name@

An application for gxr.

    gxr run @name@.yaml
    gxr graph @name@.yaml
    cmake -S . -B build && ctest --test-dir build    # with -DCMAKE_PREFIX_PATH=… where gxr is not in a usual place

| file | holds |
|---|---|
| `@name@.yaml` | the application |
| `tests/@name@.test` | commands and the output they must print |
| `.ci/run` | what a CI server runs |
)";

constexpr TemplateFile kExtensionFiles[] = {
    {"CMakeLists.txt", kExtensionCMake},
    {"@name@.cpp", kExtensionSource},
    {"@name@.yaml", kExtensionApplication},
    {"tests/@name@.test", kExtensionTest},
    {"README.md", kExtensionReadme},
    {".ci/run", kCi, true},
    {".gitignore", kIgnore},
};

constexpr TemplateFile kApplicationFiles[] = {
    {"CMakeLists.txt", kApplicationCMake},
    {"@name@.yaml", kApplication},
    {"tests/@name@.test", kApplicationTest},
    {"README.md", kApplicationReadme},
    {".ci/run", kCi, true},
    {".gitignore", kIgnore},
};

}  // namespace

std::span<const TemplateFile> extension_template() { return kExtensionFiles; }

std::span<const TemplateFile> application_template() { return kApplicationFiles; }

}  // namespace gxr::commands
