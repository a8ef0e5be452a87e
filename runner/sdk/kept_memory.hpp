#pragma once

#include <cstddef>
#include <map>

namespace gxr {

/// Large pieces of system memory that nobody uses now. The system maps such a piece anew for each
/// request, and clears it, which takes longer than most operators need for a picture; a kept piece
/// is ready. For one thread at a time.
class KeptMemory {
 public:
  KeptMemory() = default;
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;
  ~KeptMemory() { clear(); }

  /// Is it worth keeping a piece of `size` bytes?
  [[nodiscard]] static bool keeps(std::size_t size) noexcept;
  /// The bytes to allocate for a request of `size`, so that a piece serves requests of about that
  /// size.
  [[nodiscard]] static std::size_t rounded(std::size_t size) noexcept;

  /// A piece of rounded(size) bytes that is given up; nullptr: there is none.
  [[nodiscard]] void* take(std::size_t size) noexcept;
  /// Takes over a piece of rounded(size) bytes from allocate_system_memory(). Frees others when
  /// more than `most` bytes would be kept, and this one when it is larger.
  void keep(void* memory, std::size_t size, std::size_t most);
  /// Frees all.
  void clear() noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::multimap<std::size_t, void*> pieces_;  // by their size
  std::size_t bytes_ = 0;
};

}  // namespace gxr
