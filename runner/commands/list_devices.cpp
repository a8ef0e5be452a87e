#include "commands/list_devices.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/device_description.hpp"
#include "commands/output.hpp"
#include "commands/text_layout.hpp"
#include "device/device_engine.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {

int list_devices(bool json) {
  const std::string why_none = DeviceRuntime::why_none();
  std::vector<DeviceFacts> gpus;
  if (why_none.empty()) {
    try {
      const DeviceEngine& engine = DeviceEngine::get();
      for (int i = 0; i < engine.device_count(); ++i) {
        gpus.push_back(engine.describe(i));
      }
    } catch (const Error& error) {
      print_error(error.message());
      return kRunFailed;
    }
  }
  if (json) {
    print(gpus_as_json(gpus, why_none));
    return kDone;
  }
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    print_text(describe_gpu(static_cast<int>(i), gpus[i]));
  }
  if (!why_none.empty()) {
    print_text(paragraph(why_none, 0));
  }
  return kDone;
}

}  // namespace gxr::commands
