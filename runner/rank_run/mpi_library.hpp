#pragma once

#include <memory>
#include <string>

#include "internal_api.hpp"
#include "rank_run/mpi_port.hpp"

namespace gxr {

/// Starts MPI by libgxr_mpi.so. Throws Error(NotFound) when that is not there, or cannot be loaded,
/// and Error(InputOutput) when MPI does not start.
GXR_INTERNAL_API std::unique_ptr<MpiPort> start_mpi();

/// "Open MPI v4.1.4". Throws Error(NotFound) with the reason why there is no MPI.
GXR_INTERNAL_API std::string describe_mpi();

}  // namespace gxr
