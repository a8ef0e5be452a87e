// The ends of a chain whose middle is a codelet of gxr: tensors carry the address of their own
// memory, so a copy on the way shows.

#include <cinttypes>
#include <cstdint>
#include <string>

#include "gxf/core/expected_macro.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/extension_factory_helper.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/transmitter.hpp"

namespace acme {
namespace mixed {

namespace gxf = nvidia::gxf;

/// Sends tensors of two numbers: the address of the first, and the number of the message.
class First : public gxf::Codelet {
 public:
  gxf_result_t registerInterface(gxf::Registrar* registrar) override {
    gxf::Expected<void> result;
    result &= registrar->parameter(out_, "out", "Out", "Sends the tensors");
    result &= registrar->parameter(allocator_, "allocator", "Allocator", "Memory of the tensors");
    return gxf::ToResultCode(result);
  }
  gxf_result_t tick() override {
    auto message = GXF_UNWRAP_OR_RETURN(gxf::Entity::New(context()));
    auto tensor = GXF_UNWRAP_OR_RETURN(message.add<gxf::Tensor>("numbers"));
    GXF_RETURN_IF_ERROR(
        tensor->reshape<std::int64_t>(gxf::Shape{2}, gxf::MemoryStorageType::kSystem, allocator_));
    auto* const numbers = GXF_UNWRAP_OR_RETURN(tensor->data<std::int64_t>());
    numbers[0] = reinterpret_cast<std::intptr_t>(numbers);
    numbers[1] = getExecutionCount();
    return gxf::ToResultCode(out_->publish(message));
  }

 private:
  gxf::Parameter<gxf::Handle<gxf::Transmitter>> out_;
  gxf::Parameter<gxf::Handle<gxf::Allocator>> allocator_;
};

/// Fails unless each tensor is where it was made, and its second number was doubled on the way.
class Last : public gxf::Codelet {
 public:
  gxf_result_t registerInterface(gxf::Registrar* registrar) override {
    return gxf::ToResultCode(registrar->parameter(in_, "in", "In", "Receives the tensors"));
  }
  gxf_result_t tick() override {
    auto message = GXF_UNWRAP_OR_RETURN(in_->receive());
    auto tensor = GXF_UNWRAP_OR_RETURN(message.get<gxf::Tensor>("numbers"));
    const auto* const numbers = GXF_UNWRAP_OR_RETURN(tensor->data<std::int64_t>());
    if (numbers[0] != reinterpret_cast<std::intptr_t>(numbers) ||
        numbers[1] != 2 * getExecutionCount()) {
      GXF_LOG_ERROR("the tensor of message %" PRId64 " was copied, or has the number %" PRId64,
                    static_cast<std::int64_t>(getExecutionCount()), numbers[1]);
      return GXF_FAILURE;
    }
    return GXF_SUCCESS;
  }
  gxf_result_t stop() override {
    GXF_LOG_INFO("%" PRId64 " tensors came without a copy",
                 static_cast<std::int64_t>(getExecutionCount()));
    return GXF_SUCCESS;
  }

 private:
  gxf::Parameter<gxf::Handle<gxf::Receiver>> in_;
};

}  // namespace mixed
}  // namespace acme

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x5b0a64c2f91e4d08, 0x9d37e1b5c6a2840f, "MixedExtension",
                         "Ends of a chain with a codelet of gxr", "Acme", "0.1.0", "Apache-2.0");
GXF_EXT_FACTORY_ADD(0x5b0a64c2f91e4d08, 0x9d37e1b5c6a28410, acme::mixed::First,
                    nvidia::gxf::Codelet, "Sends tensors that carry their address");
GXF_EXT_FACTORY_ADD(0x5b0a64c2f91e4d08, 0x9d37e1b5c6a28411, acme::mixed::Last, nvidia::gxf::Codelet,
                    "Fails when a tensor was copied");
GXF_EXT_FACTORY_END()
