#include "gxr/cuda/streams.hpp"

#include <algorithm>
#include <string>

#include "device/current_stream.hpp"
#include "device/device_engine.hpp"
#include "device/device_spans.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/resource.hpp"
#include "sdk/engine_access.hpp"
#include "sdk/port_hook.hpp"

namespace gxr::cuda {
/// Leads from the ports to the streams.
class Streams::Hook final : public PortHook {
 public:
  explicit Hook(Streams& streams) noexcept : streams_(streams) {}

  void received(Receiver& receiver, Message& message) override {
    streams_.received(receiver, message);
  }
  void publishing(Transmitter& transmitter, Message& message) override {
    streams_.publishing(transmitter, message);
  }

 private:
  Streams& streams_;
};

DeviceWork work_behind(const Message& message) {
  if (const DeviceWork work = message.device_work()) {
    return work;
  }
  const auto* id = message.find<CudaStreamId>();
  if (id == nullptr || id->stream == nullptr) {
    return {};
  }
  const DeviceWork work = id->stream->mark();
  const_cast<Message&>(message).set_device_work(work);
  return work;
}

void note_use(const Message& message, DeviceStream& stream) {
  for (const detail::Part& part : message) {
    if (part.id == TypeIdOf<Tensor>::value) {
      static_cast<const Tensor*>(part.data)->add_device_user(stream);
    } else if (part.id == TypeIdOf<VideoBuffer>::value) {
      static_cast<const VideoBuffer*>(part.data)->add_device_user(stream);
    } else if (part.id == TypeIdOf<AudioBuffer>::value) {
      static_cast<const AudioBuffer*>(part.data)->add_device_user(stream);
    }
  }
}

Streams::Streams() : hook_(std::make_unique<Hook>(*this)) {}
Streams::~Streams() {
  release();
  if (runtime_ != nullptr) {
    DeviceEngine::get().in_flight().forget_user(&user_);
  }
}

void Streams::declare(Interface& interface) {
  interface
      .parameter(named_pool_, kStreamPoolParameter, "Gives the codelet its CUDA streams",
                 "Left out: a pool that serves the entity's group or the application. Without one, "
                 "streams of the GPU of the entity's GPUDevice, else of GPU 0; the ranks of a host use "
                 "its GPUs in turn.")
      .optional();
  interface
      .parameter(green_context_, "cuda_green_context",
                 "The part of the GPU whose SMs the codelet's streams use",
                 "Instead of a stream pool. Left out: all SMs, unless a CudaGreenContextPool serves the "
                 "entity's group or the application. In a CUDA graph, that of its GraphExecutor counts.")
      .optional();
}

void Streams::find_source(gxr::Codelet& codelet) {
  if (named_pool_.has_value() && green_context_.has_value()) {
    throw Error(ErrorCode::InvalidParameter,
                "parameter 'cuda_green_context' is set beside 'cuda_stream_pool', whose streams it "
                "does not change: name the green context in the pool");
  }
  options_ = {};
  pool_ = nullptr;
  if (named_pool_.has_value()) {
    pool_ = named_pool_.get().get();
    options_.device = pool_->device();
  } else if (green_context_.has_value()) {
    options_.partition = &green_context_->partition();
    options_.device = options_.partition->device();
  } else {
    find_default(codelet);
  }
}

/// The pools for codelets that name none, if they are of the codelet's GPU.
void Streams::find_default(gxr::Codelet& codelet) {
  const Context& context = codelet.context();
  options_.device = context.device_id(codelet);
  CudaStreamPool* const streams = context.default_stream_pool(codelet);
  if (streams != nullptr && streams->device() == options_.device) {
    pool_ = streams;
    return;
  }
  CudaGreenContextPool* const contexts = context.default_green_context_pool(codelet);
  if (contexts != nullptr && contexts->device() == options_.device) {
    options_.partition = &contexts->partition(-1);
  }
}

void Streams::initialize(gxr::Codelet& codelet) {
  find_source(codelet);
  const StreamOptions options = options_;
  std::vector<Receiver*> receivers;
  std::vector<Transmitter*> transmitters;
  for (Component* component : codelet.context().siblings(codelet)) {
    if (auto* receiver = dynamic_cast<Receiver*>(component); receiver != nullptr) {
      receivers.push_back(receiver);
    } else if (auto* transmitter = dynamic_cast<Transmitter*>(component); transmitter != nullptr) {
      transmitters.push_back(transmitter);
    }
  }
  initialize(codelet, options, std::move(receivers), std::move(transmitters));
  offer_streams();
}

/// Tells producers whether their streams are taken over: they record no event then. The first
/// message of a tick decides; with one port it is that one's.
void Streams::offer_streams() const noexcept {
  if (receivers_.size() == 1) {
    const bool takes_over =
        policy_ == Policy::Input || (policy_ == Policy::TakeOver && takes_plain_streams());
    EngineAccess::set_takes_over_streams_of(*receivers_.front(), takes_over ? options_.device : -1);
  }
}

void Streams::set_policy(Policy policy) noexcept {
  policy_ = policy;
  offer_streams();
}

void Streams::initialize(const gxr::Codelet& codelet, const StreamOptions& options,
                         std::vector<Receiver*> receivers, std::vector<Transmitter*> transmitters) {
  runtime_ = &DeviceRuntime::get();
  options_ = options;
  runtime_->use_device(options_.device);
  receivers_ = std::move(receivers);
  transmitters_ = std::move(transmitters);
  for (Receiver* receiver : receivers_) {
    // Whatever its entity's codelet said.
    EngineAccess::set_takes_over_streams_of(*receiver, -1);
  }
  user_ = codelet.full_name();
}

void Streams::release() noexcept {
  const auto give_back = [&](DeviceStream& stream) {
    if (pool_ != nullptr) {
      pool_->release(stream);
    } else {
      runtime_->release_stream(stream);
    }
  };
  if (own_ != nullptr) {
    give_back(*own_);
    own_ = nullptr;
  }
  for (const auto& [name, stream] : named_) {
    give_back(*stream);
  }
  named_.clear();
}

DeviceStream& Streams::acquire() {
  return pool_ != nullptr ? pool_->acquire() : runtime_->acquire_stream(options_);
}

Streams::Tick::Tick(Streams& streams)
    : streams_(streams), outer_(set_current_device_stream(nullptr)) {
  if (streams_.runtime_ == nullptr) {
    throw Error(ErrorCode::InvalidState,
                "a codelet with CUDA streams ticks without their initialize(): an override of "
                "initialize() must call that of its base");
  }
  streams_.runtime_->use_device(streams_.options_.device);
  streams_.ticking_ = true;
  streams_.current_ = nullptr;
  streams_.received_.clear();
  streams_.set_.clear();
  streams_.hook_ports(streams_.hook_.get());
}

Streams::Tick::~Tick() {
  if (streams_.spans_ != nullptr) {
    streams_.spans_->end();
    streams_.spans_ = nullptr;
  }
  streams_.hook_ports(nullptr);
  streams_.ticking_ = false;
  streams_.current_ = nullptr;
  set_current_device_stream(outer_);
}

void Streams::hook_ports(Hook* hook) noexcept {
  for (Receiver* receiver : receivers_) {
    EngineAccess::set_hook(*receiver, hook);
  }
  for (Transmitter* transmitter : transmitters_) {
    EngineAccess::set_hook(*transmitter, hook);
  }
}

DeviceStream& Streams::tick_stream() {
  if (current_ == nullptr) {
    if (!ticking_) {
      throw Error(ErrorCode::InvalidState,
                  "'" + user_ + "' asked for its CUDA stream outside of a tick");
    }
    if (own_ == nullptr) {
      own_ = &acquire();
    }
    use(*own_);
  }
  return *current_;
}

/// Memory that is allocated from now on in this tick is for `stream`.
void Streams::use(DeviceStream& stream) {
  current_ = &stream;
  stream.note_user(&user_);
  set_current_device_stream(&stream);
}

DeviceStream& Streams::work_stream() {
  DeviceStream& stream = tick_stream();
  if (spans_ == nullptr) {
    spans_ = current_device_spans();
    if (spans_ != nullptr) {
      spans_->begin(stream);
    }
  }
  return stream;
}

void Streams::copy(void* to, const void* from, std::size_t bytes) {
  runtime_->copy(to, from, bytes, work_stream());
}

Stream Streams::stream() { return work_stream().handle(); }

std::vector<std::optional<Stream>> Streams::streams(const Receiver& port) const {
  std::vector<std::optional<Stream>> found;
  for (const PortStream& each : received_) {
    if (each.port == &port) {
      found.push_back(each.stream == nullptr ? std::nullopt
                                             : std::optional<Stream>(each.stream->handle()));
    }
  }
  return found;
}

Stream Streams::named(std::string_view name) {
  const auto known = named_.find(name);
  if (known != named_.end()) {
    return known->second->handle();
  }
  return named_.emplace(name, &acquire()).first->second->handle();
}

DeviceStream& Streams::find(Stream stream) const {
  DeviceStream* const found = stream == nullptr ? nullptr : runtime_->find_stream(stream);
  if (found == nullptr) {
    throw Error(ErrorCode::NotFound,
                "'" + user_ +
                    "' named a CUDA stream that gxr did not hand out; use stream(), "
                    "named(), or one of streams()");
  }
  return *found;
}

void Streams::join(const std::vector<Stream>& streams, Stream target) {
  DeviceStream& later = find(target);
  for (const Stream stream : streams) {
    if (stream != nullptr && stream != target) {
      later.wait_for(find(stream).mark());
    }
  }
}

void Streams::sync_to_default(Stream stream) {
  runtime_->order_default_stream_after(find(stream).mark());
}

void Streams::sync_from_default(Stream stream) {
  runtime_->order_after_default_stream(find(stream));
}

int Streams::device_of(Stream stream) const { return find(stream).device(); }

void Streams::set_stream(const Transmitter& port, Stream stream) {
  DeviceStream& writer = find(stream);
  for (PortStream& each : set_) {
    if (each.port == &port) {
      each.stream = &writer;
      return;
    }
  }
  set_.push_back({&port, &writer, 0});
}

bool Streams::uses(const Tensor& tensor, Stream stream) {
  DeviceStream& user = find(stream);
  if (current_ != nullptr) {
    user.wait_for(current_->mark());  // behind earlier users of the memory
  }
  return tensor.add_device_user(user);
}

DeviceWork Streams::event(Stream stream) {
  DeviceStream& writer = find(stream);
  const DeviceWork work = writer.mark();
  writer.record();
  return work;
}

/// Does this tick work on the stream of a message that it receives?
bool Streams::works_on(const DeviceStream& stream, const Message& message) {
  if (current_ != nullptr || stream.device() != options_.device) {
    return false;
  }
  if (policy_ == Policy::Input) {
    return true;
  }
  if (pool_ != nullptr) {
    if (own_ == nullptr && pool_->falls_back()) {
      own_ = pool_->try_acquire();
      return own_ == nullptr;
    }
    return false;
  }
  return policy_ == Policy::TakeOver && takes_plain_streams() && stream.is_plain() &&
         message.is_only_reference();
}

/// Is the tick's stream behind this work, because a message with it was received?
bool Streams::is_behind(const DeviceWork& work) const {
  return std::any_of(received_.begin(), received_.end(), [&](const PortStream& each) {
    return each.stream == work.stream && each.number >= work.number;
  });
}

void Streams::received(Receiver& receiver, Message& message) {
  const DeviceWork work = work_behind(message);
  received_.push_back({&receiver, work.stream, work.number});
  if (work && works_on(*work.stream, message)) {
    use(*work.stream);
  } else if (work) {
    tick_stream().wait_for(work);
  }
  note_use(message, tick_stream());
}

DeviceStream& Streams::stream_of(const Transmitter& port) {
  for (const PortStream& each : set_) {
    if (each.port == &port) {
      return *each.stream;
    }
  }
  return tick_stream();
}

void Streams::publishing(Transmitter& transmitter, Message& message) {
  if (current_ == nullptr && set_.empty()) {
    return;  // no device work in this tick
  }
  DeviceStream& writer = stream_of(transmitter);
  note_use(message, writer);
  if (const DeviceWork before = message.device_work();
      before && !(&writer == current_ && is_behind(before))) {
    writer.wait_for(before);
  }
  message.set_device_work(writer.mark());
  const auto& consumers = transmitter.receivers();
  const bool taken_over =
      consumers.size() == 1 && writer.is_plain() &&
      EngineAccess::takes_over_streams_of(*consumers.front()) == writer.device();
  if (!taken_over && !consumers.empty()) {
    writer.record();
  }
}

Codelet::~Codelet() = default;

void Codelet::declare(Interface& interface) { streams_.declare(interface); }

void Codelet::initialize() { streams_.initialize(*this); }

void Codelet::tick() {
  const Streams::Tick tick(streams_);
  enqueue(streams_);
  streams_.check();
}

void Codelet::stop() { streams_.release(); }

}  // namespace gxr::cuda
