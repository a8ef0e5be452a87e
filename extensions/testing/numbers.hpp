#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Publishes 1, 2, 3, … and the Fibonacci numbers 1, 1, 2, …, each as a tensor of one uint64;
/// beyond 64 bits they wrap.
class Generator final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  void publish(Transmitter& transmitter, std::uint64_t number) const;

  Parameter<Handle<Transmitter>> integers_;
  Parameter<Handle<Transmitter>> fibonacci_;
  Parameter<Handle<Allocator>> pool_;
  std::uint64_t count_ = 0;
  std::uint64_t previous_ = 0;
  std::uint64_t current_ = 1;
};

/// Publishes the factorial of a number, all digits of it, once per tick: a tensor of `digits`
/// uint8 from 0 to 9, the highest digit first, with leading zeros.
class ArbitraryPrecisionFactorial final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<std::int32_t> digits_;
  Parameter<std::uint64_t> factorial_;
  Parameter<Handle<Transmitter>> result_;
  Parameter<Handle<Allocator>> pool_;
};

/// Publishes sin(1) + sin(2) + … + sin(count), once per tick: a tensor of one float64.
class IntegerSinSum final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<std::uint64_t> count_;
  Parameter<Handle<Transmitter>> result_;
  Parameter<Handle<Allocator>> pool_;
};

}  // namespace gxr::testing
