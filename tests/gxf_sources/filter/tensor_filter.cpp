#include "tensor_filter.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "common/assert.hpp"
#include "common/type_name.hpp"
#include "gxf/core/expected_macro.hpp"

namespace acme {
namespace filter {

using nvidia::Severity;
using nvidia::gxf::ForwardError;
using nvidia::gxf::MemoryStorageType;
using nvidia::gxf::PrimitiveType;
using nvidia::gxf::Success;
using nvidia::gxf::Unexpected;

gxf_result_t TensorFilter::registerInterface(nvidia::gxf::Registrar* registrar) {
  Expected<void> result;
  result &= registrar->parameter(receiver_, "receiver", "Receiver", "Takes messages with a tensor");
  result &=
      registrar->parameter(transmitter_, "transmitter", "Transmitter", "Passes the messages on");
  result &= registrar->parameter(allocator_, "allocator", "Allocator", "Memory of the results");
  result &= registrar->parameter(cuda_stream_pool_, "cuda_stream_pool", "Pool of CUDA streams",
                                 "For device memory", nvidia::gxf::Registrar::NoDefaultParameter(),
                                 GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(clock_, "clock", "Clock", "Times the work, when there is one",
                                 nvidia::gxf::Registrar::NoDefaultParameter(),
                                 GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(in_tensor_name_, "in_tensor_name", "Input",
                                 "Name of the tensor; empty: any", std::string(""));
  result &= registrar->parameter(out_tensor_name_, "out_tensor_name", "Output",
                                 "Name of the result", std::string("filtered"));
  result &= registrar->parameter(taps_, "taps", "Taps", "An odd number of weights");
  result &= registrar->parameter(
      outputs_, "outputs", "Outputs",
      "How results get their memory, one after the other: reshape, custom, wrap, buffer",
      {std::string("reshape")});
  result &= registrar->parameter(passed_rows_, "passed_rows", "Passed rows",
                                 "Rows that stay as they are", std::vector<int16_t>{});
  result &= registrar->parameter(gain_, "gain", "Gain", "Factor", 1.0f);
  result &= registrar->parameter(offset_, "offset", "Offset", "Added after the factor", 0.0,
                                 GXF_PARAMETER_FLAGS_DYNAMIC);
  result &= registrar->parameter(clamp_, "clamp", "Clamp", "Cuts values at the highest one", false);
  result &= registrar->parameter(highest_, "highest", "Highest", "The highest value", 255);
  result &=
      registrar->parameter(border_, "border", "Border", "repeat or fill", std::string("repeat"));
  result &= registrar->parameter(fill_, "fill", "Fill", "The value outside of a row",
                                 static_cast<uint8_t>(0));
  result &= registrar->parameter(iterations_, "iterations", "Iterations",
                                 "How often the filter runs", 1u);
  result &= registrar->parameter(max_rank_, "max_rank", "Largest rank", "Of the tensor", 4UL);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t TensorFilter::initialize() {
  const auto& taps = taps_.get();
  if (taps.size() % 2 == 0 || taps.size() > kernel_.capacity()) {
    GXF_LOG_ERROR("taps has %zu weights; it needs an odd number of at most %zu", taps.size(),
                  kernel_.capacity());
    return GXF_PARAMETER_OUT_OF_RANGE;
  }
  kernel_.clear();
  for (const float tap : taps) {
    if (!kernel_.push_back(tap)) {
      return GXF_OUT_OF_MEMORY;
    }
  }
  if (border_.get() != "repeat" && border_.get() != "fill") {
    return GXF_PARAMETER_OUT_OF_RANGE;
  }
  label_.clear();
  if (!label_.append("filter: ") || !label_.append(name(), std::strlen(name()))) {
    return GXF_ARGUMENT_OUT_OF_RANGE;
  }
  return GXF_SUCCESS;
}

gxf_result_t TensorFilter::start() {
  filtered_ = 0;
  GXF_ASSERT(!kernel_.empty(), "initialize() has not run");
  GXF_ASSERT_EQ(kernel_.size(), taps_.get().size());
  GXF_LOG_DEBUG("%s filters tensors of %s", label_.c_str(), nvidia::TypenameAsString<float>());
  if (const auto pool = cuda_stream_pool_.try_get()) {
    stream_ = GXF_UNWRAP_OR_RETURN(pool.value()->allocateStream());
  }
  return GXF_SUCCESS;
}

nvidia::gxf::Expected<FilterArguments> TensorFilter::argumentsFor(const Tensor& tensor) const {
  if (tensor.rank() == 0 || tensor.rank() > max_rank_) {
    GXF_LOG_ERROR("A tensor of rank %u", tensor.rank());
    return Unexpected{GXF_INVALID_DATA_FORMAT};
  }
  FilterArguments arguments;
  arguments.rows = 1;
  for (uint32_t i = 0; i + 1 < tensor.rank(); ++i) {
    arguments.rows *= tensor.shape().dimension(i);
  }
  arguments.columns = tensor.shape().dimension(tensor.rank() - 1);
  arguments.tap_count = static_cast<int32_t>(kernel_.size());
  for (size_t i = 0; i < kernel_.size(); ++i) {
    arguments.taps[i] = kernel_.at(i).value();
  }
  arguments.repeat_edges = border_.get() == "repeat";
  arguments.fill = fill_;
  arguments.gain = gain_;
  arguments.offset = static_cast<float>(offset_.get());
  arguments.highest =
      clamp_ ? static_cast<float>(highest_.get()) : std::numeric_limits<float>::max();
  return arguments;
}

// Gives a result memory of the same kind and shape as a tensor's, in one of four ways.
nvidia::gxf::Expected<void> TensorFilter::makeOutput(const std::string& way, const Tensor& like,
                                                     Tensor& output) {
  const uint64_t bytes = nvidia::gxf::PrimitiveTypeSize(PrimitiveType::kFloat32);
  if (way == "reshape") {
    return output.reshape<float>(like.shape(), like.storage_type(), allocator_);
  }
  if (way == "custom") {
    return output.reshapeCustom(like.shape(), like.element_type(), bytes,
                                Unexpected{GXF_UNINITIALIZED_VALUE}, like.storage_type(),
                                allocator_);
  }
  if (way == "wrap" && like.storage_type() == MemoryStorageType::kSystem) {
    auto* memory = new float[like.element_count()];
    return output.wrapMemory(
        like.shape(), PrimitiveType::kFloat32, bytes,
        nvidia::gxf::ComputeTrivialStrides(like.shape(), static_cast<uint32_t>(bytes)),
        MemoryStorageType::kSystem, memory, [](void* pointer) {
          delete[] static_cast<float*>(pointer);
          return Success;
        });
  }
  if (way == "buffer") {
    nvidia::gxf::MemoryBuffer buffer;
    auto resized = buffer.resize(allocator_, like.size(), like.storage_type());
    if (!resized) {
      return ForwardError(resized);
    }
    return output.wrapMemoryBuffer(
        like.shape(), PrimitiveType::kFloat32, bytes,
        nvidia::gxf::ComputeTrivialStrides(like.shape(), static_cast<uint32_t>(bytes)),
        std::move(buffer));
  }
  GXF_LOG_ERROR("There is no output '%s'", way.c_str());
  return Unexpected{GXF_ARGUMENT_INVALID};
}

nvidia::gxf::Expected<void> TensorFilter::run(const FilterArguments& arguments, const Tensor& in,
                                              Tensor& out) {
  const float* from = GXF_UNWRAP_OR_RETURN(in.data<float>(), "the input is no tensor of float32");
  float* to = GXF_UNWRAP_OR_RETURN(out.data<float>());
  const size_t count = in.element_count();
  if (in.storage_type() == MemoryStorageType::kDevice) {
    if (stream_.is_null()) {
      GXF_LOG_ERROR("A tensor in device memory needs cuda_stream_pool");
      return Unexpected{GXF_ARGUMENT_NULL};
    }
    if (iterations_ != 1 || !passed_rows_.get().empty()) {
      GXF_LOG_ERROR("On the device the filter runs once, over all rows");
      return Unexpected{GXF_ARGUMENT_INVALID};
    }
    GXF_RETURN_IF_ERROR(FilterOnDevice(arguments, from, to, stream_->stream().value()),
                        Severity::ERROR, "on the device");
    return stream_->syncStream();
  }

  // Between two runs the rows are in scratch memory.
  GXF_RETURN_IF_ERROR(scratch_.resize(allocator_, in.size(), in.storage_type()));
  std::memcpy(scratch_.pointer(), from, in.size());
  nvidia::Span<float> output(to, count);
  for (uint32_t i = 0; i < iterations_; ++i) {
    nvidia::Span<const float> input(reinterpret_cast<const float*>(scratch_.pointer()), count);
    GXF_RETURN_IF_ERROR(FilterOnHost(arguments, input, output), "run %u of %u", i + 1,
                        iterations_.get());
    std::memcpy(scratch_.pointer(), to, output.size_bytes());
  }
  for (const int16_t row : passed_rows_.get()) {
    const size_t start = static_cast<size_t>(row) * static_cast<size_t>(arguments.columns);
    const auto kept = output.subspan(start, static_cast<size_t>(arguments.columns));
    if (!kept) {
      return Unexpected{GXF_ARGUMENT_OUT_OF_RANGE};
    }
    std::copy(from + start, from + start + arguments.columns, kept.value().data());
  }
  return scratch_.freeBuffer();
}

gxf_result_t TensorFilter::tick() {
  auto message =
      GXF_UNWRAP_OR_RETURN(receiver_->receive(), "no message on '%s'", receiver_->name());
  if (message.is_null()) {
    return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
  }
  const char* name = in_tensor_name_.get().empty() ? nullptr : in_tensor_name_.get().c_str();
  const auto input = GXF_UNWRAP_OR_RETURN(message.get<Tensor>(name));
  if (input->element_type() != PrimitiveType::kFloat32 ||
      input->bytes_per_element() != sizeof(float)) {
    return GXF_INVALID_DATA_FORMAT;
  }
  const auto arguments = GXF_UNWRAP_OR_RETURN(argumentsFor(*input));

  const auto clock = clock_.try_get();
  const int64_t begin = clock ? clock.value()->timestamp() : 0;
  auto output = GXF_UNWRAP_OR_RETURN(message.add<Tensor>(out_tensor_name_.get().c_str()));
  const std::string& way = outputs_.get()[filtered_ % outputs_.get().size()];
  GXF_RETURN_IF_ERROR(makeOutput(way, *input, *output), "output '%s'", way.c_str());
  GXF_RETURN_IF_ERROR(run(arguments, *input, *output));
  ++filtered_;
  if (clock) {
    GXF_LOG_DEBUG("%s took %" PRId64 " ns", label_.c_str(), clock.value()->timestamp() - begin);
  }
  return nvidia::gxf::ToResultCode(transmitter_->publish(message));
}

gxf_result_t TensorFilter::stop() {
  GXF_LOG_INFO("%s filtered %" PRIu64 " tensors", label_.c_str(), filtered_);
  if (!stream_.is_null()) {
    GXF_RETURN_IF_ERROR(cuda_stream_pool_.try_get().value()->releaseStream(stream_));
    stream_ = Handle<nvidia::gxf::CudaStream>::Null();
  }
  return GXF_SUCCESS;
}

}  // namespace filter
}  // namespace acme
