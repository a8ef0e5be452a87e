#include "cuda_streams.hpp"

#include <cstring>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "common/logger.hpp"
#include "cuda_driver.hpp"
#include "gxf/cuda/cuda_stream_id.hpp"
#include "gxf/cuda/cuda_stream_pool.hpp"
#include "gxr/cuda/stream_pool.hpp"
#include "native.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

static_assert(sizeof(CudaStream) == sizeof(gxr::cuda::CudaStream) &&
              alignof(CudaStream) == alignof(gxr::cuda::CudaStream));
static_assert(sizeof(CudaStreamId) == sizeof(gxr::cuda::CudaStreamId) &&
              alignof(CudaStreamId) == alignof(gxr::cuda::CudaStreamId));

gxf_uid_t number_of(const gxr::DeviceStream* stream) noexcept {
  return static_cast<gxf_uid_t>(reinterpret_cast<std::intptr_t>(stream));
}

/// An event, and what is kept until it has happened.
struct Recorded {
  CUevent_st* event = nullptr;
  std::shared_ptr<void> owner;
  Entity input;
  std::function<void()> synced;
  std::function<void(CUevent_st*)> destroy;

  void end() {
    if (synced) {
      synced();
    }
    if (destroy) {
      destroy(event);
    }
  }
};

/// gxr never destroys its streams, so what is known of them stays, too.
struct KnownStream {
  explicit KnownStream(gxr::DeviceStream& stream) noexcept : as_seen(stream) {}

  CudaStream as_seen;
  std::mutex mutex;
  std::deque<Recorded> recorded;  // in the order of the stream
};

class StreamTable {
 public:
  KnownStream& learn(gxr::DeviceStream& stream) {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = streams_.try_emplace(&stream, nullptr);
    if (known->second == nullptr) {
      known->second = std::make_unique<KnownStream>(stream);
    }
    return *known->second;
  }
  KnownStream* find(gxf_uid_t cid) {
    const std::lock_guard lock(mutex_);
    const auto known =
        streams_.find(reinterpret_cast<gxr::DeviceStream*>(static_cast<std::intptr_t>(cid)));
    return known != streams_.end() ? known->second.get() : nullptr;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<gxr::DeviceStream*, std::unique_ptr<KnownStream>> streams_;
};

StreamTable& stream_table() {
  static StreamTable& table = *new StreamTable();
  return table;
}

/// Takes the events that have happened, or all, out of the list; then ends them without the lock,
/// since the functions may record events again.
void end_events(gxr::DeviceStream& stream, bool wait) {
  KnownStream& known = stream_table().learn(stream);
  std::deque<Recorded> over;
  {
    const std::lock_guard lock(known.mutex);
    if (wait) {
      over.swap(known.recorded);
    }
    while (!known.recorded.empty() &&
           CudaDriver::get().has_happened(known.recorded.front().event, stream.device())) {
      over.push_back(std::move(known.recorded.front()));
      known.recorded.pop_front();
    }
  }
  for (Recorded& each : over) {
    if (wait) {
      CudaDriver::get().wait(each.event, stream.device());
    }
    each.end();
  }
}

void record_event(gxr::DeviceStream& stream, Recorded recorded) {
  end_events(stream, false);
  KnownStream& known = stream_table().learn(stream);
  const std::lock_guard lock(known.mutex);
  CudaDriver::get().record(recorded.event, stream.handle(), stream.device());
  known.recorded.push_back(std::move(recorded));
}

/// The number in a CudaStreamId. gxr reads the same bytes as a pointer.
gxf_uid_t read_number(const gxr::detail::Part& part) noexcept {
  gxf_uid_t cid = kNullUid;
  std::memcpy(&cid, part.data, sizeof(cid));
  return cid;
}

/// Puts a part of gxr's kind beside each CudaBuffer of a source.
void translate_buffers(gxr::Message& message) {
  for (std::size_t i = 0; i < message.size(); ++i) {  // the message grows
    const gxr::detail::Part part = message.begin()[i];
    if (part.id != gxr::TypeIdOf<CudaBuffer>::value) {
      continue;
    }
    const auto& buffer = *static_cast<const CudaBuffer*>(part.data);
    gxr::DeviceStream* const stream = find_stream(buffer.stream().cid());
    if (stream == nullptr) {
      continue;
    }
    const auto* const known = message.find<gxr::cuda::CudaBuffer>(part.name);
    auto& native = known != nullptr ? const_cast<gxr::cuda::CudaBuffer&>(*known)
                                    : message.add<gxr::cuda::CudaBuffer>(part.name);
    native = {buffer.pointer(), buffer.size(), stream->mark()};
    stream->record();
  }
}

}  // namespace

