#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gxr/cuda/packet_ring.hpp"
#include "gxr/gxr.hpp"
#include "packets/ring_size.hpp"
#include "packets/shared_memory.hpp"

namespace gxr::cuda {

/// A ring in memory of the host, page-locked when kernels use it; with a name, in POSIX shared
/// memory that other processes open.
class SharedRing final : public PacketRing, public MessageAccount {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;

  [[nodiscard]] std::uint32_t frame_bytes() const override { return size_.frame_bytes(); }
  RingView on_host() override;
  RingView on_device(int device) override;
  [[nodiscard]] std::vector<Discard> discards() const override;
  [[nodiscard]] std::size_t unread() const override;

 private:
  std::uint32_t* process_word(RingEnd end) noexcept override;
  void unpin();

  RingSize size_;
  Parameter<std::string> name_;

  std::mutex mutex_;  // guards the members below
  // Stays until the next run or the destructor: a thread that fills it may be stopped later.
  std::unique_ptr<RingMemory> memory_;
  bool is_of_last_run_ = false;
  void* on_device_ = nullptr;         // the memory, once it is page-locked
  std::uint64_t dropped_before_ = 0;  // this run
};

}  // namespace gxr::cuda
