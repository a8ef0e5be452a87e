#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "fake_gpu.hpp"
#include "gxr/type_provider.hpp"

namespace gxr::test {

/// What the operators share with a test.
class Switches {
 public:
  const std::shared_ptr<fake::Gate> hangs = std::make_shared<fake::Gate>();
  std::atomic<std::uint64_t> fails_at{~std::uint64_t{0}};
  std::atomic<std::uint64_t> hangs_at{~std::uint64_t{0}};

  void keep(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(number);
  }
  [[nodiscard]] std::vector<std::int64_t> kept() const {
    const std::lock_guard lock(mutex_);
    return kept_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::int64_t> kept_;
};

/// Types for graphs of numbers (int64), one in each message, in namespace gxr::test:
///
///     Count  out         1, 2, 3, …, one more in each iteration
///     Add    in, out     in + value (dynamic; a part of the kernel)
///     Scale  in, out     in * factor (dynamic; read from device memory)
///     Urgent in, out     in + value (dynamic; a part of the kernel) + 1000 * priority (the trait
///                        that its node was given)
///     Join   a, b, out   a + b
///     Less   in, out     int32: 1 when in < than, else 0
///     Fault  in, out     in; the device fails at Switches::fails_at
///     Hang   in, out     in; hangs at Switches::hangs_at, until the gate is opened
///     Ready  in, out     in; keeps in - 1000 when it prepares its capture
///     Give   in          gives the numbers to the Switches
///
/// And on the CPU Feed, which sends 1, 2, 3, …, or pictures (as_video), and Keep, which gives
/// numbers to the Switches.
TypeProvider operators(const std::shared_ptr<Switches>& switches);

}  // namespace gxr::test
