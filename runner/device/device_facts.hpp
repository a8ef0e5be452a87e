#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "internal_api.hpp"

namespace gxr {

/// Is a GPU divided into instances (MIG)? A process sees one of them as the whole GPU then.
enum class InstanceMode : std::uint8_t {
  Unknown,  ///< NVIDIA's management library (NVML) is not there, or does not say
  None,     ///< the GPU cannot be divided
  Off,
  On,
};

/// A GPU, for lists.
struct DeviceFacts {
  std::string name;
  int capability_major = 0;  ///< of the compute capability
  int capability_minor = 0;
  std::size_t memory_bytes = 0;  ///< all it has
  int sms = 0;
  std::vector<int> peers;  ///< numbers of the GPUs whose memory it reaches directly
  InstanceMode instance_mode = InstanceMode::Unknown;
  unsigned instances = 0;  ///< with On
  std::string why_not;     ///< the reason that gxr cannot use it; empty: it can
};

/// The facts about a machine on which CUDA counts no GPU.
struct NoDeviceFacts {
  bool driver_missing = false;
  std::string driver;                  ///< the newest CUDA version that the driver knows, "12.4"
  std::string runtime;                 ///< the CUDA version that gxr was built with, "13.0"
  bool driver_too_old = false;         ///< for that version
  std::optional<std::string> visible;  ///< the variable CUDA_VISIBLE_DEVICES, where it is set
};

/// The reason in words, without a full stop: "CUDA_VISIBLE_DEVICES is empty, which hides all GPUs".
GXR_INTERNAL_API std::string explain_no_device(const NoDeviceFacts& facts);

}  // namespace gxr
