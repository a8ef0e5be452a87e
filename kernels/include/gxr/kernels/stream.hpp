#pragma once

// What cudaStream_t points to; CUDA's own name, so that no CUDA header is needed here.
struct CUstream_st;

namespace gxr::kernels {

/// A CUDA stream (cudaStream_t). Every kernel of this library has a second version that takes one
/// as its last argument; it is part of the library gxr_kernels_cuda, built where CMake finds the
/// CUDA Toolkit. For all of them:
///
/// - Pixels lie in memory that the stream's device can access, and so does everything that is
/// passed
///   by pointer, unless the function says otherwise. They must stay until the work is done.
/// - The call puts work on the stream and returns: it waits for nothing and allocates nothing, and
///   it may be captured into a CUDA graph. The stream's device is the current one.
/// - A function that needs scratch memory takes a workspace from the caller: at least as many bytes
///   as the function `..._workspace_bytes` says, aligned to 16, not used by other work meanwhile.
///   Its content need not be set and means nothing afterwards.
/// - Arguments are checked as on the host, with the same std::invalid_argument; values in device
///   memory are not looked at. A null stream and cudaStreamLegacy are refused: the legacy default
///   stream waits for all others.
/// - If CUDA refuses the work, std::runtime_error names the function, the CUDA error and its text.
/// - Results equal the host's, bit for bit, unless the function states a tolerance.
/// - Rows that begin at multiples of 16 bytes are read and written 16 bytes at a time; others are
///   right as well, and slower.
using Stream = CUstream_st*;

}  // namespace gxr::kernels
