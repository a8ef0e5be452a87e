#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::sample {

/// Takes a batch of messages per tick and drops them.
class PingBatchRx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  [[nodiscard]] std::int64_t take_batch();

  Input<> signal_;
  Parameter<std::int64_t> batch_size_;
  Parameter<bool> assert_full_batch_;
};

}  // namespace gxr::sample
