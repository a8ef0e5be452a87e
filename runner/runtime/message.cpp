#include "gxr/message.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>

#include "gxr/error.hpp"
#include "runtime/message_pool.hpp"

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

void free_memory(MessageBlock& block, void* data) noexcept {
  if (!is_inline(block, data)) {
    std::free(data);
  }
}

}  // namespace

void* add_part(MessageBlock& block, TypeId id, std::string_view name, std::size_t size,
               std::size_t alignment, void (*destroy)(void*) noexcept) {
  if (block.part_count == block.part_capacity) {
    grow_parts(block);
  }
  const std::string_view interned = block.pool->intern(name);
  void* memory = take_memory(block, size, alignment);
  block.parts[block.part_count++] = {id, interned, memory, destroy};
  return memory;
}

void drop_last_part(MessageBlock& block) noexcept {
  --block.part_count;
  free_memory(block, block.parts[block.part_count].data);
}

void* find_part(const MessageBlock& block, TypeId id, std::string_view name,
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

void release_block(MessageBlock* block) noexcept {
  while (block->part_count > 0) {
    const Part& part = block->parts[--block->part_count];
    part.destroy(part.data);
    free_memory(*block, part.data);
  }
  if (block->parts != block->inline_parts) {
    delete[] block->parts;
    block->parts = block->inline_parts;
    block->part_capacity = MessageBlock::kInlineParts;
  }
  block->used = 0;
  block->source_time = 0;
  block->sequence = 0;
  block->references.store(0, std::memory_order_release);
  block->pool->recycle(block);
}

}  // namespace gxr::detail
