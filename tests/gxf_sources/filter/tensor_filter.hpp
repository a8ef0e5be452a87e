#pragma once

#include <string>
#include <vector>

#include "common/fixed_string.hpp"
#include "common/fixed_vector.hpp"
#include "filter_kernel.hpp"
#include "gxf/cuda/cuda_stream.hpp"
#include "gxf/cuda/cuda_stream_pool.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/clock.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/memory_buffer.hpp"
#include "gxf/std/parameter_parser_std.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/transmitter.hpp"

namespace acme {
namespace filter {

// Filters the rows of a tensor of float32, and adds the result to the message. Tensors in device
// memory are filtered on the GPU, others on the host.
class TensorFilter : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;

 private:
  using Tensor = nvidia::gxf::Tensor;
  template <typename T>
  using Handle = nvidia::gxf::Handle<T>;
  template <typename T>
  using Parameter = nvidia::gxf::Parameter<T>;
  template <typename T>
  using Expected = nvidia::gxf::Expected<T>;

  Expected<FilterArguments> argumentsFor(const Tensor& tensor) const;
  Expected<void> makeOutput(const std::string& way, const Tensor& like, Tensor& output);
  Expected<void> run(const FilterArguments& arguments, const Tensor& in, Tensor& out);

  Parameter<Handle<nvidia::gxf::Receiver>> receiver_;
  Parameter<Handle<nvidia::gxf::Transmitter>> transmitter_;
  Parameter<Handle<nvidia::gxf::Allocator>> allocator_;
  Parameter<Handle<nvidia::gxf::CudaStreamPool>> cuda_stream_pool_;
  Parameter<Handle<nvidia::gxf::Clock>> clock_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::string> out_tensor_name_;
  Parameter<std::vector<float>> taps_;
  Parameter<std::vector<std::string>> outputs_;
  Parameter<std::vector<int16_t>> passed_rows_;
  Parameter<float> gain_;
  Parameter<double> offset_;
  Parameter<bool> clamp_;
  Parameter<int> highest_;
  Parameter<std::string> border_;
  Parameter<uint8_t> fill_;
  Parameter<uint32_t> iterations_;
  Parameter<size_t> max_rank_;

  nvidia::FixedVector<float, kMaxTaps> kernel_;
  nvidia::FixedString<64> label_;
  nvidia::gxf::MemoryBuffer scratch_;
  Handle<nvidia::gxf::CudaStream> stream_ = Handle<nvidia::gxf::CudaStream>::Null();
  uint64_t filtered_ = 0;
};

}  // namespace filter
}  // namespace acme
