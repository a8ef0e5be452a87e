#include "camera_source.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frame.hpp"
#include "transfer.hpp"

namespace nvidia {
namespace orchard {

namespace {

gxf::Expected<gxf::DistortionType> ParseDistortion(const std::string& word) {
  if (word == "perspective") {
    return gxf::DistortionType::Perspective;
  }
  if (word == "brown") {
    return gxf::DistortionType::Brown;
  }
  if (word == "polynomial") {
    return gxf::DistortionType::Polynomial;
  }
  if (word == "fisheye") {
    return gxf::DistortionType::FisheyeEquidistant;
  }
  return gxf::Unexpected{GXF_PARAMETER_OUT_OF_RANGE};
}

}  // namespace

gxf_result_t CameraSource::registerInterface(gxf::Registrar* registrar) {
  gxf::Expected<void> result;
  result &= registrar->parameter(signal_, "signal", "Signal", "Transmitter of the frames");
  result &= registrar->parameter(allocator_, "allocator", "Allocator", "Memory of the frames");
  result &=
      registrar->parameter(stream_pool_, "stream_pool", "Pool of CUDA streams",
                           "Gives the stream on which frames are uploaded",
                           gxf::Registrar::NoDefaultParameter(), GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(video_name_, "video_name", "Name of the frame",
                                 "Name of the VideoBuffer in a message", std::string("frame"));
  result &=
      registrar->parameter(formats_, "formats", "Formats",
                           "Formats of the frames, one after the other", {std::string("rgba")});
  result &= registrar->parameter(width_, "width", "Width", "Pixels in a row", 1920U);
  result &= registrar->parameter(height_, "height", "Height", "Rows of a frame", 1080U);
  result &= registrar->parameter(storage_type_, "storage_type", "Storage type",
                                 "Memory of the frames: 0 pinned, 1 device, 2 system",
                                 static_cast<int32_t>(gxf::MemoryStorageType::kSystem));
  result &=
      registrar->parameter(focal_length_, "focal_length", "Focal length", "In pixels, for x and y");
  result &= registrar->parameter(principal_point_, "principal_point", "Principal point",
                                 "In pixels, x and y");
  result &= registrar->parameter(skew_, "skew", "Skew", "Skew of the axes", 0.0f);
  result &=
      registrar->parameter(distortion_type_, "distortion_type", "Distortion type",
                           "perspective, brown, polynomial or fisheye", std::string("perspective"));
  result &=
      registrar->parameter(distortion_, "distortion", "Distortion", "At most 8 coefficients", {});
  result &=
      registrar->parameter(translation_, "translation", "Translation",
                           "Place of the camera, in metres", std::vector<double>{0.0, 0.0, 0.0});
  result &=
      registrar->parameter(pitch_, "pitch", "Pitch", "Rotation about the x axis, in radians", 0.0);
  return gxf::ToResultCode(result);
}

gxf_result_t CameraSource::initialize() {
  if (focal_length_.get().size() != 2 || principal_point_.get().size() != 2 ||
      translation_.get().size() != 3) {
    GXF_LOG_ERROR("%s: focal_length and principal_point have two numbers, translation has three",
                  name());
    return GXF_ARGUMENT_INVALID;
  }
  if (distortion_.get().size() >
      static_cast<size_t>(gxf::CameraModel::kMaxDistortionCoefficients)) {
    return GXF_ARGUMENT_OUT_OF_RANGE;
  }
  return gxf::ToResultCode(ParseDistortion(distortion_type_).assign_to(distortion_model_));
}

gxf_result_t CameraSource::start() {
  sequence_ = 0;
  for (const std::string& format : formats_.get()) {
    const auto layout = LayoutOf(format, width_, height_);
    if (!layout) {
      return layout.error();
    }
  }
  // Streams can be taken from here on: the pool may be initialized after this component.
  const auto pool = stream_pool_.try_get();
  if (pool) {
    auto stream = pool.value()->allocateStream();
    if (!stream) {
      GXF_LOG_ERROR("No stream: %s", GxfResultStr(stream.error()));
      return stream.error();
    }
    stream_ = stream.value();
    stream_cid_ = stream_.cid();
  }
  return GXF_SUCCESS;
}

gxf::Expected<void> CameraSource::addIntrinsics(gxf::Entity& message) const {
  auto model = message.add<gxf::CameraModel>("intrinsics");
  if (!model) {
    return gxf::ForwardError(model);
  }
  const auto& focal_length = focal_length_.get();
  const auto& principal_point = principal_point_.get();
  model.value()->dimensions = {width_, height_};
  model.value()->focal_length = {focal_length[0], focal_length[1]};
  model.value()->principal_point = {principal_point[0], principal_point[1]};
  model.value()->skew_value = skew_;
  model.value()->distortion_type = distortion_model_;
  std::fill(std::begin(model.value()->distortion_coefficients),
            std::end(model.value()->distortion_coefficients), 0.0f);
  std::copy(distortion_.get().begin(), distortion_.get().end(),
            std::begin(model.value()->distortion_coefficients));
  return gxf::Success;
}

gxf::Expected<void> CameraSource::addExtrinsics(gxf::Entity& message) const {
  auto pose = message.add<gxf::Pose3D>("extrinsics");
  if (!pose) {
    return gxf::ForwardError(pose);
  }
  const float sine = static_cast<float>(std::sin(pitch_.get()));
  const float cosine = static_cast<float>(std::cos(pitch_.get()));
  pose.value()->rotation = {1, 0, 0, 0, cosine, -sine, 0, sine, cosine};
  for (size_t i = 0; i < 3; ++i) {
    pose.value()->translation[i] = static_cast<float>(translation_.get()[i]);
  }
  return gxf::Success;
}

gxf::Expected<void> CameraSource::addFrame(gxf::Entity& message) {
  const auto& formats = formats_.get();
  const std::string& format = formats[static_cast<size_t>(sequence_) % formats.size()];
  auto frame = message.add<gxf::VideoBuffer>(video_name_.get().c_str());
  if (!frame) {
    return gxf::ForwardError(frame);
  }
  const auto storage = static_cast<gxf::MemoryStorageType>(storage_type_.get());
  auto allocated = AllocateFrame(format, frame.value(), width_, height_, storage, allocator_);
  if (!allocated) {
    GXF_LOG_ERROR("No memory for a frame '%s': %s", format.c_str(),
                  GxfResultStr(allocated.error()));
    return allocated;
  }
  const gxf::VideoBufferInfo info = frame.value()->video_frame_info();
  if (frame.value()->storage_type() == gxf::MemoryStorageType::kSystem) {
    FillFrame(info, sequence_, frame.value()->pointer());
    return gxf::Success;
  }
  if (stream_.is_null()) {
    GXF_LOG_ERROR("Frames outside of system memory need stream_pool");
    return gxf::Unexpected{GXF_ARGUMENT_NULL};
  }
  staging_.assign(frame.value()->size(), 0);
  FillFrame(info, sequence_, staging_.data());
  auto uploaded = Upload(frame.value()->pointer(), staging_.data(), staging_.size(), stream_);
  if (!uploaded) {
    return uploaded;
  }
  auto recorded = RecordEvent(message, stream_);
  if (!recorded) {
    return recorded;
  }
  // The consumer goes on in the order of the same stream.
  auto stream_id = message.add<gxf::CudaStreamId>("cuda_stream_id_");
  if (!stream_id) {
    return gxf::ForwardError(stream_id);
  }
  stream_id.value()->stream_cid = stream_cid_.value();
  return gxf::Success;
}

gxf_result_t CameraSource::tick() {
  auto message = gxf::Entity::New(context());
  if (!message) {
    return message.error();
  }
  gxf::Expected<void> result;
  result &= addFrame(message.value());
  result &= addIntrinsics(message.value());
  result &= addExtrinsics(message.value());
  if (!result) {
    return gxf::ToResultCode(result);
  }
  auto sequence = message.value().add<int64_t>("sequence_number");
  if (!sequence) {
    return sequence.error();
  }
  *sequence.value() = sequence_++;
  return gxf::ToResultCode(signal_->publish(message.value(), getExecutionTimestamp()));
}

gxf_result_t CameraSource::stop() {
  const auto pool = stream_pool_.try_get();
  if (pool && !stream_.is_null()) {
    const auto synced = stream_->syncStream();
    if (!synced) {
      return synced.error();
    }
    const auto released = pool.value()->releaseStream(stream_);
    stream_ = gxf::Handle<gxf::CudaStream>::Null();
    return gxf::ToResultCode(released);
  }
  return GXF_SUCCESS;
}

gxf_result_t CameraSource::deinitialize() {
  staging_.clear();
  return GXF_SUCCESS;
}

}  // namespace orchard
}  // namespace nvidia
