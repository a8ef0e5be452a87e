#include "no_device.hpp"

#include <string>

namespace gxr::cuda {

void fail_without_device(const Component& component) {
  throw Error(ErrorCode::NotSupported,
              "'" + component.full_name() +
                  "' needs NVIDIA's NPP library, which gxr does not use; it only checks files that "
                  "mention it");
}

}  // namespace gxr::cuda
