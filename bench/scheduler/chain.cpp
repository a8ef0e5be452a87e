#include "chain.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "document/document.hpp"
#include "executors/application_run.hpp"
#include "graph/resolve.hpp"
#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "observe/trace_file.hpp"
#include "plan/plan.hpp"
#include "registry/extension_search.hpp"

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

std::string forward(const std::string& name, int burn_ns) {
  const std::string parameters = "\n  parameters:\n    in: in\n    out: out\n";
  return "---\nname: " + name + "\ncomponents:\n" + receiver("in") + transmitter("out") +
         (burn_ns > 0
              ? "- type: bench::Burn" + parameters + "    ns: " + std::to_string(burn_ns) + "\n"
              : "- type: nvidia::gxf::Forward" + parameters);
}

std::string connection(const std::string& from, const std::string& to) {
  return "- type: nvidia::gxf::Connection\n  parameters:\n    source: " + from +
         "\n    target: " + to + "\n";
}

/// Entities and connections of an application as they are added.
struct Yaml {
  std::string entities;
  std::string connections = "---\ncomponents:\n";

  void add_chain(const ChainOptions& options, const std::string& prefix) {
    entities += source(prefix + "source", options.messages);
    std::string previous = prefix + "source/out";
    for (int i = 0; i < options.forwards; ++i) {
      const std::string name = prefix + "forward" + std::to_string(i);
      entities += forward(name, options.burn_ns);
      connections += connection(previous, name + "/in");
      previous = name + "/out";
    }
    entities += sink(prefix + "sink");
    connections += connection(previous, prefix + "sink/in");
  }
  void add_fan_out(const ChainOptions& options) {
    entities +=
        source("source", options.messages) + "---\nname: fan\ncomponents:\n" + receiver("in");
    connections += connection("source/out", "fan/in");
    for (int i = 0; i < options.fan_out; ++i) {
      const std::string number = std::to_string(i);
      entities += transmitter("out" + number);
      connections += connection("fan/out" + number, "sink" + number + "/in");
    }
    entities += "- type: nvidia::gxf::Broadcast\n  parameters:\n    source: in\n";
    for (int i = 0; i < options.fan_out; ++i) {
      entities += sink("sink" + std::to_string(i));
    }
  }
  void add_fan_in(const ChainOptions& options) {
    std::string fan = "---\nname: fan\ncomponents:\n";
    for (int i = 0; i < options.fan_in; ++i) {
      const std::string number = std::to_string(i);
      entities += source("source" + number, options.messages);
      fan += receiver("in" + number);
      connections += connection("source" + number + "/out", "fan/in" + number);
    }
    const std::string room = std::to_string(options.fan_in);
    entities +=
        fan +
        "- name: out\n  type: nvidia::gxf::DoubleBufferTransmitter\n  parameters: {capacity: " +
        room +
        "}\n- type: nvidia::gxf::DownstreamReceptiveSchedulingTerm\n  parameters: "
        "{transmitter: out, min_size: " +
        room +
        "}\n- type: nvidia::gxf::Gather\n  parameters: {sink: out}\n"
        "---\nname: sink\ncomponents:\n"
        "- name: in\n  type: nvidia::gxf::DoubleBufferReceiver\n  parameters: {capacity: " +
        room +
        "}\n- type: nvidia::gxf::MessageAvailableSchedulingTerm\n  parameters: "
        "{receiver: in, min_size: 1}\n"
        "- type: nvidia::gxf::PingRx\n  parameters: {signal: in}\n";
    connections += connection("fan/out", "sink/in");
  }
};

/// The extensions beside the gxr executable that the target `bench` names.
std::filesystem::path extension_folder() {
  const char* gxr = std::getenv("GXR");
  return gxr != nullptr ? std::filesystem::path(gxr).parent_path() / "extensions"
                        : installed_extension_folder();
}

}  // namespace

std::string chain_yaml(const ChainOptions& options) {
  Yaml yaml;
  if (options.fan_out > 0) {
    yaml.add_fan_out(options);
  } else if (options.fan_in > 0) {
    yaml.add_fan_in(options);
  }
  for (int i = 0; options.fan_out + options.fan_in == 0 && i < options.chains; ++i) {
    yaml.add_chain(options, options.chains == 1 ? "" : "chain" + std::to_string(i) + "_");
  }
  if (options.idle > 0) {
    yaml.entities += source("idle_source", 1);
  }
  for (int i = 0; i < options.idle; ++i) {
    const std::string name = "idle" + std::to_string(i);
    yaml.entities += sink(name);
    yaml.connections += connection("idle_source/out", name + "/in");
  }
  return yaml.entities + yaml.connections +
         "---\nname: scheduler\ncomponents:\n- name: clock\n  type: nvidia::gxf::RealtimeClock\n"
         "- type: " +
         options.scheduler + "\n  parameters:\n    clock: clock\n" +
         (options.workers > 0
              ? "    worker_thread_number: " + std::to_string(options.workers) + "\n"
              : "");
}

Application::Application(const std::string& yaml) {
  Log::configure({LogLevel::Warn, {}});
  Diagnostics diagnostics;
  document_.add_text({Source::Kind::Program, "chain", yaml}, diagnostics);
  resolve(document_, {}, {{GXR_BENCH_BURN}, {}, extension_folder()}, diagnostics, catalog_, graph_);
  if (diagnostics.errors() > 0) {
    throw Error(render_text(diagnostics, document_.sources(), false));
  }
}

Report Application::run(bool measure, bool trace) const {
  const Plan plan = make_plan(graph_, catalog_);
  ExecutorOptions options;
  options.measure = measure;
  std::optional<TraceFile> file;
  if (trace) {
    options.trace = &file.emplace("/dev/null", TraceProcess{.name = "chain"}).events();
  }
  ApplicationRun run(plan, catalog_, options);
  Report report = run.run();
  if (report.reason != EndReason::Completed) {
    throw Error("the chain ended by " + std::string(to_string(report.reason)));
  }
  return report;
}

}  // namespace gxr::bench
