#include "filter_kernel.hpp"

namespace acme {
namespace filter {

nvidia::gxf::Expected<void> FilterOnDevice(const FilterArguments&, const float*, float*,
                                           cudaStream_t) {
  GXF_LOG_ERROR("This build has no CUDA");
  return nvidia::gxf::Unexpected{GXF_NOT_IMPLEMENTED};
}

}  // namespace filter
}  // namespace acme
