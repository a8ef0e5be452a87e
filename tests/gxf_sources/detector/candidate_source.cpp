#include "candidate_source.hpp"

#include <cstring>

namespace nvidia {
namespace meadow {

namespace {

constexpr int32_t kCandidates = 4;
constexpr auto kStorage = gxf::MemoryStorageType::kSystem;

}  // namespace

gxf_result_t CandidateSource::registerInterface(gxf::Registrar* registrar) {
  gxf::Expected<void> result;
  result &= registrar->parameter(candidates_, "candidates", "Candidates",
                                 "Transmitter of the candidates");
  result &=
      registrar->parameter(image_, "image", "Image", "Transmitter of the size of the image",
                           gxf::Registrar::NoDefaultParameter(), GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(pool_, "pool", "Pool", "Memory of the tensors");
  result &= registrar->parameter(shift_, "shift", "Shift", "Added to x and y", 0.f);
  return gxf::ToResultCode(result);
}

gxf::Expected<void> CandidateSource::addTensors(gxf::Entity& message) {
  // The scores stay in this component's memory.
  auto scores = message.add<gxf::Tensor>("scores");
  if (!scores) {
    return gxf::ForwardError(scores);
  }
  const gxf::Shape row{kCandidates};
  auto wrapped = scores.value()->wrapMemory(
      row, gxf::PrimitiveType::kFloat32, gxf::PrimitiveTypeSize(gxf::PrimitiveType::kFloat32),
      gxf::ComputeTrivialStrides(row, sizeof(float)), kStorage, scores_.data(), nullptr);
  if (!wrapped) {
    return gxf::ForwardError(wrapped);
  }

  // The boxes, and in the same way the classes, come out of the pool.
  return message.add<gxf::Tensor>("boxes")
      .map([&](gxf::Handle<gxf::Tensor> boxes) {
        return boxes->reshape<float>(gxf::Shape{kCandidates, 4}, kStorage, pool_).substitute(boxes);
      })
      .map([&](gxf::Handle<gxf::Tensor> boxes) { return boxes->data<float>(); })
      .map([&](float* data) {
        for (int32_t i = 0; i < kCandidates; ++i) {
          const float box[4] = {shift_ + 10.0f * static_cast<float>(i),
                                shift_ + 20.0f * static_cast<float>(i),
                                5.0f + static_cast<float>(i), 6.0f + static_cast<float>(i)};
          std::memcpy(data + 4 * i, box, sizeof(box));
        }
      })
      .and_then([&] { return message.add<gxf::Tensor>("classes"); })
      .map([&](gxf::Handle<gxf::Tensor> classes) {
        return classes
            ->reshapeCustom(row, gxf::PrimitiveType::kInt32, sizeof(int32_t),
                            gxf::Unexpected{GXF_UNINITIALIZED_VALUE}, kStorage, pool_)
            .and_then([&] { return classes->data<int32_t>(); });
      })
      .map([&](int32_t* data) {
        for (int32_t i = 0; i < kCandidates; ++i) {
          data[i] = i % 3;
        }
      });
}

gxf_result_t CandidateSource::tick() {
  const int64_t acqtime = getExecutionCount() * 1000;
  auto message = gxf::Entity::New(context());
  if (!message) {
    return gxf::ToResultCode(message);
  }
  auto added = addTensors(message.value());
  if (!added) {
    GXF_LOG_ERROR("The tensors cannot be made: %s", GxfResultStr(added.error()));
    return added.error();
  }
  auto published = candidates_->publish(message.value(), acqtime);
  if (!published) {
    return published.error();
  }

  const auto image = image_.try_get();
  if (!image) {
    return GXF_SUCCESS;
  }
  auto frame = gxf::Entity::New(context());
  return gxf::ToResultCode(
      frame.map([](gxf::Entity entity) { return entity.add<gxf::Shape>("image_size"); })
          .map([](gxf::Handle<gxf::Shape> size) {
            *size = gxf::Shape{480, 640, 3};
          })
          .and_then([&] { return image.value()->publish(frame.value(), acqtime); }));
}

}  // namespace meadow
}  // namespace nvidia
