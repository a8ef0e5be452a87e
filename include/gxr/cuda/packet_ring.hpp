#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "gxr/component.hpp"
#include "gxr/cuda/ring.hpp"
#include "gxr/export.hpp"

namespace gxr::cuda {

/// The two ends of a ring.
enum class RingEnd : std::uint8_t { Writer, Reader };

/// Somebody in this process who waits for the other end of a ring.
class GXR_API RingWaiter {
 public:
  virtual ~RingWaiter();
  /// The other end has done something. On any thread; must not wait.
  virtual void ring_changed() = 0;
};

/// A ring of packets (gxr/cuda/ring.hpp) as a component: the memory between what fills it, such as
/// a thread with a socket, a network card or another process, and the operators of an application.
/// gxr::cuda::SharedRing has memory of the host, gxr::cuda::DeviceRing memory of a GPU. A library
/// for a network card that writes to GPUs by itself brings a component that derives from this
/// class: operators take its frames as those of other rings.
///
/// The ring lives from initialize() to deinitialize(). All functions are for any thread.
class GXR_API PacketRing : public Component {
 public:
  ~PacketRing() override;

  /// Most bytes of a frame, known as soon as the parameters are set.
  [[nodiscard]] virtual std::uint32_t frame_bytes() const = 0;
  /// The ring, for the CPU. Throws Error(NotSupported) when only a GPU reaches it.
  virtual RingView on_host() = 0;
  /// The ring, for kernels of that GPU: page-locked or device memory. Called in start() of an
  /// operator, or before it; the view holds until deinitialize(). Throws Error(NotSupported)
  /// without a GPU, or when this one does not reach the ring, and Error(Device).
  virtual RingView on_device(int device) = 0;

  /// `owner` becomes the only one at that end, until give_up(). Throws Error(InvalidState), which
  /// names the other one, when somebody is there already: in this process, or in another one that
  /// lives.
  void take(RingEnd end, const Component& owner);
  /// Precondition: take() did not throw.
  void give_up(RingEnd end) noexcept;

  /// `waiter` waits at `end`; it looks at the ring once more behind this call. It is told of the
  /// next change of the other end, once, if that end is in this process and not on a GPU. nullptr:
  /// nobody waits there any more; returns when nobody is being told.
  void wait_at(RingEnd end, RingWaiter* waiter) noexcept;
  /// The writer has published, or the reader has taken: tells who waits at the other end.
  void changed_by(RingEnd end) noexcept;

 protected:
  /// The word that names the process at that end, in memory that several processes share; nullptr:
  /// the ring is of this process alone.
  virtual std::uint32_t* process_word(RingEnd end) noexcept;

 private:
  struct End {
    const Component* owner = nullptr;
    std::atomic<bool> waits{false};
    std::mutex mutex;  // guards waiter
    RingWaiter* waiter = nullptr;
  };
  [[nodiscard]] End& at(RingEnd end) noexcept { return ends_[static_cast<std::size_t>(end)]; }
  void take_process_word(RingEnd end);

  std::mutex mutex_;  // guards the owners
  std::array<End, 2> ends_;
};

}  // namespace gxr::cuda
