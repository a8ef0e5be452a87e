#include "no_device.hpp"

#include <string>

namespace gxr::cuda {

void fail_without_device(const Component& component) {
  throw Error(ErrorCode::NotSupported,
              "'" + component.full_name() +
                  "' needs a GPU, and a gxr that was built with the CUDA Toolkit; this one only "
                  "checks files that use it");
}

}  // namespace gxr::cuda
