#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::arithmetic {

/// Publishes one tensor of int32 per tick, shape [size], full of 1, then of 2, and so on.
class Numbers final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::int32_t> size_;
};

/// Fails unless tensor n is full of n * factor + offset.
class Check final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  Input<Tensor> in_;
  Parameter<std::int32_t> factor_;
  Parameter<std::int32_t> offset_;
  std::int64_t right_ = 0;
};

}  // namespace gxr::arithmetic
