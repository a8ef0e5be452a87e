#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gxr/codelet.hpp"
#include "gxr/cuda/stream_pool.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/device_work.hpp"
#include "gxr/queue.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
class DeviceSpans;
}

namespace gxr::cuda {

/// A CUDA stream (cudaStream_t).
using Stream = CUstream_st*;

/// The CUDA streams of one codelet, and how they are ordered after those of the messages that it
/// receives. The codelet puts work on stream() and never waits:
///
/// - Every message that the codelet receives in a tick orders its stream after the work that still
///   writes the message's data; the processor does not wait.
/// - Every message that it publishes takes along what its stream has been given until then. Give
///   the stream its work first, then publish.
/// - Memory that the tick allocates, and memory of messages that it received or published, is used
///   again only after the work of all streams that touched it.
/// - A codelet that has a message alone, and neither a pool nor a green context, takes over the
///   producer's stream for this tick: nothing has to wait then.
/// - All consumers of a message share its tensors: only who has it alone may write into them.
/// - Streams do not wait for the legacy default stream, nor it for them.
///
/// Codelets that derive from gxr::Codelet need nothing of this: they receive messages whose device
/// work is done. Not thread-safe: used by its codelet's ticks.
class GXR_API Streams final {
 public:
  /// Whose stream a tick works on.
  enum class Policy : std::uint8_t {
    TakeOver,  ///< the producer's, for a message that the codelet has alone, and without a pool
               ///< and a green context; else its own
    Own,       ///< its own: the producer's next work need not wait for that of the tick
    Input,  ///< that of the tick's first message, whoever else has it, if that message has device
            ///< work on the same GPU; else its own
  };

  Streams();
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// Declares the codelet's parameters `cuda_stream_pool` and `cuda_green_context`.
  void declare(Interface& interface);
  /// Finds the ports of the codelet, the pool of its streams (the one that it names, else one that
  /// serves its group or the application) and its GPU (the pool's, else that of a GPUDevice of the
  /// entity or its group). Call in initialize(). Throws Error: NotSupported without a GPU,
  /// InvalidParameter for both a pool and a green context.
  void initialize(gxr::Codelet& codelet);
  /// Was initialize() called?
  [[nodiscard]] bool is_initialized() const noexcept { return runtime_ != nullptr; }
  /// Hands all streams back. Call in stop(), after the last use.
  void release() noexcept;

  /// How the next ticks, and the current one until it has a stream, choose the stream; TakeOver
  /// without a call. Call it after initialize().
  void set_policy(Policy policy) noexcept;

  /// The part of a tick with device work. Ports work on streams, and memory is allocated for them,
  /// as long as it lives.
  class GXR_API Tick {
   public:
    /// Begins the part. Throws Error(InvalidState) before initialize(), Error(Device) when the GPU
    /// cannot be used.
    explicit Tick(Streams& streams);
    Tick(const Tick&) = delete;
    Tick& operator=(const Tick&) = delete;
    ~Tick();

   private:
    Streams& streams_;
    DeviceStream* outer_;
  };

  /// The stream of this tick; its device is the thread's current one. Throws Error(InvalidState)
  /// outside of ticks, Error(NotAvailable) when the pool has none left and its `when_empty` does
  /// not give the tick the stream of a message.
  Stream stream();
  /// Orders the stream after a message that was taken with receive_unfinished(), as receive() does
  /// by itself. Call it in the tick.
  void accept(Receiver& receiver, Message& message) { received(receiver, message); }
  /// Copies in the order of stream(), between any two kinds of memory, also of two GPUs. To system
  /// memory: returns when that is done.
  void copy(void* to, const void* from, std::size_t bytes);
  /// The streams that still write the messages received from `port` in this tick, in their order,
  /// nothing for a message without one. Their work is not waited for by more than stream().
  [[nodiscard]] std::vector<std::optional<Stream>> streams(const Receiver& port) const;
  /// A further stream, the same one for the same name until release(). It is ordered after nothing;
  /// see join().
  Stream named(std::string_view name);
  /// Work that `target` is given from now on begins after all that `streams` have been given. Null
  /// streams and `target` itself are skipped. Throws Error(NotFound) for streams of somebody else.
  void join(const std::vector<Stream>& streams, Stream target);
  /// The legacy default stream waits, on the GPU, for all that `stream` has been given: for
  /// libraries that work there. Let sync_from_default() follow before the tick publishes or ends:
  /// messages and memory do not wait for the default stream. Throws Error(NotFound) for a stream of
  /// somebody else.
  void sync_to_default(Stream stream);
  /// `stream` waits, on the GPU, for all that the legacy default stream has been given. Throws
  /// Error(NotFound) for a stream of somebody else.
  void sync_from_default(Stream stream);
  /// GPU of a stream of this process. Throws Error(NotFound) for others.
  [[nodiscard]] int device_of(Stream stream) const;
  /// Messages that are published on `port` in this tick from now on are written by `stream`; other
  /// ports keep theirs. The last call counts.
  void set_stream(const Transmitter& port, Stream stream);
  /// Says that work on `stream` uses the tensor's memory, which its message does not know: a tensor
  /// that the codelet keeps from tick to tick, or work on a named stream, which is ordered after
  /// what stream() has been given. Memory that gxr did not allocate is left to its owner: false.
  bool uses(const Tensor& tensor, Stream stream);

