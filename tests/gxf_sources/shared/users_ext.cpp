#include "gxf/std/extension_factory_helper.hpp"
#include "shared/users.hpp"

namespace acme {
namespace shared {

gxf_result_t Multiply::registerInterface(nvidia::gxf::Registrar* registrar) {
  return nvidia::gxf::ToResultCode(registrar->parameter(factor_, "factor", "Factor"));
}

gxf_result_t SampleTx::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(out_, "out", "Output");
  result &= registrar->parameter(scale_, "scale", "Scale", "Of any extension");
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t SampleTx::tick() {
  auto message = nvidia::gxf::Entity::New(context());
  if (!message) {
    return nvidia::gxf::ToResultCode(message);
  }
  auto sample = message.value().add<Sample>("sample");
  if (!sample) {
    return nvidia::gxf::ToResultCode(sample);
  }
  sample.value()->value = scale_->scaled(getExecutionCount());
  return nvidia::gxf::ToResultCode(out_->publish(message.value(), getExecutionTimestamp()));
}

gxf_result_t SampleRx::registerInterface(nvidia::gxf::Registrar* registrar) {
  return nvidia::gxf::ToResultCode(registrar->parameter(in_, "in", "Input"));
}

// Both receivers of a message add to it at the same time.
gxf_result_t SampleRx::tick() {
  auto message = in_->receive();
  if (!message) {
    return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
  }
  auto sample = message.value().get<Sample>();
  auto note = message.value().add<int64_t>(name());
  if (!sample || !note) {
    return GXF_FAILURE;
  }
  **note = sample.value()->value;
  const bool has_number = message.value().eid() > 0;
  return has_number && sample.value()->value == 3 * getExecutionCount() ? GXF_SUCCESS
                                                                        : GXF_INVALID_DATA_FORMAT;
}

}  // namespace shared
}  // namespace acme

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x4c8d3e70a91b42f1, 0xb52f60d7e3c84a11, "SharedUsers",
                         "Uses the types of another extension", "Acme", "1.0.0", "LICENSE");
GXF_EXT_FACTORY_ADD(0x4c8d3e70a91b42f2, 0xb52f60d7e3c84a12, acme::shared::Multiply,
                    acme::shared::Scale, "Multiplies samples");
GXF_EXT_FACTORY_ADD(0x4c8d3e70a91b42f3, 0xb52f60d7e3c84a13, acme::shared::SampleTx,
                    nvidia::gxf::Codelet, "Sends scaled samples");
GXF_EXT_FACTORY_ADD(0x4c8d3e70a91b42f4, 0xb52f60d7e3c84a14, acme::shared::SampleRx,
                    nvidia::gxf::Codelet, "Checks samples");
GXF_EXT_FACTORY_END()
