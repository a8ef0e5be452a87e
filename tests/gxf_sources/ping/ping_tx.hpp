#pragma once

#include "gxf/std/clock.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/transmitter.hpp"

namespace acme {
namespace ping {

// Sends a numbered message in every tick.
class PingTx : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Transmitter>> signal_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Clock>> clock_;
  nvidia::gxf::Parameter<int64_t> first_;
  nvidia::gxf::Parameter<size_t> payload_size_;

  int64_t sequence_ = 0;
};

}  // namespace ping
}  // namespace acme
