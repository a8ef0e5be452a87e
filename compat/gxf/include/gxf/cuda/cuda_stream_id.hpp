#pragma once

#include "gxf/core/gxf.h"
#include "gxf/cuda/cuda_stream.hpp"

namespace nvidia {
namespace gxf {

/// Names the CUDA stream on which a message's data is written. The same part as
/// gxr::cuda::CudaStreamId: the number of a CudaStream is the address of gxr's stream.
///
/// A message with this part takes what its stream has been given along when it is published, so
/// that gxr's own components wait for it. The work is to be on the stream by then.
///
/// Receiver::receive() does not wait for the work behind such a message: its codelet goes on in the
/// order of the stream. It waits for that of other messages, whose work a source could not know
/// of; the part is there for those who ask such a message for it.
struct CudaStreamId {
  gxf_uid_t stream_cid = kNullUid;  ///< that of a Handle<CudaStream>; kNullUid: no stream
};

}  // namespace gxf
}  // namespace nvidia
