#include "system/cpu_cores.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <sys/sysinfo.h>

#include "gxr/error.hpp"

namespace gxr {

void require_cores(std::span<const std::uint32_t> cores, std::string_view key) {
  const auto count = static_cast<std::uint32_t>(std::max(get_nprocs_conf(), 1));
  std::vector<std::uint32_t> missing;
  std::ranges::copy_if(cores, std::back_inserter(missing),
                       [&](std::uint32_t core) { return core >= count; });
  if (!missing.empty()) {
    throw Error(ErrorCode::OutOfRange,
                "parameter '" + std::string(key) + "' names " + cores_text(missing) +
                    ", which this machine does not have; it has " +
                    (count == 1 ? "core 0 only" : "cores 0 to " + std::to_string(count - 1)));
  }
}

std::string cores_text(std::span<const std::uint32_t> cores) {
  std::string text = cores.size() == 1 ? "core " : "cores ";
  for (std::size_t i = 0; i < cores.size(); ++i) {
    text += i == 0 ? "" : i + 1 == cores.size() ? " and " : ", ";
    text += std::to_string(cores[i]);
  }
  return text;
}

}  // namespace gxr
