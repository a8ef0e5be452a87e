#include "executors/default_pools.hpp"

#include "gxr/error.hpp"

namespace gxr {

template <class Pool>
void DefaultPools::Served<Pool>::add(Pool& pool, std::uint32_t group) {
  if (pool.serves() == cuda::PoolServes::Named) {
    return;
  }
  const bool whole = pool.serves() == cuda::PoolServes::Application;
  Pool*& place = whole ? application_ : groups_[group];
  if (place != nullptr) {
    throw Error(ErrorCode::InvalidParameter,
                "parameter 'serves': '" + place->full_name() + "' serves the codelets of " +
                    (whole ? "the application" : "this entity group") + " already");
  }
  place = &pool;
}

void DefaultPools::add(Component& component, std::uint32_t group) {
  if (auto* const streams = dynamic_cast<cuda::CudaStreamPool*>(&component)) {
    streams_.add(*streams, group);
  } else if (auto* const contexts = dynamic_cast<cuda::CudaGreenContextPool*>(&component)) {
    green_contexts_.add(*contexts, group);
  }
}

}  // namespace gxr
