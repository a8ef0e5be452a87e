#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Takes a message per tick when there is one; fails the run when it got fewer or more than
/// expected.
class PingPollRx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override { received_ = 0; }
  void tick() override;
  void stop() override;

 private:
  Input<> signal_;
  Parameter<std::uint64_t> expected_counter_;
  std::uint64_t received_ = 0;
};

/// Takes a batch of messages per tick and drops them.
class PingBatchRx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Input<> signal_;
  Parameter<std::int64_t> batch_size_;
  Parameter<bool> assert_full_batch_;
};

}  // namespace gxr::testing
