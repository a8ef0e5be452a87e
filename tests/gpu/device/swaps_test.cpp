// Operators of CUDA graphs and loops are exchanged while they run.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "application_run.hpp"
#include "catch.hpp"
#include "fed_application.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"

namespace {

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::test::kFed;
using gxr::test::run_async;

const std::string kGpuExtension = std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so";

void load(Application& app, const std::string& mode, int messages) {
  app.load_text(kFed).extension(kGpuExtension).set("loop/mode=" + mode);
  std::string count = "source/gxr::CountSchedulingTerm/count=";
  app.set(count + std::to_string(messages));
}

}  // namespace

TEST_CASE("Operators of a graph and of a loop are exchanged, and no message is lost", "[swaps]") {
  for (const std::string mode : {"graph", "resident"}) {
    for (const std::string in_memory : {"false", "true"}) {
      CAPTURE(mode, in_memory);
      Application app;
      load(app, mode, 20000);
      app.set("b/in_memory=" + in_memory);
      run_async(app);
      std::int64_t longest = 0;
      constexpr int kSwaps = 100;
      for (int i = 0; i < kSwaps; ++i) {
        // Of another extension, of the same, and of another build of it.
        const SwapOptions options{.extension = i % 3 == 2 ? kGpuExtension : std::string()};
        const std::string type = i % 3 == 0 ? "gxr::arithmetic::Add" : "gpu::Add";
        longest = std::max(longest, app.swap("a", type, options).pause_ns);
      }
      const Report report = app.wait();
      REQUIRE(report.reason == EndReason::Completed);  // gpu::Check has looked at every message
      CHECK(report.graphs.front().iterations == 20000);
      WARN(mode << ": the longest pause of " << kSwaps << " exchanges was "
                << static_cast<double>(longest) * 1e-6 << " ms");
    }
  }
}

TEST_CASE("A graph that refuses a new operator goes on with the old one", "[swaps]") {
  for (const std::string mode : {"graph", "resident"}) {
    CAPTURE(mode);
    Application app;
    load(app, mode, 5000);
    run_async(app);
    const auto refusal = [&](const std::string& type) {
      try {
        static_cast<void>(app.swap("a", type));
      } catch (const Error& error) {
        return error.message();
      }
      return std::string();
    };
    CHECK_THAT(refusal("gxr::Forward"), ContainsSubstring("not capturable"));
    CHECK_THAT(refusal("gpu::Less"), ContainsSubstring("pool"));
    CHECK_THAT(refusal("gxr::image::Grey"), ContainsSubstring("value"));
    static_cast<void>(app.swap("b", "gxr::arithmetic::Add"));
    const Report report = app.wait();
    REQUIRE(report.reason == EndReason::Completed);
    CHECK(report.graphs.front().iterations == 5000);
  }
}
