#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "gxr/cuda/packet_ring.hpp"
#include "gxr/gxr.hpp"
#include "packets/ring_size.hpp"

namespace gxr::cuda {

/// A ring in the memory of a GPU, for what writes there by itself: a kernel, or a network card that
/// the code around it gave the address of on_device() to.
class DeviceRing final : public PacketRing, public MessageAccount {
 public:
  ~DeviceRing() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;

  [[nodiscard]] std::uint32_t frame_bytes() const override { return size_.frame_bytes(); }
  RingView on_host() override;
  RingView on_device(int device) override;
  [[nodiscard]] std::vector<Discard> discards() const override;
  [[nodiscard]] std::size_t unread() const override;

 private:
  void release() noexcept;
  [[nodiscard]] RingHeader read_header() const;

  RingSize size_;

  std::mutex mutex_;  // guards the members below
  void* memory_ = nullptr;
  int device_ = 0;
};

}  // namespace gxr::cuda
