#pragma once

namespace gxr {

class DeviceStream;

/// Sets what current_device_stream() answers on this thread; returns what it answered before.
DeviceStream* set_current_device_stream(DeviceStream* stream) noexcept;

}  // namespace gxr
