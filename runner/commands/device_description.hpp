#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "device/device_facts.hpp"

namespace gxr::commands {

/// The lines of one GPU for people.
std::string describe_gpu(int number, const DeviceFacts& facts);
/// {"devices": […]}, and "why_none" where there is none.
nlohmann::ordered_json gpus_as_json(const std::vector<DeviceFacts>& gpus,
                                    const std::string& why_none);

}  // namespace gxr::commands
