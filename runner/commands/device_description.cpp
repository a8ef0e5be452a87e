#include "commands/device_description.hpp"

#include <cstddef>

#include <nlohmann/json.hpp>

#include "commands/text_layout.hpp"
#include "observe/facts_text.hpp"

namespace gxr::commands {
namespace {

constexpr std::size_t kColumn = 4;  // of the texts behind a number

std::string capability(const DeviceFacts& facts) {
  return std::to_string(facts.capability_major) + "." + std::to_string(facts.capability_minor);
}

std::string counted_sms(int sms) {
  return std::to_string(sms) + (sms == 1 ? " multiprocessor" : " multiprocessors");
}

/// "GPU 1", "GPUs 1, 2".
std::string numbers(const std::vector<int>& gpus) {
  std::string text = gpus.size() == 1 ? "GPU " : "GPUs ";
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(gpus[i]);
  }
  return text;
}

std::string instances_text(const DeviceFacts& facts) {
  switch (facts.instance_mode) {
    case InstanceMode::None:
      return "it has no instances (MIG)";
    case InstanceMode::Off:
      return "instances (MIG) are off";
    case InstanceMode::On:
      return "instances (MIG) are on: " + std::to_string(facts.instances) +
             ", of which a process uses one";
    case InstanceMode::Unknown:
      break;
  }
  return "NVML does not say whether instances (MIG) are on";
}

std::string use_text(int number, const DeviceFacts& facts) {
  if (!facts.why_not.empty()) {
    return "gxr cannot use it: " + facts.why_not;
  }
  return number == 0 ? "gxr uses it where an application names no other one"
                     : "gxr uses it where an application names it";
}

const char* mode_name(InstanceMode mode) {
  switch (mode) {
    case InstanceMode::None:
      return "none";
    case InstanceMode::Off:
      return "off";
    case InstanceMode::On:
      return "on";
    case InstanceMode::Unknown:
      break;
  }
  return "unknown";
}

}  // namespace

std::string describe_gpu(int number, const DeviceFacts& facts) {
  std::string text = entry(std::to_string(number), facts.name, 0, kColumn);
  text += paragraph("compute capability " + capability(facts) + ", " +
                        bytes_text(facts.memory_bytes) + " of memory, " + counted_sms(facts.sms),
                    kColumn);
  text += paragraph(facts.peers.empty()
                        ? "it reaches the memory of no other GPU directly"
                        : "it reaches the memory of " + numbers(facts.peers) + " directly",
                    kColumn);
  text += paragraph(instances_text(facts), kColumn);
  return text + paragraph(use_text(number, facts), kColumn);
}

nlohmann::ordered_json gpus_as_json(const std::vector<DeviceFacts>& gpus,
                                    const std::string& why_none) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const DeviceFacts& facts = gpus[i];
    nlohmann::ordered_json& gpu =
        list.emplace_back(nlohmann::ordered_json{{"number", i},
                                                 {"name", facts.name},
                                                 {"compute_capability", capability(facts)},
                                                 {"memory_bytes", facts.memory_bytes},
                                                 {"multiprocessors", facts.sms},
                                                 {"peers", facts.peers},
                                                 {"mig", mode_name(facts.instance_mode)},
                                                 {"mig_instances", facts.instances},
                                                 {"usable", facts.why_not.empty()},
                                                 {"default", i == 0}});
    if (!facts.why_not.empty()) {
      gpu["why_not"] = facts.why_not;
    }
  }
  nlohmann::ordered_json all{{"devices", std::move(list)}};
  if (!why_none.empty()) {
    all["why_none"] = why_none;
  }
  return all;
}

}  // namespace gxr::commands
