#pragma once

#include "gxf/std/codelet.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/transmitter.hpp"

namespace acme {
namespace ping {

// Passes every message on as it is.
class Forward : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override {
    nvidia::gxf::Expected<void> result;
    result &= registrar->parameter(in_, "in", "Input", "Where messages come from");
    result &= registrar->parameter(out_, "out", "Output", "Where messages go");
    return nvidia::gxf::ToResultCode(result);
  }

  gxf_result_t tick() override {
    auto message = in_->receive();
    if (!message || message.value().is_null()) {
      return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
    }
    return nvidia::gxf::ToResultCode(out_->publish(message.value()));
  }

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Receiver>> in_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Transmitter>> out_;
};

}  // namespace ping
}  // namespace acme
