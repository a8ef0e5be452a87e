// From data_ready() to result_ready() of a graph that loops on the GPU, in a program that embeds
// gxr: host_driven_bench KERNELS SAMPLES IDLE_US. Prints a line of JSON; ends with 1 when a result
// is missing.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sched.h>

#include "bridge/latency.hpp"
#include "gxr/application.hpp"

namespace {

using namespace std::chrono_literals;

std::string entity(const std::string& name, const std::string& type, bool reads, bool writes) {
  std::string text = "name: " + name + "\ncomponents:\n";
  std::string ports;
  if (reads) {
    text +=
        "- {name: in, type: gxr::DoubleBufferReceiver}\n"
        "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}\n";
    ports += "in: in";
  }
  if (writes) {
    text += "- {name: out, type: gxr::DoubleBufferTransmitter}\n";
    ports += std::string(ports.empty() ? "" : ", ") + "out: out";
  }
  return text + "- {type: " + type + ", parameters: {" + ports + "}}\n---\n";
}

/// A number and so many kernels behind it that one is there for each.
std::string application(int kernels) {
  std::string text;
  std::string connections;
  std::string names;
  for (int i = 0; i < kernels; ++i) {
    const std::string name = "k" + std::to_string(i);
    text += entity(name, i == 0 ? "tiny::Number" : "tiny::Step", i > 0, i > 0 || kernels > 1);
    names += (i > 0 ? ", " : "") + name;
    if (i > 0) {
      connections += "- {type: gxr::Connection, parameters: {source: k" + std::to_string(i - 1) +
                     "/out, target: " + name + "/in}}\n";
    }
  }
  if (!connections.empty()) {
    text += "components:\n" + connections + "---\n";
  }
  return text +
         "components:\n"
         "- {name: loop, type: gxr::cuda::GraphExecutor, parameters: {mode: resident, host_driven: "
         "true, entities: [" +
         names +
         "]}}\n---\n"
         "name: scheduler\ncomponents:\n"
         "- {name: clock, type: gxr::RealtimeClock}\n"
         "- {type: gxr::GreedyScheduler, parameters: {clock: clock}}\n";
}

void idle(std::int64_t us) {
  for (const std::int64_t until = bridge::now_ns() + us * 1000; bridge::now_ns() < until;) {
  }
}

/// The calling thread stays on its processor, as that of the loop by hand does.
void stay() {
  const int processor = sched_getcpu();
  if (processor >= 0) {
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(static_cast<std::size_t>(processor), &here);
    sched_setaffinity(0, sizeof here, &here);
  }
}

int measure(int kernels, std::int64_t samples, std::int64_t idle_us) {
  gxr::Application app;
  app.load_text(application(kernels)).extension(GXR_BENCH_EXTENSION_DIR "/tiny.so");
  if (!app.validate()) {
    std::fputs(app.problems_text().c_str(), stderr);
    return 1;
  }
  app.run_async();
  gxr::ResidentGraph loop = app.resident_graph("loop");
  if (!loop.wait_until_launched(30s)) {
    app.interrupt();
    const gxr::Report report = app.wait();
    std::fprintf(stderr, "the loop was not launched: %s\n",
                 report.failures.empty() ? "" : report.failures.front().text.c_str());
    return 1;
  }
  stay();
  std::vector<std::int64_t> ns;
  const std::int64_t begin = bridge::now_ns();
  for (std::int64_t i = 0; i < samples; ++i) {
    idle(idle_us);
    const std::int64_t rung = bridge::now_ns();
    loop.data_ready();
    while (!loop.result_ready()) {
      if (bridge::now_ns() - rung > 5'000'000'000) {
        std::fprintf(stderr, "no result for input %lld\n", static_cast<long long>(i));
        std::_Exit(1);
      }
    }
    if (i >= bridge::kWarmUp) {
      ns.push_back(bridge::now_ns() - rung);
    }
  }
  const double seconds = static_cast<double>(bridge::now_ns() - begin) * 1e-9;
  const std::uint64_t results = loop.results();
  app.interrupt();
  const gxr::Report report = app.wait();
  if (results != static_cast<std::uint64_t>(samples) || report.graphs.size() != 1 ||
      report.graphs.front().iterations != results) {
    std::fprintf(stderr, "%llu results for %lld inputs\n", static_cast<unsigned long long>(results),
                 static_cast<long long>(samples));
    return 1;
  }
  std::printf("{\"kernels\": %d, %s}\n", kernels,
              bridge::figures_json(samples, seconds, ns).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("host_driven_bench KERNELS SAMPLES IDLE_US\n", stderr);
    return 2;
  }
  return measure(std::atoi(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]));
}
