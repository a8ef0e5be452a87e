#include "arithmetic/operators.hpp"

#include <algorithm>
#include <array>

#include "arithmetic/device_kernels.hpp"
#include "arithmetic/wrapping.hpp"

namespace gxr::arithmetic {

void Add::declare(Interface& interface) {
  interface.input(in_, "in", "Tensors of int32").elements({ElementType::Int32});
  WholeNumberOperator::declare(interface);
  interface.parameter(value_, "value", "What is added to each element").default_value(1);
}

void Add::compute(const Inputs& in, std::int32_t* out, std::int64_t count) const {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = wrapping_add(in[0][i], *value_);
  }
}

void Add::launch(const Inputs& in, std::int32_t* out, std::int64_t count,
                 CUstream_st* stream) const {
  device_kernels().scale(in[0], out, count, 1, *value_, stream);
}

void Multiply::declare(Interface& interface) {
  interface.input(in_, "in", "Tensors of int32").elements({ElementType::Int32});
  WholeNumberOperator::declare(interface);
  interface.parameter(factor_, "factor", "What each element is multiplied by").default_value(2);
}

void Multiply::compute(const Inputs& in, std::int32_t* out, std::int64_t count) const {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = wrapping_multiply(in[0][i], *factor_);
  }
}

void Multiply::launch(const Inputs& in, std::int32_t* out, std::int64_t count,
                      CUstream_st* stream) const {
  device_kernels().scale(in[0], out, count, *factor_, 0, stream);
}

void Sum::declare(Interface& interface) {
  interface.input(a_, "a", "Tensors of int32").elements({ElementType::Int32});
  interface.input(b_, "b", "Tensors of the same shape").elements({ElementType::Int32});
  interface.input(c_, "c", "Tensors of the same shape").elements({ElementType::Int32}).optional();
  interface.input(d_, "d", "Tensors of the same shape").elements({ElementType::Int32}).optional();
  WholeNumberOperator::declare(interface);
}

std::vector<Receiver*> Sum::inputs() const {
  std::vector<Receiver*> ports;
  for (const auto* input : {&a_, &b_, &c_, &d_}) {
    if (*input) {
      ports.push_back(&input->receiver());
    }
  }
  return ports;
}

void Sum::compute(const Inputs& in, std::int32_t* out, std::int64_t count) const {
  for (std::int64_t i = 0; i < count; ++i) {
    std::int32_t sum = 0;
    for (const std::int32_t* each : in) {
      sum = wrapping_add(sum, each[i]);
    }
    out[i] = sum;
  }
}

void Sum::launch(const Inputs& in, std::int32_t* out, std::int64_t count,
                 CUstream_st* stream) const {
  std::array<const std::int32_t*, 4> all{};
  std::copy(in.begin(), in.end(), all.begin());
  device_kernels().sum(all.data(), static_cast<int>(in.size()), out, count, stream);
}

}  // namespace gxr::arithmetic
