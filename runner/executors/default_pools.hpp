#pragma once

#include <cstdint>
#include <map>

#include "gxr/component.hpp"
#include "gxr/cuda/green_context.hpp"
#include "gxr/cuda/stream_pool.hpp"

namespace gxr {

/// The pools of streams and of green contexts that serve codelets which name none.
class DefaultPools {
 public:
  /// Looks at a component of an entity group, whose parameters are set. Throws
  /// Error(InvalidParameter) when it is the second pool of its kind that serves the same.
  void add(Component& component, std::uint32_t group);

  /// That of the group, else that of the application; nullptr when there is none.
  [[nodiscard]] cuda::CudaStreamPool* streams_of(std::uint32_t group) const {
    return streams_.of(group);
  }
  /// The same for green contexts.
  [[nodiscard]] cuda::CudaGreenContextPool* green_contexts_of(std::uint32_t group) const {
    return green_contexts_.of(group);
  }

 private:
  template <class Pool>
  class Served {
   public:
    void add(Pool& pool, std::uint32_t group);
    [[nodiscard]] Pool* of(std::uint32_t group) const {
      const auto found = groups_.find(group);
      return found != groups_.end() ? found->second : application_;
    }

   private:
    std::map<std::uint32_t, Pool*> groups_;
    Pool* application_ = nullptr;
  };

  Served<cuda::CudaStreamPool> streams_;
  Served<cuda::CudaGreenContextPool> green_contexts_;
};

}  // namespace gxr
