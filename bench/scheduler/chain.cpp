#include "chain.hpp"

#include <cstdlib>
#include <filesystem>

#include "document/document.hpp"
#include "graph/resolve.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "plan/plan.hpp"
#include "registry/extension_search.hpp"
#include "schedulers/application_run.hpp"

namespace gxr::bench {
namespace {

std::string receiver(const std::string& name) {
  return "- name: " + name +
         "\n  type: nvidia::gxf::DoubleBufferReceiver\n  parameters: {capacity: 1}\n" +
         "- type: nvidia::gxf::MessageAvailableSchedulingTerm\n  parameters:\n    receiver: " +
         name + "\n    min_size: 1\n";
}

std::string transmitter(const std::string& name) {
  return "- name: " + name +
         "\n  type: nvidia::gxf::DoubleBufferTransmitter\n  parameters: {capacity: 1}\n" +
         "- type: nvidia::gxf::DownstreamReceptiveSchedulingTerm\n  parameters:\n    "
         "transmitter: " +
         name + "\n    min_size: 1\n";
}

std::string source(const std::string& name, std::int64_t messages) {
  return "---\nname: " + name + "\ncomponents:\n" + transmitter("out") +
         "- type: nvidia::gxf::CountSchedulingTerm\n  parameters:\n    count: " +
         std::to_string(messages) +
         "\n- type: nvidia::gxf::PingTx\n  parameters:\n    signal: out\n";
}

std::string sink(const std::string& name) {
  return "---\nname: " + name + "\ncomponents:\n" + receiver("in") +
         "- type: nvidia::gxf::PingRx\n  parameters:\n    signal: in\n";
}

std::string forward(const std::string& name) {
  return "---\nname: " + name + "\ncomponents:\n" + receiver("in") + transmitter("out") +
         "- type: nvidia::gxf::Forward\n  parameters:\n    in: in\n    out: out\n";
}

std::string connection(const std::string& from, const std::string& to) {
  return "- type: nvidia::gxf::Connection\n  parameters:\n    source: " + from +
         "/out\n    target: " + to + "/in\n";
}

/// The extensions beside the gxr executable that the target `bench` names.
std::filesystem::path extension_folder() {
  const char* gxr = std::getenv("GXR");
  return gxr != nullptr ? std::filesystem::path(gxr).parent_path() / "extensions"
                        : installed_extension_folder();
}

std::string forward_name(int index) { return "forward" + std::to_string(index); }

}  // namespace

std::string chain_yaml(const ChainOptions& options) {
  std::string yaml = source("source", options.messages);
  std::string connections = "---\ncomponents:\n";
  std::string previous = "source";
  for (int i = 0; i < options.forwards; ++i) {
    yaml += forward(forward_name(i));
    connections += connection(previous, forward_name(i));
    previous = forward_name(i);
  }
  yaml += sink("sink");
  connections += connection(previous, "sink");
  if (options.idle > 0) {
    yaml += source("idle_source", 1);
  }
  for (int i = 0; i < options.idle; ++i) {
    const std::string name = "idle" + std::to_string(i);
    yaml += sink(name);
    connections += connection("idle_source", name);
  }
  return yaml + connections +
         "---\nname: scheduler\ncomponents:\n- name: clock\n  type: nvidia::gxf::RealtimeClock\n"
         "- type: nvidia::gxf::GreedyScheduler\n  parameters:\n    clock: clock\n";
}

Application::Application(const std::string& yaml) {
  Log::configure(LogLevel::Warn, {});
  Diagnostics diagnostics;
  document_.add_text({Source::Kind::Program, "chain", yaml}, diagnostics);
  catalog_ = find_extensions({{}, {}, extension_folder()}, document_, diagnostics);
  graph_ = resolve(document_, catalog_, diagnostics);
  if (diagnostics.errors() > 0) {
    throw Error(render_text(diagnostics, document_.sources(), false));
  }
}

Report Application::run(bool measure) const {
  const Plan plan = make_plan(graph_, catalog_);
  ExecutorOptions options;
  options.measure = measure;
  ApplicationRun run(plan, catalog_, options);
  Report report = run.run();
  if (report.reason != EndReason::Completed) {
    throw Error("the chain ended by " + std::string(to_string(report.reason)));
  }
  return report;
}

}  // namespace gxr::bench
