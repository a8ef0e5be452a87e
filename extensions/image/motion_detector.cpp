#include "image/motion_detector.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gxr/kernels/luma.hpp"
#include "gxr/kernels/subtract.hpp"
#include "gxr/kernels/threshold.hpp"
#include "image/gpu_tick.hpp"
#include "image/limits.hpp"
#include "image/message_parts.hpp"
#include "image/picture_memory.hpp"
#include "image/picture_parameters.hpp"
#include "image/threshold.hpp"

namespace gxr::image {
namespace {

constexpr const char* kMotion = "motion";
constexpr const char* kBoxes = "boxes";

void add_results(const std::vector<kernels::Area>& areas, Message& output) {
  auto& motion = output.add<Tensor>(kMotion);
  allocate_on_host(motion, nullptr, Shape{1}, ElementType::Int32);
  *motion.data<std::int32_t>() = areas.empty() ? 0 : 1;
  auto& boxes = output.add<Tensor>(kBoxes);
  allocate_on_host(boxes, nullptr, Shape{static_cast<std::int32_t>(areas.size()), 4},
                   ElementType::Int32);
  auto* side = boxes.data<std::int32_t>();
  for (const kernels::Area& area : areas) {
    for (const std::int64_t place : {area.left, area.top, area.right, area.bottom}) {
      *side++ = static_cast<std::int32_t>(place);
    }
  }
}

/// A result of this name of an operator before would hide the own one.
void require_free_name(const Message& message, const char* name) {
  if (message.find<Tensor>(name) != nullptr) {
    throw Error(ErrorCode::InvalidData,
                "the message on 'in' has a tensor '" + std::string(name) +
                    "' already; a second MotionDetector, or a detector that uses this name, "
                    "belongs into another branch");
  }
}

}  // namespace

void MotionDetector::declare(Interface& interface) {
  takes_pictures(interface.input(in_, "in", "Receiver of messages with a picture"));
  sends_pictures(
      interface.output(out_, "out", "Transmitter of the same picture with what moves in it"))
      .description(
          "The tensor 'motion' is int32 [1]: 1 if anything moves, else 0. 'boxes' is int32 [n, 4]: "
          "left, top, right and bottom of each place, in pixels; right and bottom are the first "
          "column and row behind it. The picture is not copied.");
  declare_in_tensor_name(interface, in_tensor_name_);
  interface
      .parameter(level_, "threshold", "A pixel has changed if its grey value did by more",
                 "A part of full scale, above the noise of the camera. 0.1 is 25.5 of 8 bits.")
      .range(0.0, 1.0)
      .default_value(0.1);
  interface
      .parameter(min_area_, "min_area", "Least number of changed pixels of a place that moves",
                 "Places with fewer of them do not count.")
      .unit("pixels")
      .minimum(1)
      .default_value(200);
  interface
      .parameter(cell_, "cell", "Side of the squares in which changed pixels belong together",
                 "Squares with changed pixels that touch, also at a corner, are one place. With 1, "
                 "changed pixels themselves must touch.")
      .unit("pixels")
      .range(1, kMaxSide)
      .default_value(16);
}

void MotionDetector::initialize() { shape_ = {}; }

bool MotionDetector::take_grey(const InputImage& input) {
  const bool continues = input.shape.width == shape_.width && input.shape.height == shape_.height &&
                         input.type() == type_;
  shape_ = {input.shape.height, input.shape.width, 1};
  type_ = input.type();
  std::swap(grey_[0], grey_[1]);
  visit_image(input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    grey_[0].resize(static_cast<std::size_t>(shape_.width * shape_.height) * sizeof(T));
    if (in.channels == 1) {
      copy_rows<T>(in, view_of<T>(grey_[0]));
    } else {
      kernels::luma<T>(in, view_of<T>(grey_[0]), kernels::LumaStandard::kBt709);
    }
  });
  return continues;
}

std::vector<kernels::Area> MotionDetector::changes(const InputImage& input) {
  if (!take_grey(input)) {
    return {};
  }
  return visit_type(type_, [&](auto sample) {
    using T = decltype(sample);
    // The picture before is not needed any more: its memory becomes the mask.
    const kernels::ImageView<T> mask = view_of<T>(grey_[1]);
    kernels::subtract_absolute<T>(view_of<T>(grey_[0]), mask, mask);
    kernels::threshold<T>(mask, mask, threshold_rule<T>(level_.get(), false));
    return kernels::find_areas<T>(mask, cell_.get(), min_area_.get());
  });
}

void MotionDetector::tick() {
  const Message message = in_.receive();
  const InputImage image = find_image(message, in_tensor_name_.get(), "in");
  if (image.shape.channels == 2) {
    throw_wrong_image(image, "a grey, RGB or RGBA picture (1, 3 or 4 channels)");
  }
  refuse_raw_picture(image, "its neighbouring pixels saw different colours");
  require_free_name(message, kMotion);
  require_free_name(message, kBoxes);
  Tensor copy;
  const std::vector<kernels::Area> areas = changes(reachable(image, nullptr, copy));
  Message output = context().new_message();
  // The picture comes first, where consumers look for it.
  const auto* const begin = message.begin();
  for (std::size_t i = 0; i < message.size(); ++i) {
    if (begin[i].data == image.part) {
      output.share_part(message, i);
    }
  }
  pass_on(message, image, Geometry::Kept, output);
  add_results(areas, output);
  out_.publish(std::move(output));
}

}  // namespace gxr::image