  /// What `stream` has been given so far, for others to wait for: a CudaEvent, for one. Records an
  /// event of its own.
  DeviceWork event(Stream stream);

  /// Throws the error of a launch, or of another call of CUDA, that nobody looked at in this tick.
  /// A gxr::cuda::Codelet does so after enqueue().
  void check() { runtime_->check(); }

  /// Number of the GPU; after initialize() only.
  [[nodiscard]] int device() const noexcept { return options_.device; }
  /// Has this machine a GPU that gxr can use?
  [[nodiscard]] static bool is_gpu_available() noexcept { return DeviceRuntime::find() != nullptr; }

 private:
  friend class gxr::EngineAccess;

  class Hook;

  struct PortStream {
    const Queue* port;
    DeviceStream* stream;
    std::uint64_t number;
  };

  // For who is no component of an entity of its own: streams like `options`, ordered after the
  // messages of these ports. Takes no streams over when stream() is asked for before them.
  void initialize(const gxr::Codelet& codelet, const StreamOptions& options,
                  std::vector<Receiver*> receivers, std::vector<Transmitter*> transmitters);
  void received(Receiver& receiver, Message& message);
  void publishing(Transmitter& transmitter, Message& message);
  void hook_ports(Hook* hook) noexcept;
  [[nodiscard]] bool works_on(const DeviceStream& stream, const Message& message);
  void offer_streams() const noexcept;
  [[nodiscard]] bool takes_plain_streams() const noexcept {
    return pool_ == nullptr && options_.partition == nullptr;
  }
  [[nodiscard]] bool is_behind(const DeviceWork& work) const;
  DeviceStream& tick_stream();
  DeviceStream& work_stream();
  void use(DeviceStream& stream);
  DeviceStream& acquire();
  [[nodiscard]] DeviceStream& find(Stream stream) const;
  [[nodiscard]] DeviceStream& stream_of(const Transmitter& port);

  /// Finds what gives the codelet its streams.
  void find_source(gxr::Codelet& codelet);
  void find_default(gxr::Codelet& codelet);

  Parameter<Handle<CudaStreamPool>> named_pool_;
  Parameter<Handle<CudaGreenContext>> green_context_;
  CudaStreamPool* pool_ = nullptr;  // nullptr: streams of the process
  std::unique_ptr<Hook> hook_;
  std::string user_;
  Policy policy_ = Policy::TakeOver;
  DeviceRuntime* runtime_ = nullptr;
  StreamOptions options_;
  std::vector<Receiver*> receivers_;
  std::vector<Transmitter*> transmitters_;
  std::map<std::string, DeviceStream*, std::less<>> named_;
  DeviceStream* own_ = nullptr;

  bool ticking_ = false;
  DeviceStream* current_ = nullptr;   // of this tick
  DeviceSpans* spans_ = nullptr;      // that measures it, from its first work on
  std::vector<PortStream> received_;  // in this tick
  std::vector<PortStream> set_;       // in this tick
};

/// A codelet whose work goes to CUDA streams.
class GXR_API Codelet : public gxr::Codelet {
 public:
  ~Codelet() override;
  /// Overrides call this, too.
  void declare(Interface& interface) override;
  /// Overrides call this, too.
  void initialize() override;
  /// Calls enqueue() within a Streams::Tick.
  void tick() final;
  /// Overrides call this, too.
  void stop() override;

 protected:
  /// One tick: receive, put work on `streams.stream()`, publish. Returns before the work is done.
  virtual void enqueue(Streams& streams) = 0;

  /// The streams, for start() and stop().
  [[nodiscard]] Streams& streams() noexcept { return streams_; }

 private:
  Streams streams_;
};

}  // namespace gxr::cuda
