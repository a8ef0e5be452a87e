#include "made_application.hpp"

#include <chrono>

namespace gxr::test {

void MadeApplication::entity(const std::string& name, const std::string& type, const Inputs& inputs,
                             bool sends, const std::string& parameters, const std::string& more) {
  std::string bound;
  const auto bind = [&](const std::string& parameter) {
    bound += (bound.empty() ? "" : ", ") + parameter;
  };
  entities_ += "name: " + name + "\ncomponents:\n";
  std::string known;
  for (const auto& [port, source] : inputs) {
    if (!source.empty()) {
      connections_ += "- {type: gxr::Connection, parameters: {source: " + source +
                      "/out, target: " + name + "/" + port + "}}\n";
    }
    if (port == known) {
      continue;
    }
    known = port;
    entities_ += "- {name: " + port + ", type: gxr::DoubleBufferReceiver}\n";
    entities_ +=
        "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: " + port + "}}\n";
    bind(port + ": " + port);
  }
  if (sends) {
    entities_ += "- {name: out, type: gxr::DoubleBufferTransmitter}\n";
    entities_ +=
        "- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: "
        "out}}\n";
    bind("out: out");
  }
  if (!parameters.empty()) {
    bind(parameters);
  }
  entities_ +=
      more + "- {name: it, type: gxr::test::" + type + ", parameters: {" + bound + "}}\n---\n";
}

MadeApplication& MadeApplication::graph_operator(const std::string& name, const std::string& type,
                                                 const Inputs& inputs,
                                                 const std::string& parameters) {
  entity(name, type, inputs, true, parameters);
  members_ += (members_.empty() ? "" : ", ") + name;
  return *this;
}

MadeApplication& MadeApplication::feed(const std::string& name, std::uint64_t count) {
  entity(
      name, "Feed", {}, true, "pool: memory/pool",
      "- {type: gxr::CountSchedulingTerm, parameters: {count: " + std::to_string(count) + "}}\n");
  return *this;
}

MadeApplication& MadeApplication::keep(const std::string& name, const std::string& source) {
  entity(name, "Keep", {{"in", source}}, false, {});
  return *this;
}

MadeApplication& MadeApplication::branch(const std::string& line) {
  branches_ += line + "\n";
  return *this;
}

std::string MadeApplication::text(const std::string& options, const std::string& scheduler) const {
  return entities_ + "components:\n" + connections_ +
         "---\nname: loop\ncomponents:\n"
         "- {name: loop, type: gxr::cuda::GraphExecutor, parameters: {entities: [" +
         members_ + "]" + (options.empty() ? "" : ", ") + options + "}}\n" + branches_ +
         "---\nname: memory\ncomponents:\n- {name: pool, type: gxr::UnboundedAllocator}\n"
         "---\nname: scheduler\ncomponents:\n- {name: clock, type: gxr::RealtimeClock}\n"
         "- {type: " +
         scheduler + ", parameters: {clock: clock}}\n";
}

void load(Application& app, const std::string& text, const std::shared_ptr<Switches>& switches) {
  fake::replace_device();
  app.load_text(text).types(operators(switches)).end_patience(std::chrono::milliseconds(300));
}

}  // namespace gxr::test
