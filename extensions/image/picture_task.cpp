#include "image/picture_task.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gxr/timestamp.hpp"
#include "image/converted.hpp"
#include "image/gpu_tick.hpp"
#include "image/picture_memory.hpp"

namespace gxr::image {
namespace {

/// Is everything in the message known, and none of it from a pool that could run out?
bool may_be_held(const Message& message, const Tensor& tensor) {
  const bool small_parts = std::all_of(message.begin(), message.end(), [&](const auto& part) {
    return part.data == &tensor || part.id == TypeIdOf<Timestamp>::value ||
           part.id == TypeIdOf<BayerPattern>::value;
  });
  return small_parts && dynamic_cast<const UnboundedAllocator*>(tensor.allocator()) != nullptr;
}

std::size_t number_of(const Message& message, const Tensor& tensor) {
  const auto* const found =
      std::find_if(message.begin(), message.end(),
                   [&](const detail::Part& part) { return part.data == &tensor; });
  return static_cast<std::size_t>(found - message.begin());
}

Tensor copy_of(const InputImage& image) {
  Tensor copy;
  allocate_on_host(copy, nullptr, tensor_shape(image.shape), image.type());
  visit_image(image, [&](auto from) {
    using T = ElementOf<decltype(from)>;
    copy_rows<T>(from, view_as<T>(copy, image.shape));
  });
  return copy;
}

}  // namespace

HeldPicture::HeldPicture(const Message& message, const InputImage& image, Message empty)
    : message_(std::move(empty)), image_(image) {
  image_ = reachable(image, nullptr, copy_);
  if (image_.tensor != image.tensor) {
    return;
  }
  if (may_be_held(message, *image.tensor)) {
    message_.share_part(message, number_of(message, *image.tensor));
    image_.tensor = &message_.get<Tensor>();
  } else {
    copy_ = copy_of(image);
    image_.tensor = &copy_;
  }
}

template <class T>
void PictureTask::encode_as() {
  file_.emplace(target_.path);
  write_picture(*file_, target_.format, converted<T>(picture_->image(), scratch_), target_.options);
  picture_.reset();
  scratch_ = {};
}

/// Pages get into their file one after the other.
void PictureTask::encode() {
  if (target_.pages != nullptr) {
    return;
  }
  if (target_.type == ElementType::UInt16) {
    encode_as<std::uint16_t>();
  } else {
    encode_as<std::uint8_t>();
  }
}

template <class T>
void PictureTask::add_page() {
  target_.pages->add(converted<T>(picture_->image(), scratch_), target_.options);
}

void PictureTask::finish() {
  if (target_.pages == nullptr) {
    return file_->commit();
  }
  if (target_.type == ElementType::UInt16) {
    add_page<std::uint16_t>();
  } else {
    add_page<std::uint8_t>();
  }
}

}  // namespace gxr::image
