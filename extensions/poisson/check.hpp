#pragma once

#include <cstdint>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr::poisson {

/// Solves the same on the CPU, in the same steps, and compares bit by bit.
class Check final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  Input<Tensor> heat_;
  Input<Tensor> field_;
  Parameter<float> tolerance_;
  Parameter<std::int32_t> sweeps_;
  Parameter<std::uint64_t> limit_;

  std::vector<float> solution_;  // of the last grid, from which the next begins
  std::uint64_t right_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace gxr::poisson
