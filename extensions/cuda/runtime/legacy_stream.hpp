#pragma once

#include <vector>

#include "owned.hpp"

namespace gxr::cuda {

/// While it lives, work for the legacy default stream of any device is refused by CUDA with
/// cudaErrorStreamCaptureImplicit: a blocking stream of each device is being captured, and the
/// legacy stream must not wait for such a stream.
class LegacyStreamBan {
 public:
  explicit LegacyStreamBan(int devices);
  LegacyStreamBan(const LegacyStreamBan&) = delete;
  LegacyStreamBan& operator=(const LegacyStreamBan&) = delete;
  ~LegacyStreamBan();

 private:
  std::vector<OwnedStream> captured_;
};

}  // namespace gxr::cuda
