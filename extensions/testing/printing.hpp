#pragma once

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Takes a message per tick and drops it.
class Pop final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override { message_.receive(); }

 private:
  Input<> message_;
};

/// Takes a message per tick and logs its parts; the values of tensors and timestamps too.
class Print final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Input<> message_;
};

/// Takes a message per tick and logs its tensors.
class PrintTensor final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Input<> tensors_;
  Parameter<bool> silent_;
};

}  // namespace gxr::testing
