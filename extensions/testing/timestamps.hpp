#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Publishes a message per tick, acquired and published now.
class TestTimestampTx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  Parameter<Handle<Transmitter>> signal_;
  Parameter<Handle<Clock>> clock_;
  Transmitter* out_ = nullptr;
};

/// Takes a message per tick and fails unless its times lie in the past and do not go back.
class TestTimestampRx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  void check(const Timestamp& timestamp) const;

  Parameter<Handle<Receiver>> signal_;
  Parameter<Handle<Clock>> clock_;
  Receiver* in_ = nullptr;
  std::int64_t last_ = 0;
};

}  // namespace gxr::testing
