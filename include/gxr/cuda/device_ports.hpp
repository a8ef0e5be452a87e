#pragma once

#include <cstdint>
#include <optional>

#include "gxr/export.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/interface.hpp"
#include "gxr/queue.hpp"

namespace gxr::cuda {

/// What a port says about the tensor that passes it in a CUDA graph: how large it is, and perhaps
/// in whose memory it lies. The parameters `bytes`, `tensor` and `own_pointer` say it in YAML; an
/// operator may say it in initialize() or start(), which counts instead. A later call counts
/// from the next start of the graph. Outside of CUDA graphs nobody asks.
///
/// One thread.
class GXR_API DevicePort {
 public:
  /// Device memory that an operator gives.
  struct Memory {
    void* pointer = nullptr;  ///< null: none
    std::uint64_t bytes = 0;  ///< size of the memory
  };

  DevicePort() = default;
  DevicePort(const DevicePort&) = delete;
  DevicePort& operator=(const DevicePort&) = delete;
  virtual ~DevicePort();

  /// The tensor has this many bytes, of whatever. Throws Error(InvalidArgument) for 0.
  void set_bytes(std::uint64_t bytes);
  /// The tensor is this one. Throws Error(InvalidArgument) when it has no elements.
  void set_tensor(TensorSpec spec);
  /// The tensor lies at `pointer`: device memory of the graph's GPU, `bytes` large, which may be
  /// more than the tensor needs. It stays the operator's, and must not be freed before stop(). Of
  /// an input from outside of the graph, it is written as soon as an iteration is done.
  /// Throws Error(InvalidArgument) for a null pointer or 0 bytes.
  void set_pointer(void* pointer, std::uint64_t bytes);

  /// Bytes of the tensor, if that is all that is said; 0: they are told later. None: nothing is
  /// said of them.
  [[nodiscard]] const std::optional<std::uint64_t>& bytes() const noexcept;
  /// The tensor, if shape and type of its elements are said.
  [[nodiscard]] const std::optional<TensorSpec>& tensor() const noexcept;
  /// Has it memory of its own, or is it going to?
  [[nodiscard]] bool has_own_memory() const;
  /// That memory; the pointer is null until set_pointer().
  [[nodiscard]] const Memory& memory() const noexcept { return memory_; }

 protected:
  /// Declares the parameters `bytes`, `tensor` and `own_pointer`.
  void declare_tensor(Interface& interface);
  /// Only the parameters count again.
  void forget() noexcept;

 private:
  Parameter<std::uint64_t> declared_bytes_;
  Parameter<TensorSpec> declared_tensor_;
  Parameter<bool> own_pointer_;
  std::optional<std::uint64_t> bytes_;
  std::optional<TensorSpec> tensor_;
  Memory memory_;
};

/// The usual input queue, which in a CUDA graph also says what arrives.
class GXR_API DeviceReceiver final : public StagedQueue<Receiver>, public DevicePort {
 public:
  DeviceReceiver() noexcept { use_ring(staged_ring()); }
  ~DeviceReceiver() override;
  void declare(Interface& interface) override;
  void deinitialize() override;
};

/// The usual output queue, which in a CUDA graph also says what leaves.
class GXR_API DeviceTransmitter final : public StagedQueue<Transmitter>, public DevicePort {
 public:
  DeviceTransmitter() noexcept { use_ring(staged_ring()); }
  ~DeviceTransmitter() override;
  void declare(Interface& interface) override;
  void deinitialize() override;
};

/// The port that this queue is, or nullptr for an ordinary one:
///
///     if (auto* port = gxr::cuda::device_port(**out_)) {
///       port->set_pointer(memory_, kBytes);
///     }
[[nodiscard]] GXR_API DevicePort* device_port(Queue& queue) noexcept;

}  // namespace gxr::cuda
