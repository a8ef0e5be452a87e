#pragma once

#include <functional>

#include "fake_stream.hpp"

namespace gxr::fake {

/// The stream that a DeviceStream is.
FakeStream& stream_of(DeviceStream& stream);
/// Runs a loop on a thread; CUDA's calls that free memory wait for it, so they are put off.
void run_loop(std::function<void()> loop);
/// A loop was destroyed.
void loop_is_gone();

}  // namespace gxr::fake
