#include "executors/cuda_graph/region_shapes.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "executors/cuda_graph/late_shapes.hpp"
#include "gxr/error.hpp"
#include "plan/region_changes.hpp"

namespace gxr {

RegionShapes::RegionShapes(const Plan& plan, Region& region, const Instance& instance,
                           const RegionPorts& ports, Tell warn)
    : plan_(plan), region_(region), instance_(instance), ports_(ports), warn_(std::move(warn)) {}

void RegionShapes::infer() { region_ = infer_late(plan_, region_, instance_, order_, warn_); }

void RegionShapes::settle(const Tell& inform) {
  const GraphRegion planned = *region_.graph;
  infer();
  for (const std::string& change : describe_changes(*plan_.graph, planned, *region_.graph)) {
    inform("region '" + region_.name + "': " + change);
  }
  const bool messages_may_tell =
      std::ranges::any_of(ports_.inputs(), [this](const RegionPorts::Input& input) {
        return !region_.graph->tensors[input.tensor].spec;
      });
  if (!messages_may_tell) {
    require_layout(plan_, region_);
  }
}

void RegionShapes::lay_out(const std::vector<Message>& messages) {
  for (std::size_t i = 0; i < ports_.inputs().size(); ++i) {
    const RegionPorts::Input& input = ports_.inputs()[i];
    std::optional<TensorSpec>& spec = region_.graph->tensors[input.tensor].spec;
    if (!spec) {
      spec = ports_.spec_told_by(input, messages[i]);
    }
  }
  infer();
  require_layout(plan_, region_);
}

Region RegionShapes::infer_anew(const Region& told) const {
  Region region = infer_late(plan_, told, instance_, order_, [](const std::string& /*warning*/) {});
  require_layout(plan_, region);
  return region;
}

bool RegionShapes::find_tensors(const std::vector<Message>& messages) {
  tensors_.assign(messages.size(), nullptr);
  bool fit = true;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i]) {
      tensors_[i] = ports_.fitting_tensor(ports_.inputs()[i], messages[i]);
      fit = fit && tensors_[i] != nullptr;
    }
  }
  return fit;
}

void RegionShapes::require_tensors(const std::vector<Message>& messages) {
  if (!find_tensors(messages)) {
    throw Error(ErrorCode::InvalidState,
                "region '" + region_.name + "' was not built for the messages that it has");
  }
}

/// Puts what a message says of an input into `told`. Returns how that differs; empty: it does not.
std::string RegionShapes::told_by(std::size_t input, const Message& message, Region& told) const {
  const RegionPorts::Input& port = ports_.inputs()[input];
  GraphTensor& tensor = told.graph->tensors[port.tensor];
  TensorSpec found = ports_.spec_told_by(port, message);
  if (is_like(found, *tensor.spec, tensor.only_bytes)) {
    return {};
  }
  const std::string difference = "region '" + region_.name + "' is built for " +
                                 tensor.spec->to_string() + " at " + RegionPorts::name_of(port) +
                                 ", which received " + found.to_string();
  const char* const why =
      tensor.spec_is_given ? "'inputs' says what it receives" : why_fixed(region_);
  if (why != nullptr) {
    throw Error(ErrorCode::InvalidData, difference + "; " + why);
  }
  tensor.spec = std::move(found);
  tensor.spec_is_declared = false;  // device ports may contradict it
  return difference;
}

void RegionShapes::want(const std::vector<Message>& messages, const RegionProgram::News& news,
                        RegionProgram& program) const {
  Region told = program.wanted_region();
  std::string differences;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string difference = messages[i] ? told_by(i, messages[i], told) : std::string();
    differences += (differences.empty() || difference.empty() ? "" : ", and ") + difference;
  }
  try {
    program.want(news, told);
  } catch (const Error& error) {
    throw Error(ErrorCode::InvalidData, differences + ": " + error.message());
  }
}

}  // namespace gxr
