#include "image/message_parts.hpp"

#include <memory>

#include "gxr/allocator.hpp"
#include "gxr/error.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"

namespace gxr::image {
namespace {

Strides strides_of(const Tensor& tensor) {
  Strides strides{};
  for (std::uint32_t i = 0; i < tensor.rank(); ++i) {
    strides[i] = tensor.stride(i);
  }
  return strides;
}

/// The memory of a tensor that a message keeps alive, for one other tensor over it. Takes itself
/// out of the world with that one; the device work that used it is then known to the message's
/// tensor, so that nobody waits.
class SharedMemory final : public Allocator {
 public:
  SharedMemory(const Message& owner, Tensor& tensor) : owner_(owner), tensor_(tensor) {}

  void* allocate(std::size_t, MemoryStorageType) override {
    throw Error(ErrorCode::NotSupported, "memory that is shared cannot be allocated");
  }
  void free(void*) override { delete this; }
  void free_after(void*, const DeviceUsers& users) override {
    users.for_each([this](DeviceStream& user) { tensor_.add_device_user(user); });
    delete this;
  }
  [[nodiscard]] bool is_available(std::size_t) const override { return false; }

 private:
  const Message owner_;
  Tensor& tensor_;  // in owner_
};

/// A tensor over the memory of one in `input`, which lives until the last such tensor is gone.
void share_tensor(const Message& input, const detail::Part& part, Message& output) {
  auto& tensor = *static_cast<Tensor*>(part.data);
  const Strides strides = strides_of(tensor);
  auto memory = std::make_unique<SharedMemory>(input, tensor);
  output.add<Tensor>(part.name).adopt(*memory, tensor.pointer(), tensor.shape(),
                                      tensor.element_type(), tensor.storage_type(),
                                      tensor.bytes_per_element(), &strides);
  static_cast<void>(memory.release());
}

template <class T>
void copy_part(const detail::Part& part, Message& output) {
  output.add<T>(part.name, *static_cast<const T*>(part.data));
}

}  // namespace

void pass_on(const Message& input, const Tensor& processed, Geometry geometry, Message& output) {
  output.set_source_time(input.source_time());
  output.set_sequence(input.sequence());
  for (const detail::Part& part : input) {
    if (part.id == TypeIdOf<Timestamp>::value) {
      copy_part<Timestamp>(part, output);
    } else if (part.id == TypeIdOf<BayerPattern>::value && geometry == Geometry::Kept) {
      copy_part<BayerPattern>(part, output);
    } else if (part.id == TypeIdOf<Tensor>::value && part.data != &processed) {
      share_tensor(input, part, output);
    }
  }
}

}  // namespace gxr::image
