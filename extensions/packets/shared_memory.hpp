#pragma once

#include <cstdint>
#include <string>

#include "gxr/cuda/ring.hpp"
#include "gxr/open_file.hpp"

namespace gxr::cuda {

/// The memory of a ring: of this process alone, or POSIX shared memory, which belongs to one user.
/// Each process that uses shared memory holds a shared lock (flock) of its file while it does; who
/// finds nobody else makes the ring anew, and who leaves last removes it. So what a killed process
/// left behind does no harm.
class RingMemory {
 public:
  /// `name` is that of shm_open without the slash; empty: memory of this process. Makes the ring or
  /// opens the one that is there. Precondition: is_ring_size(). Throws Error: InvalidParameter for
  /// a bad name, Incompatible for shared memory that is no such ring, OutOfMemory, InputOutput.
  RingMemory(const std::string& name, std::uint32_t slots, std::uint32_t frame_bytes);
  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;
  ~RingMemory();

  [[nodiscard]] const RingView& ring() const noexcept { return ring_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool is_shared() const noexcept { return !name_.empty(); }

 private:
  void open_shared(std::uint32_t slots, std::uint32_t frame_bytes);
  /// False: another process removed the file meanwhile.
  [[nodiscard]] bool still_exists() const;
  [[nodiscard]] bool is_made() const;
  void make_shared(std::uint32_t slots, std::uint32_t frame_bytes);
  void check_shared(std::uint32_t slots, std::uint32_t frame_bytes);
  void map(int file);
  void map_own();
  void unmap() noexcept;
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string name_;  // with a slash; empty: not shared
  std::uint64_t bytes_ = 0;
  OpenFile file_{-1};
  void* memory_ = nullptr;
  RingView ring_;
};

}  // namespace gxr::cuda
