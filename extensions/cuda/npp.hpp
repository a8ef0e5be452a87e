#pragma once

#include <cstdint>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// Publishes pictures of one colour in device memory.
class NppiSet final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;

 private:
  Parameter<std::int32_t> rows_;
  Parameter<std::int32_t> columns_;
  Parameter<std::int32_t> channels_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::vector<double>> value_;
  Output<> out_;
};

/// Multiplies the channels of pictures in device memory.
class NppiMulC final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;

 private:
  Input<> in_;
  Parameter<std::vector<double>> factor_;
  Parameter<Handle<Allocator>> pool_;
  Output<> out_;
};

}  // namespace gxr::cuda