Target learn_stream(gxr::DeviceStream& stream) {
  KnownStream& known = stream_table().learn(stream);
  return {&known.as_seen, number_of(&stream), TypeOf<CudaStream>(), ""};
}

gxr::DeviceStream* find_stream(gxf_uid_t cid) {
  return stream_table().find(cid) != nullptr
             ? reinterpret_cast<gxr::DeviceStream*>(static_cast<std::intptr_t>(cid))
             : nullptr;
}

bool find_stream(gxf_uid_t cid, Target& target) {
  gxr::DeviceStream* const stream = find_stream(cid);
  if (stream != nullptr) {
    target = learn_stream(*stream);
  }
  return stream != nullptr;
}

void drop_events(gxr::DeviceStream& stream) { end_events(stream, true); }

void learn_streams(const gxr::Message& message) {
  for (const gxr::detail::Part& part : message) {
    if (is_stream_id(part)) {
      if (auto* const stream = static_cast<const gxr::cuda::CudaStreamId*>(part.data)->stream;
          stream != nullptr) {
        static_cast<void>(learn_stream(*stream));
      }
    }
  }
}

gxf_result_t translate_leaving(gxr::Message& message) {
  return guarded([&] {
    gxr::DeviceStream* writer = nullptr;
    translate_buffers(message);
    for (const gxr::detail::Part& part : message) {
      if (part.id == gxr::TypeIdOf<gxr::cuda::CudaEvent>::value) {
        auto& event = *static_cast<gxr::cuda::CudaEvent*>(const_cast<void*>(part.data));
        if (event.event != nullptr) {
          event.work = CudaDriver::get().work_behind(event.event, event.device);
        }
      }
      if (!is_stream_id(part)) {
        continue;
      }
      const gxf_uid_t cid = read_number(part);
      if (cid == kNullUid || cid == kUnspecifiedUid) {
        std::memset(const_cast<void*>(part.data), 0, sizeof(cid));
        continue;
      }
      gxr::DeviceStream* const stream = find_stream(cid);
      if (stream == nullptr) {
        GXF_LOG_ERROR("CudaStreamId '%.*s' of a message names %lld, which is no CudaStream",
                      static_cast<int>(part.name.size()), part.name.data(),
                      static_cast<long long>(cid));
        return GXF_ARGUMENT_INVALID;
      }
      if (writer == nullptr) {
        writer = stream;
      } else if (writer != stream) {
        writer->wait_for(stream->mark());
      }
    }
    if (writer == nullptr) {
      return GXF_SUCCESS;
    }
    if (const gxr::DeviceWork before = message.device_work(); before && before.stream != writer) {
      writer->wait_for(before);
    }
    gxr::cuda::note_use(message, *writer);
    message.set_device_work(writer->mark());
    writer->record();
    return GXF_SUCCESS;
  });
}

void translate_arriving(gxr::Message& message) {
  const gxr::DeviceWork work = gxr::cuda::work_behind(message);
  if (!work) {
    return;
  }
  const auto* const id = message.find<gxr::cuda::CudaStreamId>();
  if (id == nullptr || id->stream == nullptr) {
    message.wait_for_device();
    return;
  }
  static_cast<void>(learn_stream(*id->stream));
  if (id->stream != work.stream) {
    id->stream->wait_for(work);
  }
  gxr::cuda::note_use(message, *id->stream);
}

