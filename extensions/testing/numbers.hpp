#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"
#include "gxr/unchecked_output.hpp"

namespace gxr::testing {

// Codelets that publish the same numbers every tick, in tensors of a pool: its block size must be
// that of the largest tensor, and the tensors of a tick take a block each.

/// On `integers` two tensors int32 [2, 3, 4]: "positive" 0, 1, … 23 and "negative" 0, -1, … -23. On
/// `fibonacci` a tensor float32 [8] of that name: 0, 1, 1, 2, … 13.
class Generator final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;
  void stop() override { output_.finish(*this); }

 private:
  void publish_integers();
  void publish_fibonacci();

  Output<> integers_;
  Output<> fibonacci_;
  Parameter<Handle<Allocator>> pool_;
  UncheckedOutput output_;
};

/// The factorial of a number, all digits of it: a tensor uint8 [digits] named "factorial" of
/// numbers from 0 to 9, the lowest digit first.
class ArbitraryPrecisionFactorial final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;
  void stop() override { output_.finish(*this); }

 private:
  Parameter<std::int32_t> digits_;
  Parameter<std::uint64_t> factorial_;
  Output<> result_;
  Parameter<Handle<Allocator>> pool_;
  UncheckedOutput output_;
};

/// sin(0) + sin(1) + … + sin(count - 1): a tensor float32 [1] named "sum".
class IntegerSinSum final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;
  void stop() override { output_.finish(*this); }

 private:
  Parameter<std::uint64_t> count_;
  Output<> result_;
  Parameter<Handle<Allocator>> pool_;
  UncheckedOutput output_;
};

}  // namespace gxr::testing
