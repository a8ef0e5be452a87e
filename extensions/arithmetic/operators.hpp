#pragma once

#include <cstdint>
#include <vector>

#include "arithmetic/whole_number_operator.hpp"

namespace gxr::arithmetic {

/// out = in + value
class Add final : public WholeNumberOperator {
 public:
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] std::vector<Receiver*> inputs() const override { return {&in_.receiver()}; }
  void compute(const Inputs& in, std::int32_t* out, std::int64_t count) const override;
  void launch(const Inputs& in, std::int32_t* out, std::int64_t count,
              CUstream_st* stream) const override;

  Input<Tensor> in_;
  Parameter<std::int32_t> value_;
};

/// out = in * factor
class Multiply final : public WholeNumberOperator {
 public:
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] std::vector<Receiver*> inputs() const override { return {&in_.receiver()}; }
  void compute(const Inputs& in, std::int32_t* out, std::int64_t count) const override;
  void launch(const Inputs& in, std::int32_t* out, std::int64_t count,
              CUstream_st* stream) const override;

  Input<Tensor> in_;
  Parameter<std::int32_t> factor_;
};

/// out = a + b + c + d
class Sum final : public WholeNumberOperator {
 public:
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] std::vector<Receiver*> inputs() const override;
  void compute(const Inputs& in, std::int32_t* out, std::int64_t count) const override;
  void launch(const Inputs& in, std::int32_t* out, std::int64_t count,
              CUstream_st* stream) const override;

  Input<Tensor> a_;
  Input<Tensor> b_;
  Input<Tensor> c_;
  Input<Tensor> d_;
};

}  // namespace gxr::arithmetic
