#pragma once

#include "gxf/std/codelet.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/transmitter.hpp"
#include "shared/sample.hpp"

namespace acme {
namespace shared {

// Types of another extension: its interface is the base here, its message type is sent.
class Multiply : public Scale {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  int64_t scaled(int64_t value) const override { return value * factor_; }

 private:
  nvidia::gxf::Parameter<int64_t> factor_;
};

class SampleTx : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t tick() override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Transmitter>> out_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<Scale>> scale_;
};

class SampleRx : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t tick() override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Receiver>> in_;
};

}  // namespace shared
}  // namespace acme
