#include "sdk/message_pool.hpp"

#include <algorithm>

namespace gxr {
namespace {

std::uint64_t next_pool_id() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// Numbers the threads that make messages, from 0.
std::uint32_t thread_number() noexcept {
  static std::atomic<std::uint32_t> next{0};
  static thread_local const std::uint32_t number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

}  // namespace

MessagePool::MessagePool() : home_(pthread_self()), id_(next_pool_id()) {}

MessagePool::~MessagePool() = default;

void MessagePool::recycle(detail::MessageBlock* block) noexcept {
  if (block->shelf == 0 && at_home()) {
    block->next = free_;
    free_ = block;
    return;
  }
  // Only whole lists are taken away from it: no ABA.
  std::atomic<detail::MessageBlock*>& returned = shelves_[block->shelf].returned;
  block->next = returned.load(std::memory_order_relaxed);
  while (!returned.compare_exchange_weak(block->next, block, std::memory_order_release,
                                         std::memory_order_relaxed)) {
  }
}

Message MessagePool::make_at_home(std::uint32_t maker) {
  detail::MessageBlock* block = refill(0);
  free_ = block->next;
  return activate(block, maker);
}

Message MessagePool::make_elsewhere(std::uint32_t maker) {
  const std::uint32_t number = 1 + thread_number() % (kShelves - 1);
  Shelf& shelf = shelves_[number];
  const std::lock_guard lock(shelf.lock);
  detail::MessageBlock* block = shelf.free != nullptr ? shelf.free : refill(number);
  shelf.free = block->next;
  return activate(block, maker);
}

/// A list of at least one free block.
detail::MessageBlock* MessagePool::refill(std::uint32_t shelf) {
  detail::MessageBlock* list =
      shelves_[shelf].returned.exchange(nullptr, std::memory_order_acquire);
  return list != nullptr ? list : new_slab(shelf);
}

detail::MessageBlock* MessagePool::new_slab(std::uint32_t shelf) {
  const std::lock_guard lock(mutex_);
  const std::size_t size =
      slabs_.empty() ? kFirstSlab : std::clamp(2 * slabs_.back().size, kFirstSlab, kGreatestSlab);
  slabs_.push_back({std::make_unique<detail::MessageBlock[]>(size), size});
  detail::MessageBlock* blocks = slabs_.back().blocks.get();
  for (std::size_t i = 0; i < size; ++i) {
    blocks[i].pool = this;
    blocks[i].shelf = shelf;
    blocks[i].parts = blocks[i].inline_parts;
    blocks[i].part_capacity = detail::MessageBlock::kInlineParts;
    blocks[i].next = i + 1 < size ? &blocks[i + 1] : nullptr;
  }
  return blocks;
}

std::string_view MessagePool::intern_slow(std::string_view name) {
  static thread_local RecentNames elsewhere;
  RecentNames& recent = at_home() ? recent_names_ : elsewhere;
  if (recent.pool != id_) {
    recent = {id_, {}, 0};
  }
  for (const std::string_view text : recent.texts) {
    if (text == name) {
      return text;
    }
  }
  const std::string_view interned = intern_shared(name);
  recent.texts[recent.next] = interned;
  recent.next = (recent.next + 1) % recent.texts.size();
  return interned;
}

std::string_view MessagePool::intern_shared(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto known = names_.find(name);
  return known != names_.end() ? *known : *names_.emplace(name).first;
}

std::size_t MessagePool::blocks() const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const Slab& slab : slabs_) {
    count += slab.size;
  }
  return count;
}

std::size_t MessagePool::outstanding() const {
  std::size_t count = 0;
  for (const auto& [maker, messages] : outstanding_by_maker()) {
    count += messages;
  }
  return count;
}

std::map<std::uint32_t, std::size_t> MessagePool::outstanding_by_maker() const {
  const std::lock_guard lock(mutex_);
  std::map<std::uint32_t, std::size_t> counts;
  for (const Slab& slab : slabs_) {
    for (std::size_t i = 0; i < slab.size; ++i) {
      if (slab.blocks[i].references.load(std::memory_order_acquire) != 0) {
        ++counts[slab.blocks[i].maker];
      }
    }
  }
  return counts;
}

}  // namespace gxr