bool add_stream_id(gxr::Message& message, const char* name) {
  const gxr::DeviceWork work = message.device_work();
  if (!work) {
    return false;
  }
  static_cast<void>(learn_stream(*work.stream));
  gxr::cuda::note_use(message, *work.stream);
  message.add<gxr::cuda::CudaStreamId>(name != nullptr ? name : "cuda_stream_id_").stream =
      work.stream;
  return true;
}

}  // namespace layer

Expected<cudaStream_t> CudaStream::stream() const {
  if (stream_ == nullptr || stream_->handle() == nullptr) {
    GXF_LOG_ERROR("A CudaStream without a stream: CudaStreamPool::allocateStream() gives one");
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  return stream_->handle();
}

int CudaStream::dev_id() const { return stream_ != nullptr ? stream_->device() : -1; }

Expected<void> CudaStream::record(Handle<CudaEvent> event, Entity input,
                                  std::function<void()> synced) {
  if (event.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  const Expected<cudaEvent_t> cuda_event = event->event();
  if (!cuda_event) {
    return ForwardError(cuda_event);
  }
  if (stream_ == nullptr) {
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  return ExpectedOrCode(layer::guarded([&] {
    gxr::cuda::CudaEvent& native = layer::to_native(*event.get());
    layer::record_event(
        *stream_, {cuda_event.value(), native.owner, std::move(input), std::move(synced), nullptr});
    native.work = stream_->mark();
    return GXF_SUCCESS;
  }));
}

Expected<void> CudaStream::record(cudaEvent_t event, std::function<void(cudaEvent_t)> destroy) {
  if (event == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  if (stream_ == nullptr) {
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  return ExpectedOrCode(layer::guarded([&] {
    layer::record_event(*stream_, {event, nullptr, Entity(), nullptr, std::move(destroy)});
    return GXF_SUCCESS;
  }));
}

Expected<void> CudaStream::resetEvents() {
  if (stream_ == nullptr) {
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  return ExpectedOrCode(layer::guarded([&] {
    layer::drop_events(*stream_);
    return GXF_SUCCESS;
  }));
}

Expected<void> CudaStream::syncStream() {
  if (stream_ == nullptr) {
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  return ExpectedOrCode(layer::guarded([&] {
    stream_->wait_on_host(stream_->mark().number);
    layer::drop_events(*stream_);
    return GXF_SUCCESS;
  }));
}

CudaStreamPool::CudaStreamPool(gxr::cuda::CudaStreamPool& pool) noexcept
    : NativeAllocator(pool), pool_(pool) {}

/// Entities that streams keep must not outlive the application.
CudaStreamPool::~CudaStreamPool() {
  for (gxr::DeviceStream* const stream : lent_) {
    static_cast<void>(layer::guarded([&] {
      layer::drop_events(*stream);
      return GXF_SUCCESS;
    }));
  }
}

Expected<Handle<CudaStream>> CudaStreamPool::allocateStream() {
  layer::Target target;
  const gxf_result_t code = layer::guarded([&] {
    const std::lock_guard lock(mutex_);
    lent_.reserve(lent_.size() + 1);
    gxr::DeviceStream& stream = pool_.acquire();
    lent_.push_back(&stream);
    target = layer::learn_stream(stream);
    return GXF_SUCCESS;
  });
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return Handle<CudaStream>(context(), target);
}

Expected<void> CudaStreamPool::releaseStream(Handle<CudaStream> stream) {
  if (stream.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  return ExpectedOrCode(layer::guarded([&] {
    gxr::DeviceStream* const native = layer::find_stream(stream.cid());
    {
      const std::lock_guard lock(mutex_);
      if (native == nullptr || std::erase(lent_, native) == 0) {
        GXF_LOG_ERROR("'%s' was given back a stream that it has not lent", name());
        return GXF_ARGUMENT_INVALID;
      }
    }
    const gxf_result_t code = layer::guarded([&] {
      layer::drop_events(*native);
      return GXF_SUCCESS;
    });
    pool_.release(*native);
    return code;
  }));
}

}  // namespace nvidia::gxf
