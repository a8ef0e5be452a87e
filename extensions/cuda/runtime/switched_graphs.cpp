#include "switched_graphs.hpp"

#include <atomic>

#include "cuda_call.hpp"

namespace gxr::cuda {
namespace {

constexpr std::size_t kMostChanges = 8;

}  // namespace

bool SwitchedGraphs::may_make() const noexcept { return changes_ < kMostChanges; }

void SwitchedGraphs::note_refused() noexcept { changes_ = kMostChanges; }

void SwitchedGraphs::add(const std::vector<SwitchedBranch>& branches, StreamRef stream) {
  if (failure() == nullptr) {
    failure_ = RuntimeMemory(2 * sizeof(std::uint64_t), MemoryStorageType::Host, device_);
  }
  BodySwitch failed;
  failed.error = failure();
  failed.limit = failed.error + 1;
  bodies_.emplace_back(device_, branches, failed, stream);
}

void SwitchedGraphs::check() const {
  if (failure() != nullptr) {
    cuda_check(
        "cudaGraphKernelNodeSetEnabled",
        static_cast<cudaError_t>(std::atomic_ref(*failure()).load(std::memory_order_relaxed)));
  }
}

}  // namespace gxr::cuda
