#include "transfer.hpp"

namespace nvidia {
namespace orchard {

gxf::Expected<void> Upload(void*, const void*, size_t, gxf::Handle<gxf::CudaStream>) {
  GXF_LOG_ERROR("This build has no CUDA: use storage_type 2");
  return gxf::Unexpected{GXF_NOT_IMPLEMENTED};
}

gxf::Expected<void> Download(void*, const void*, size_t, gxf::Handle<gxf::CudaStream>) {
  return gxf::Unexpected{GXF_NOT_IMPLEMENTED};
}

gxf::Expected<void> RecordEvent(gxf::Entity&, gxf::Handle<gxf::CudaStream>) {
  return gxf::Unexpected{GXF_NOT_IMPLEMENTED};
}

}  // namespace orchard
}  // namespace nvidia
