#include "gxf/cuda/cuda_buffer.hpp"

#include <utility>

#include "cuda_driver.hpp"
#include "native.hpp"

namespace nvidia::gxf {

CudaBuffer::CudaBuffer(CudaBuffer&& other) noexcept = default;
CudaBuffer& CudaBuffer::operator=(CudaBuffer&& other) noexcept = default;
CudaBuffer::~CudaBuffer() = default;

Expected<void> CudaBuffer::resizeAsync(Handle<CudaAllocator> allocator,
                                       Handle<CudaStreamPool> stream_pool, std::uint64_t size,
                                       Handle<CudaStream> stream) {
  if (allocator.is_null() || (stream.is_null() && stream_pool.is_null())) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  const Expected<void> freed = freeBuffer();
  if (!freed) {
    return freed;
  }
  auto shared = std::make_shared<Shared>();
  shared->pool = stream_pool;
  if (stream.is_null()) {
    const auto allocated = stream_pool->allocateStream();
    if (!allocated) {
      return ForwardError(allocated);
    }
    stream = allocated.value();
    shared->gives_stream_back = true;
  }
  shared->stream = stream;
  const auto give_back_stream = [](const Shared& of) {
    return of.gives_stream_back ? of.pool->releaseStream(of.stream) : Success;
  };
  const auto cuda_stream = stream->stream();
  const auto memory = cuda_stream ? allocator->allocate_async(size, cuda_stream.value())
                                  : Expected<byte*>(ForwardError(cuda_stream));
  if (!memory) {
    static_cast<void>(give_back_stream(*shared));
    return ForwardError(memory);
  }
  shared_ = shared;
  return wrapMemory(memory.value(), size, MemoryStorageType::kDevice,
                    [allocator, shared, give_back_stream,
                     cuda_stream = cuda_stream.value()](void* pointer) -> Expected<void> {
                      const auto given =
                          allocator->free_async(static_cast<byte*>(pointer), cuda_stream);
                      const auto released = give_back_stream(*shared);
                      return given ? released : given;
                    });
}

CudaBuffer::State CudaBuffer::state() const {
  return shared_ != nullptr ? shared_->state.load() : State::UNSET;
}

Handle<CudaStream> CudaBuffer::stream() const {
  return shared_ != nullptr ? shared_->stream : Handle<CudaStream>::Null();
}

Handle<CudaStreamPool> CudaBuffer::streamPool() const {
  return shared_ != nullptr ? shared_->pool : Handle<CudaStreamPool>::Null();
}

Expected<Handle<CudaStream>> CudaBuffer::transferStreamOwnership() {
  if (shared_ == nullptr) {
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  shared_->gives_stream_back = false;
  return shared_->stream;
}

Expected<void> CudaBuffer::registerCallbackOnStream(callback_t function, void* data) {
  if (function == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  const Handle<CudaStream> stream = this->stream();
  if (stream.is_null()) {
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  const auto cuda_stream = stream->stream();
  if (!cuda_stream) {
    return ForwardError(cuda_stream);
  }
  struct Call {
    callback_t function;
    void* data;
    std::shared_ptr<Shared> shared;

    static void run(void* self) {
      const std::unique_ptr<Call> call(static_cast<Call*>(self));
      call->function(call->data);
      call->shared->state.store(State::DATA_AVAILABLE);
    }
  };
  return ExpectedOrCode(layer::guarded([&] {
    auto call = std::make_unique<Call>(Call{function, data, shared_});
    const State before = shared_->state.exchange(State::CALLBACK_REGISTERED);
    try {
      layer::CudaDriver::get().call_behind(cuda_stream.value(), stream->dev_id(), &Call::run,
                                           call.get());
    } catch (...) {
      shared_->state.store(before);
      throw;
    }
    static_cast<void>(call.release());
    return GXF_SUCCESS;
  }));
}

}  // namespace nvidia::gxf
