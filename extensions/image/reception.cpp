#include "image/reception.hpp"

namespace gxr::image {

Reception::Reception(Placement& placement, Receiver& in, std::string_view tensor_name) {
  if (placement.is_on_gpu(peek_storage(in.peek(0), tensor_name))) {
    gpu_.emplace(placement);
  }
  message_ = in.receive();
  image_ = find_image(message_, tensor_name, "in");
  if (!gpu_ && placement.is_on_gpu(image_.tensor->storage_type())) {
    // A queue that does not show its messages; receive() has waited for the work on this one.
    gpu_.emplace(placement);
    gpu_->use(message_);
  }
}

}  // namespace gxr::image
