#include "gxr/message.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <utility>

#include "gxr/error.hpp"
#include "sdk/message_pool.hpp"

namespace gxr::detail {
namespace {

bool is_inline(const MessageBlock& block, const void* data) noexcept {
  const auto* byte = static_cast<const std::byte*>(data);
  return std::less_equal<>()(block.storage, byte) &&
         std::less<>()(byte, block.storage + MessageBlock::kStorage);
}

void* take_memory(MessageBlock& block, std::size_t size, std::size_t alignment) {
  const std::size_t start = (block.used + alignment - 1) & ~(alignment - 1);
  if (alignment <= alignof(std::max_align_t) && start + size <= MessageBlock::kStorage) {
    block.used = static_cast<std::uint32_t>(start + size);
    return block.storage + start;
  }
  // A multiple of the alignment, as aligned_alloc wants it.
  const std::size_t least = std::max(alignment, alignof(std::max_align_t));
  void* memory =
      std::aligned_alloc(least, (std::max<std::size_t>(size, 1) + least - 1) / least * least);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void grow_parts(MessageBlock& block) {
  const std::uint32_t capacity = 2 * block.part_capacity;
  auto* parts = new Part[capacity];
  std::copy(block.parts, block.parts + block.part_count, parts);
  if (block.parts != block.inline_parts) {
    delete[] block.parts;
  }
  block.parts = parts;
  block.part_capacity = capacity;
}

/// That of a part of the message's own, which is all that may be written.
void* memory_of(const Part& part) noexcept { return const_cast<void*>(part.data); }

void free_memory(MessageBlock& block, void* data) noexcept {
  if (!is_inline(block, data)) {
    std::free(data);
  }
}

void destroy(MessageBlock& block, Part& part) noexcept {
  part.operations->destroy(memory_of(part));
  free_memory(block, memory_of(part));
  part.data = nullptr;
}

std::atomic_ref<std::uint32_t> users_of(Part& part) noexcept {
  return std::atomic_ref<std::uint32_t>(part.users);
}

/// One user less: the last one takes the part along.
void drop_user(MessageBlock& block, Part& part) noexcept {
  if (users_of(part).fetch_sub(1, std::memory_order_acq_rel) == 1) {
    destroy(block, part);
  }
}

void release_block(MessageBlock* block) noexcept;

void drop_borrower(MessageBlock* block) noexcept {
  if (block->references.fetch_sub(MessageBlock::kBorrower, std::memory_order_acq_rel) ==
      MessageBlock::kBorrower) {
    release_block(block);
  }
}

/// A borrowed part goes back to the message that lent it.
void give_back(Part& part) noexcept {
  MessageBlock* const owner = std::exchange(part.owner, nullptr);
  drop_user(*owner, owner->parts[part.place]);
  drop_borrower(owner);
}

/// Appends a part that `from`, or whoever lends it to `from`, lends to `block`.
void borrow(MessageBlock& block, MessageBlock& from, std::uint32_t number) {
  if (block.part_count == block.part_capacity) {
    grow_parts(block);
  }
  const Part& part = from.parts[number];
  MessageBlock* const owner = part.owner != nullptr ? part.owner : &from;
  const std::uint32_t place = part.owner != nullptr ? part.place : number;
  // The owner's table stays as it is while it lends.
  owner->references.fetch_add(MessageBlock::kBorrower, std::memory_order_relaxed);
  users_of(owner->parts[place]).fetch_add(1, std::memory_order_relaxed);
  block.parts[block.part_count++] = {part.id, part.name, part.data, part.operations, owner, place};
}

/// Is it borrowed, and used by others than the message that borrows it? A lender that nobody holds
/// any more lends to nobody else.
bool has_other_users(const Part& part) noexcept {
  return part.owner != nullptr &&
         users_of(part.owner->parts[part.place]).load(std::memory_order_acquire) != 1;
}

/// Exchanges a borrowed part for a copy of it.
void copy_part(MessageBlock& block, Part& part, DeviceWork& work) {
  const PartOperations& operations = *part.operations;
  if (operations.copy == nullptr) {
    throw Error(ErrorCode::NotSupported,
                "parts of type '" + std::string(operations.type_name()) +
                    "' can only be moved, so a shared one cannot be made writable; the type needs "
                    "a copy constructor or a function copy_part()");
  }
  const std::uint32_t used = block.used;
  void* const memory = take_memory(block, operations.size, operations.alignment);
  try {
    operations.copy(part.data, memory, work);
  } catch (...) {
    free_memory(block, memory);
    block.used = used;
    throw;
  }
  part.data = memory;
  give_back(part);
}

}  // namespace

void* add_part(MessageBlock& block, TypeId id, std::string_view name,
               const PartOperations& operations) {
  if (block.part_count == block.part_capacity) {
    grow_parts(block);
  }
  const std::string_view interned = block.pool->intern(name);
  void* memory = take_memory(block, operations.size, operations.alignment);
  block.parts[block.part_count++] = {id, interned, memory, &operations, nullptr};
  return memory;
}

void drop_last_part(MessageBlock& block) noexcept {
  --block.part_count;
  free_memory(block, memory_of(block.parts[block.part_count]));
}

const void* find_part(const MessageBlock& block, TypeId id, std::string_view name,
                      bool any_name) noexcept {
  for (std::uint32_t i = 0; i < block.part_count; ++i) {
    const Part& part = block.parts[i];
    if (part.id == id && (any_name || part.name == name)) {
      return part.data;
    }
  }
  return nullptr;
}

void throw_no_part(std::string_view type, std::string_view name) {
  std::string text = "the message has no part of type '" + std::string(type) + "'";
  if (!name.empty()) {
    text += " named '" + std::string(name) + "'";
  }
  throw Error(ErrorCode::NotFound, std::move(text));
}

void throw_null_message() {
  throw Error(ErrorCode::InvalidArgument,
              "a null message was used; make one with context().new_message()");
}

namespace {

/// The last reference is gone.
void release_block(MessageBlock* block) noexcept {
  while (block->part_count > 0) {
    Part& part = block->parts[--block->part_count];
    if (part.owner != nullptr) {
      give_back(part);
    } else if (part.data != nullptr) {
      destroy(*block, part);
    }
  }
  if (block->parts != block->inline_parts) {
    delete[] block->parts;
    block->parts = block->inline_parts;
    block->part_capacity = MessageBlock::kInlineParts;
  }
  block->used = 0;
  block->source_time = 0;
  block->sequence = 0;
  block->is_shared = false;
  block->references.store(0, std::memory_order_release);
  block->pool->recycle(block);
}

/// Nobody holds the message any more, but others borrow parts of it. In a loop, each message would
/// keep the one before if it kept what it has borrowed itself.
void drop_parts(MessageBlock& block) noexcept {
  for (std::uint32_t i = 0; i < block.part_count; ++i) {
    Part& part = block.parts[i];
    if (part.owner != nullptr) {
      part.data = nullptr;
      give_back(part);
    } else {
      drop_user(block, part);
    }
  }
}

}  // namespace

void release_reference(MessageBlock* block) noexcept {
  std::uint64_t now = block->references.load(std::memory_order_acquire);
  if (now == 1) {  // nobody else can raise the count: that needs no locked operation
    release_block(block);
    return;
  }
  for (;;) {
    const bool is_last = now % MessageBlock::kBorrower == 1;
    const bool is_lent = now >= MessageBlock::kBorrower;
    // Parts that others borrow stay until they are given back; the rest goes now. Meanwhile the
    // message counts as a borrower of its own.
    const std::uint64_t then = is_last && is_lent ? now - 1 + MessageBlock::kBorrower : now - 1;
    if (!block->references.compare_exchange_weak(now, then, std::memory_order_acq_rel,
                                                 std::memory_order_acquire)) {
      continue;
    }
    if (is_last && is_lent) {
      drop_parts(*block);
      drop_borrower(block);
    } else if (is_last) {
      release_block(block);
    }
    return;
  }
}

}  // namespace gxr::detail

namespace gxr {

void* Message::add(TypeId id, std::string_view name, const detail::PartOperations& operations,
                   void (*construct)(void* memory)) {
  void* const memory = detail::add_part(own_block(), id, name, operations);
  try {
    construct(memory);
  } catch (...) {
    detail::drop_last_part(*block_);
    throw;
  }
  return memory;
}

namespace {

void copy_trail(detail::MessageBlock& to, const detail::MessageBlock& from) noexcept {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  to.trail.publisher.store(from.trail.publisher.load(kRelaxed), kRelaxed);
  to.trail.acquired.store(from.trail.acquired.load(kRelaxed), kRelaxed);
  to.trail.published.store(from.trail.published.load(kRelaxed), kRelaxed);
  to.source.store(from.source.load(kRelaxed), kRelaxed);
}

}  // namespace

void Message::separate() {
  detail::MessageBlock& from = block();
  if (from.is_shared) {
    return;
  }
  Message own = from.pool->make(from.maker);
  detail::MessageBlock& to = *own.block_;
  to.source_time = from.source_time;
  to.sequence = from.sequence;
  copy_trail(to, from);
  for (std::uint32_t i = 0; i < from.part_count; ++i) {
    detail::borrow(to, from, i);
  }
  own.set_device_work(device_work());
  *this = std::move(own);
}

void Message::share_writable() {
  static_cast<void>(own_block());
  DeviceWork work = device_work();
  for (std::uint32_t i = 0; i < block_->part_count; ++i) {
    if (block_->parts[i].owner != nullptr) {
      detail::copy_part(*block_, block_->parts[i], work);
    }
  }
  set_device_work(work);
  block_->is_shared = true;
}

namespace {

/// Work of `latest.stream` that ends when both have.
DeviceWork behind(const DeviceWork& latest, const DeviceWork& other) {
  if (!other || other.stream == latest.stream) {
    return latest;
  }
  latest.stream->wait_for(other);
  return latest.stream->mark();
}

}  // namespace

void Message::share_part(const Message& from, std::size_t number) {
  if (from.block_ == block_ || number >= from.size()) {
    throw Error(ErrorCode::InvalidArgument,
                from.block_ == block_ ? "a message cannot share a part with itself"
                                      : "the other message has no part " + std::to_string(number));
  }
  detail::MessageBlock& own = own_block();
  const std::string_view name = own.pool->intern(from.begin()[number].name);
  detail::borrow(own, *from.block_, static_cast<std::uint32_t>(number));
  detail::Part& part = own.parts[own.part_count - 1];
  part.name = name;
  if (!from.block_->is_shared) {
    return;
  }
  // It may get more parts while others have it, so it lends none.
  const DeviceWork writing = from.device_work();
  DeviceWork work = writing;
  try {
    detail::copy_part(own, part, work);
  } catch (...) {
    detail::give_back(part);
    --own.part_count;
    throw;
  }
  if (work && (work.stream != writing.stream || work.number != writing.number)) {
    set_device_work(behind(work, device_work()));
  }
}

void* Message::own_place(std::size_t number, TypeId id, bool& is_empty) {
  if (number >= size() || begin()[number].id != id) {
    throw Error(ErrorCode::InvalidArgument,
                "the message has no part " + std::to_string(number) + " of this type");
  }
  detail::Part& part = own_block().parts[number];
  is_empty = detail::has_other_users(part);
  if (is_empty) {
    part.data = detail::take_memory(*block_, part.operations->size, part.operations->alignment);
    detail::give_back(part);
  }
  return detail::memory_of(part);
}

void* Message::writable_part(TypeId id, std::string_view name, bool any_name,
                             std::string_view (*type_name)()) {
  const detail::Part* const found = std::find_if(begin(), end(), [&](const detail::Part& part) {
    return part.id == id && (any_name || part.name == name);
  });
  if (found == end()) {
    detail::throw_no_part(type_name(), name);
  }
  const std::ptrdiff_t index = found - begin();
  detail::Part& part = own_block().parts[index];
  if (detail::has_other_users(part)) {
    DeviceWork work = device_work();
    detail::copy_part(*block_, part, work);
    set_device_work(work);
  } else if (part.operations->before_write != nullptr) {
    part.operations->before_write(part.data);
  }
  return detail::memory_of(part);
}

}  // namespace gxr
