#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gxr/cuda/streams.hpp"
#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Publishes tensors of random float32 from 0 to 1, the same ones in every run and by every
/// instance, and behind them a timestamp.
class TensorGenerator final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  float next_value();
  void publish_tensors();
  void fill(Tensor& tensor);
  void add_tensors(Message& message);

  Output<> output_;
  Parameter<Handle<Allocator>> allocator_;
  Parameter<std::vector<std::int32_t>> shape_;
  Parameter<std::int32_t> storage_type_;
  Parameter<bool> enable_timestamps_;
  Parameter<std::string> tensor_name_;
  Parameter<std::string> timestamp_name_;
  Parameter<std::int32_t> number_of_tensors_;
  cuda::Streams streams_;
  std::mt19937 random_;
};

}  // namespace gxr::testing
