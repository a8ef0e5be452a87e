// Messages that consist of tensors.

#include "gxf/core/entity.hpp"
#include "gxf/std/tensor.hpp"

namespace nvidia::gxf {

Expected<Entity> CreateTensorMap(gxf_context_t context, Handle<Allocator> pool,
                                 std::initializer_list<TensorDescription> descriptions,
                                 bool activate) {
  Expected<Entity> message = Entity::New(context);
  if (!message) {
    return message;
  }
  for (const TensorDescription& description : descriptions) {
    const Expected<Handle<Tensor>> tensor = message.value().add<Tensor>(description.name.c_str());
    if (!tensor) {
      return ForwardError(tensor);
    }
    const Expected<void> allocated = tensor.value()->reshapeCustom(
        description.shape, description.element_type, description.bytes_per_element,
        description.strides, description.storage_type, pool);
    if (!allocated) {
      return ForwardError(allocated);
    }
  }
  if (activate) {
    const Expected<void> activated = message.value().activate();
    if (!activated) {
      return ForwardError(activated);
    }
  }
  return message;
}

}  // namespace nvidia::gxf
