#pragma once

#include <string>
#include <vector>

#include "gxf/cuda/cuda_stream.hpp"
#include "gxf/cuda/cuda_stream_id.hpp"
#include "gxf/cuda/cuda_stream_pool.hpp"
#include "gxf/multimedia/camera.hpp"
#include "gxf/multimedia/video.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/parameter_parser_std.hpp"
#include "gxf/std/transmitter.hpp"

namespace nvidia {
namespace orchard {

// Makes frames with a known pattern, as a camera driver would: a VideoBuffer, the camera's model
// and pose, a running number and a Timestamp. Frames in system memory need no GPU. Others need a
// pool of streams.
class CameraSource : public gxf::Codelet {
 public:
  gxf_result_t registerInterface(gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;
  gxf_result_t deinitialize() override;

 private:
  gxf::Expected<void> addIntrinsics(gxf::Entity& message) const;
  gxf::Expected<void> addExtrinsics(gxf::Entity& message) const;
  gxf::Expected<void> addFrame(gxf::Entity& message);

  gxf::Parameter<gxf::Handle<gxf::Transmitter>> signal_;
  gxf::Parameter<gxf::Handle<gxf::Allocator>> allocator_;
  gxf::Parameter<gxf::Handle<gxf::CudaStreamPool>> stream_pool_;
  gxf::Parameter<std::string> video_name_;
  gxf::Parameter<std::vector<std::string>> formats_;
  gxf::Parameter<uint32_t> width_;
  gxf::Parameter<uint32_t> height_;
  gxf::Parameter<int32_t> storage_type_;
  gxf::Parameter<std::vector<float>> focal_length_;
  gxf::Parameter<std::vector<float>> principal_point_;
  gxf::Parameter<float> skew_;
  gxf::Parameter<std::string> distortion_type_;
  gxf::Parameter<std::vector<float>> distortion_;
  gxf::Parameter<std::vector<double>> translation_;
  gxf::Parameter<double> pitch_;

  gxf::DistortionType distortion_model_ = gxf::DistortionType::Perspective;
  gxf::Handle<gxf::CudaStream> stream_ = gxf::Handle<gxf::CudaStream>::Null();
  gxf::Expected<gxf_uid_t> stream_cid_ = gxf::Unexpected{GXF_UNINITIALIZED_VALUE};
  std::vector<byte> staging_;
  int64_t sequence_ = 0;
};

}  // namespace orchard
}  // namespace nvidia
