#include "runtime/message_pool.hpp"

#include <algorithm>

namespace gxr {

MessagePool::MessagePool() : home_(pthread_self()) {}

MessagePool::~MessagePool() = default;

void MessagePool::recycle(detail::MessageBlock* block) noexcept {
  if (at_home()) {
    block->next = free_;
    free_ = block;
    return;
  }
  block->next = returned_.load(std::memory_order_relaxed);
  while (!returned_.compare_exchange_weak(block->next, block, std::memory_order_release,
                                          std::memory_order_relaxed)) {
  }
}

Message MessagePool::make_slow() {
  if (!at_home()) {
    // A slab per call would waste memory; threads other than the home thread are not the hot path.
    const std::lock_guard lock(mutex_);
    slabs_.push_back({std::make_unique<detail::MessageBlock[]>(1), 1});
    slabs_.back().blocks[0].pool = this;
    slabs_.back().blocks[0].parts = slabs_.back().blocks[0].inline_parts;
    slabs_.back().blocks[0].part_capacity = detail::MessageBlock::kInlineParts;
    return activate(&slabs_.back().blocks[0]);
  }
  // Only this thread removes from the list, and it takes all of it: no ABA.
  free_ = returned_.exchange(nullptr, std::memory_order_acquire);
  if (free_ == nullptr) {
    free_ = new_slab();
  }
  detail::MessageBlock* block = free_;
  free_ = block->next;
  return activate(block);
}

detail::MessageBlock* MessagePool::new_slab() {
  const std::lock_guard lock(mutex_);
  const std::size_t size =
      slabs_.empty() ? kFirstSlab : std::clamp(2 * slabs_.back().size, kFirstSlab, kGreatestSlab);
  slabs_.push_back({std::make_unique<detail::MessageBlock[]>(size), size});
  detail::MessageBlock* blocks = slabs_.back().blocks.get();
  for (std::size_t i = 0; i < size; ++i) {
    blocks[i].pool = this;
    blocks[i].parts = blocks[i].inline_parts;
    blocks[i].part_capacity = detail::MessageBlock::kInlineParts;
    blocks[i].next = i + 1 < size ? &blocks[i + 1] : nullptr;
  }
  return blocks;
}

std::string_view MessagePool::intern_slow(std::string_view name) {
  std::string_view interned;
  {
    const std::lock_guard lock(mutex_);
    const auto known = names_.find(name);
    interned = known != names_.end() ? *known : *names_.emplace(name).first;
  }
  if (at_home()) {
    recent_names_[next_recent_name_] = interned;
    next_recent_name_ = (next_recent_name_ + 1) % kRecentNames;
  }
  return interned;
}

std::size_t MessagePool::outstanding() const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const Slab& slab : slabs_) {
    for (std::size_t i = 0; i < slab.size; ++i) {
      count += slab.blocks[i].references.load(std::memory_order_acquire) != 0 ? 1 : 0;
    }
  }
  return count;
}

}  // namespace gxr
