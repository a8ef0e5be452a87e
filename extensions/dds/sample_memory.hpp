#pragma once

#include <cstddef>

namespace gxr::dds {

/// Bytes.
inline constexpr std::size_t kSampleAlignment = 64;

/// Memory for samples, aligned to kSampleAlignment. Large pieces that were given back are used
/// again: new ones from the system cost a page fault for each 4 KiB, which for pictures takes
/// longer than copying them. Up to 64 MiB are kept for that. Throws std::bad_alloc. Any thread.
[[nodiscard]] std::byte* take_memory(std::size_t size);
/// `size`: as it was taken.
void give_memory_back(std::byte* memory, std::size_t size) noexcept;

}  // namespace gxr::dds
