#include "camera_check.hpp"

#include <cinttypes>
#include <cmath>

#include "frame.hpp"
#include "gxf/cuda/cuda_stream.hpp"
#include "gxf/cuda/cuda_stream_id.hpp"
#include "gxf/multimedia/camera.hpp"
#include "gxf/multimedia/video.hpp"
#include "gxf/std/parameter_parser_std.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/timestamp.hpp"
#include "transfer.hpp"

namespace nvidia {
namespace orchard {

gxf_result_t CameraCheck::registerInterface(gxf::Registrar* registrar) {
  gxf::Expected<void> result;
  result &= registrar->parameter(signal_, "signal", "Signal", "Receiver of the frames");
  result &= registrar->parameter(formats_, "formats", "Formats",
                                 "Formats of the frames, one after the other");
  result &= registrar->parameter(video_name_, "video_name", "Name of the frame",
                                 "Name of the VideoBuffer in a message", std::string("frame"));
  result &= registrar->parameter(width_, "width", "Width");
  result &= registrar->parameter(height_, "height", "Height");
  result &= registrar->parameter(expected_count_, "expected_count");
  result &= registrar->parameter(verbose_, "verbose", "Verbose", "Logs every frame", false);
  return gxf::ToResultCode(result);
}

gxf_result_t CameraCheck::initialize() {
  count_ = 0;
  return GXF_SUCCESS;
}

gxf_result_t CameraCheck::start() {
  last_acqtime_ = 0;
  return GXF_SUCCESS;
}

gxf_result_t CameraCheck::checkModel(const gxf::Entity& message) {
  auto model = message.get<gxf::CameraModel>("intrinsics");
  if (!model) {
    return model.error();
  }
  if (model.value()->dimensions.x != width_ || model.value()->dimensions.y != height_ ||
      model.value()->focal_length.x != 30.5f || model.value()->focal_length.y != 31.0f ||
      model.value()->principal_point.x != 16.0f || model.value()->principal_point.y != 12.0f ||
      model.value()->skew_value != 0.25f) {
    GXF_LOG_ERROR("The intrinsics are wrong");
    return GXF_FAILURE;
  }
  if (model.value()->distortion_type != gxf::DistortionType::Brown ||
      model.value()->distortion_coefficients[0] != 0.5f ||
      model.value()->distortion_coefficients[2] != -0.125f ||
      model.value()->distortion_coefficients[7] != 0.0f) {
    GXF_LOG_ERROR("The distortion is wrong");
    return GXF_FAILURE;
  }
  auto pose = message.get<gxf::Pose3D>("extrinsics");
  if (!pose) {
    return pose.error();
  }
  if (pose.value()->translation != std::array<float, 3>{1.0f, 2.0f, -3.5f} ||
      pose.value()->rotation[0] != 1.0f || std::abs(pose.value()->rotation[7] - 1.0f) > 1e-6f) {
    GXF_LOG_ERROR("The pose is wrong");
    return GXF_FAILURE;
  }
  return GXF_SUCCESS;
}

gxf_result_t CameraCheck::checkFrame(const gxf::Entity& message) {
  auto frame = message.get<gxf::VideoBuffer>(video_name_.get().c_str());
  if (!frame) {
    GXF_LOG_ERROR("There is no frame '%s': %s", video_name_.get().c_str(),
                  GxfResultStr(frame.error()));
    return frame.error();
  }
  const std::string& format = formats_.get()[count_ % formats_.get().size()];
  const auto layout = LayoutOf(format, width_, height_);
  if (!layout) {
    return layout.error();
  }
  const gxf::VideoBufferInfo info = frame.value()->video_frame_info();
  if (info.width != width_ || info.height != height_ ||
      info.color_format != layout.value().format ||
      info.surface_layout != gxf::SurfaceLayout::GXF_SURFACE_LAYOUT_PITCH_LINEAR ||
      frame.value()->size() != layout.value().size ||
      info.color_planes.size() != layout.value().planes.size()) {
    GXF_LOG_ERROR("A frame '%s' is %ux%u, %" PRIu64 " bytes, %zu planes", format.c_str(),
                  info.width, info.height, frame.value()->size(), info.color_planes.size());
    return GXF_INVALID_DATA_FORMAT;
  }
  for (size_t i = 0; i < info.color_planes.size(); ++i) {
    const gxf::ColorPlane& plane = info.color_planes[i];
    const gxf::ColorPlane& expected = layout.value().planes[i];
    if (plane.stride != expected.stride || plane.offset != expected.offset ||
        plane.width != expected.width || plane.height != expected.height ||
        plane.bytes_per_pixel != expected.bytes_per_pixel || plane.size != expected.size) {
      GXF_LOG_ERROR("Plane %zu of a frame '%s' has stride %u, offset %u, size %" PRIu64, i,
                    format.c_str(), plane.stride, plane.offset, plane.size);
      return GXF_INVALID_DATA_FORMAT;
    }
  }

  const auto sequence = message.get<int64_t>("sequence_number");
  if (!sequence || *sequence.value() != static_cast<int64_t>(count_)) {
    GXF_LOG_ERROR("The sequence number is wrong");
    return GXF_FAILURE;
  }
  const byte* memory = frame.value()->pointer();
  std::vector<byte> downloaded;
  if (frame.value()->storage_type() != gxf::MemoryStorageType::kSystem) {
    const auto stream_id = message.get<gxf::CudaStreamId>("cuda_stream_id_");
    if (!stream_id) {
      return stream_id.error();
    }
    auto stream = gxf::Handle<gxf::CudaStream>::Create(context(), stream_id.value()->stream_cid);
    if (!stream) {
      return stream.error();
    }
    downloaded.resize(frame.value()->size());
    const auto done = Download(downloaded.data(), memory, downloaded.size(), stream.value());
    if (!done) {
      return done.error();
    }
    memory = downloaded.data();
  }
  if (!CheckFrame(info, *sequence.value(), memory)) {
    return GXF_FAILURE;
  }
  if (verbose_) {
    GXF_LOG_INFO("camera: frame %" PRIu64 " is %s: %ux%u, %zu planes, %" PRIu64 " bytes", count_,
                 format.c_str(), info.width, info.height, info.color_planes.size(),
                 frame.value()->size());
  }

  // A gray frame of rows without gaps is a tensor, too.
  if (format == "gray") {
    gxf::Tensor tensor;
    const byte* before = frame.value()->pointer();
    const auto moved = frame.value()->moveToTensor(&tensor);
    if (!moved || tensor.pointer() != before ||
        tensor.element_type() != gxf::PrimitiveType::kUnsigned8 ||
        tensor.element_count() != static_cast<uint64_t>(width_) * height_) {
      GXF_LOG_ERROR("The frame did not become a tensor");
      return GXF_FAILURE;
    }
  }
  return GXF_SUCCESS;
}

gxf_result_t CameraCheck::tick() {
  auto message = signal_->receive();
  if (!message || message.value().is_null()) {
    return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
  }
  const auto timestamp = message.value().get<gxf::Timestamp>("timestamp");
  if (!timestamp) {
    return timestamp.error();
  }
  if (!isFirstTick() && timestamp.value()->acqtime <= last_acqtime_) {
    GXF_LOG_ERROR("A frame at %" PRId64 " follows one at %" PRId64, timestamp.value()->acqtime,
                  last_acqtime_);
    return GXF_FAILURE;
  }
  last_acqtime_ = timestamp.value()->acqtime;
  gxf_result_t code = checkModel(message.value());
  if (code != GXF_SUCCESS) {
    return code;
  }
  code = checkFrame(message.value());
  if (code != GXF_SUCCESS) {
    return code;
  }
  ++count_;
  return GXF_SUCCESS;
}

gxf_result_t CameraCheck::stop() {
  GXF_LOG_INFO("camera: %" PRIu64 " frames", count_);
  return GXF_SUCCESS;
}

gxf_result_t CameraCheck::deinitialize() {
  if (count_ != expected_count_) {
    GXF_LOG_ERROR("Expected %" PRIu64 " frames, got %" PRIu64, expected_count_.get(), count_);
    return GXF_FAILURE;
  }
  return GXF_SUCCESS;
}

}  // namespace orchard
}  // namespace nvidia
