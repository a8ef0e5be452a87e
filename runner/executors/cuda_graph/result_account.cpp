#include "executors/cuda_graph/result_account.hpp"

namespace gxr {

ResultAccount::ResultAccount(bool has_outputs, std::uint64_t slots)
    : has_outputs_(has_outputs), slots_(slots) {
  launch();
}

void ResultAccount::launch() {
  fetched_ = 0;
  published_ = 0;
  works_.assign(2 * slots_ + 1, 0);
}

void ResultAccount::fetch(std::uint64_t work) noexcept {
  works_[fetched_ % works_.size()] = work;
  ++fetched_;
}

std::uint64_t ResultAccount::work_before_room(std::uint64_t finished) const noexcept {
  return !has_outputs_ || finished < slots_ ? 0 : works_[(finished - slots_) % works_.size()];
}

}  // namespace gxr
