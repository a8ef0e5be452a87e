#include "detector.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <utility>

#include "gxf/std/timestamp.hpp"

namespace nvidia {
namespace meadow {

gxf_result_t Detector::registerInterface(gxf::Registrar* registrar) {
  gxf::Expected<void> result;
  result &=
      registrar->parameter(image_, "image", "Image", "Receiver of the images, if there are any",
                           gxf::Registrar::NoDefaultParameter(), GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(inputs_, "inputs", "Inputs", "Receivers of candidates");
  result &=
      registrar->parameter(detections_, "detections", "Detections", "Transmitter of the results");
  result &= registrar->parameter(allocator_, "allocator", "Allocator", "Memory of the results");
  result &= registrar->parameter(score_threshold_, "score_threshold", "Threshold",
                                 "The lowest score of a result", 0.5f);
  result &= registrar->parameter(max_detections_, "max_detections", "Largest number",
                                 "How many results a message has at most", 10);
  result &=
      registrar->parameter(labels_, "labels", "Labels", "Names of the classes",
                           gxf::Registrar::NoDefaultParameter(), GXF_PARAMETER_FLAGS_OPTIONAL);
  return gxf::ToResultCode(result);
}

gxf_result_t Detector::initialize() {
  images_ = 0;
  pixels_ = 0;
  if (max_detections_ < 1 || score_threshold_ < 0.0f) {
    GXF_LOG_ERROR("max_detections is %d, score_threshold %f", max_detections_.get(),
                  static_cast<double>(score_threshold_.get()));
    return GXF_PARAMETER_OUT_OF_RANGE;
  }
  if (inputs_.get().empty()) {
    return GXF_ARGUMENT_NULL;
  }
  return GXF_SUCCESS;
}

gxf_result_t Detector::start() {
  if (allocator_->num_blocks() < 2 ||
      allocator_->storage_type() != gxf::MemoryStorageType::kSystem) {
    GXF_LOG_ERROR("'%s' needs two blocks of system memory", allocator_->name());
    return GXF_ARGUMENT_INVALID;
  }
  for (const auto& input : inputs_.get()) {
    GXF_LOG_DEBUG("Candidates come from '%s'", input.name());
  }
  if (!image_.try_get()) {
    GXF_LOG_WARNING("There are no images");
  }
  return GXF_SUCCESS;
}

gxf_result_t Detector::stop() {
  GXF_LOG_INFO("detector: %" PRId64 " images of %" PRId64 " pixels", images_, pixels_);
  return GXF_SUCCESS;
}

gxf_result_t Detector::deinitialize() { return GXF_SUCCESS; }

// The tensors are found by their names.
gxf::Expected<Detector::Candidates> Detector::findCandidates(const gxf::Entity& message) const {
  const auto tensors = message.findAll<gxf::Tensor>();
  if (!tensors) {
    return gxf::ForwardError(tensors);
  }
  Candidates found;
  for (auto tensor : tensors.value()) {
    if (!tensor) {
      return gxf::Unexpected{GXF_FAILURE};
    }
    const std::string name = tensor.value().name();
    if (name == "scores") {
      found.scores = tensor.value();
    } else if (name == "boxes") {
      found.boxes = tensor.value();
    } else if (name == "classes") {
      found.classes = tensor.value();
    } else {
      GXF_LOG_WARNING("A tensor '%s' is not expected", name.c_str());
    }
  }
  if (found.scores.is_null() || found.boxes.is_null() || found.classes.is_null()) {
    GXF_LOG_ERROR("Of %zu tensors, some have other names", tensors.value().size());
    return gxf::Unexpected{GXF_ENTITY_COMPONENT_NOT_FOUND};
  }
  const int32_t count = found.scores->shape().dimension(0);
  if (found.boxes->rank() != 2 || found.boxes->shape().dimension(0) != count ||
      found.boxes->shape().dimension(1) != 4 || found.classes->shape().dimension(0) != count ||
      found.classes->element_type() != gxf::PrimitiveType::kInt32) {
    return gxf::Unexpected{GXF_INVALID_DATA_FORMAT};
  }
  return found;
}

gxf::Expected<void> Detector::collect(const gxf::Entity& message, std::vector<Box>& boxes) const {
  const auto candidates = findCandidates(message);
  if (!candidates) {
    return gxf::ForwardError(candidates);
  }
  float* scores = nullptr;
  float* corners = nullptr;
  int32_t* classes = nullptr;
  const auto read = candidates.value()
                        .scores->data<float>()
                        .assign_to(scores)
                        .and_then([&] { return candidates.value().boxes->data<float>(); })
                        .assign_to(corners)
                        .and_then([&] { return candidates.value().classes->data<int32_t>(); })
                        .assign_to(classes);
  if (!read) {
    GXF_LOG_ERROR("A tensor has another element type: %s", GxfResultStr(read.error()));
    return gxf::ForwardError(read);
  }
  for (int32_t i = 0; i < candidates.value().scores->shape().dimension(0); ++i) {
    if (scores[i] >= score_threshold_) {
      const float* corner = corners + 4 * i;
      boxes.push_back(Box{classes[i], scores[i], corner[0], corner[1], corner[2], corner[3]});
    }
  }
  return gxf::Success;
}

// A tensor of six columns for code that knows only tensors, and the boxes themselves.
gxf::Expected<gxf::Entity> Detector::makeResult(const std::vector<Box>& boxes) const {
  auto message = gxf::CreateTensorMap(
      context(), allocator_.get(),
      {gxf::TensorDescription{"detections", gxf::MemoryStorageType::kSystem,
                              gxf::Shape{max_detections_, 6}, gxf::PrimitiveType::kFloat32,
                              gxf::PrimitiveTypeSize(gxf::PrimitiveType::kFloat32)},
       gxf::TensorDescription{"count", gxf::MemoryStorageType::kSystem, gxf::Shape{1},
                              gxf::PrimitiveType::kInt64, sizeof(int64_t)}},
      false);
  if (!message) {
    return gxf::ForwardError(message);
  }
  const auto filled =
      message.value()
          .get<gxf::Tensor>("detections")
          .map([&](gxf::Handle<gxf::Tensor> tensor) {
            std::memset(tensor->pointer(), 0, tensor->size());
            return tensor->data<float>();
          })
          .map([&](float* row) {
            for (const Box& box : boxes) {
              const float values[6] = {
                  static_cast<float>(box.label), box.score, box.x, box.y, box.width, box.height};
              row = std::copy(std::begin(values), std::end(values), row);
            }
          })
          .and_then([&] { return message.value().get<gxf::Tensor>("count"); })
          .map([](gxf::Handle<gxf::Tensor> tensor) { return tensor->data<int64_t>(); })
          .map([&](int64_t* count) { *count = static_cast<int64_t>(boxes.size()); })
          .and_then([&] { return message.value().add<BoxList>("boxes"); })
          .map([&](gxf::Handle<BoxList> list) { list->boxes = boxes; });
  return filled.substitute(message.value());
}

gxf_result_t Detector::tick() {
  // The time of a result is that of the first input, or of the image.
  int64_t acqtime = 0;
  std::vector<Box> boxes;
  for (const auto& input : inputs_.get()) {
    auto message = input->receive();
    if (!message || message.value().is_null()) {
      GXF_LOG_ERROR("Nothing came on '%s'", input.name());
      return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
    }
    const auto collected = collect(message.value(), boxes);
    if (!collected) {
      return collected.error();
    }
    if (acqtime == 0) {
      const auto time =
          message.value()
              .get<gxf::Timestamp>("timestamp")
              .map([](gxf::Handle<gxf::Timestamp> timestamp) { return timestamp->acqtime; })
              .assign_to(acqtime);
      if (!time) {
        return gxf::ToResultCode(time);
      }
    }
  }
  if (const auto image = image_.try_get(); image && image.value()->size() > 0) {
    const auto message = image.value()->receive();
    if (!message) {
      return message.error();
    }
    const auto size = message.value().get<gxf::Shape>("image_size");
    if (!size) {
      return size.error();
    }
    ++images_;
    pixels_ = static_cast<int64_t>(size.value()->dimension(0)) * size.value()->dimension(1);
    const auto timestamp = message.value().get<gxf::Timestamp>();
    acqtime = timestamp ? timestamp.value()->acqtime : acqtime;
  }

  std::stable_sort(boxes.begin(), boxes.end(),
                   [](const Box& a, const Box& b) { return a.score > b.score; });
  if (boxes.size() > static_cast<size_t>(max_detections_.get())) {
    boxes.resize(static_cast<size_t>(max_detections_.get()));
  }
  if (const auto labels = labels_.try_get(); labels && !boxes.empty()) {
    const auto label = static_cast<size_t>(boxes.front().label);
    if (label >= labels->size()) {
      GXF_LOG_ERROR("There is no label for class %zu", label);
      return GXF_ARGUMENT_OUT_OF_RANGE;
    }
    if (isFirstTick()) {
      GXF_LOG_INFO("detector: %zu boxes, the best one is a %s", boxes.size(),
                   labels.value()[label].c_str());
    }
  }
  auto result = makeResult(boxes);
  if (!result) {
    return result.error();
  }
  return gxf::ToResultCode(detections_->publish(result.value(), acqtime));
}

}  // namespace meadow
}  // namespace nvidia
