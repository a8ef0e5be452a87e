#pragma once

#include <string>
#include <vector>

#include "boxes.hpp"
#include "gxf/core/entity.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/core/parameter.hpp"
#include "gxf/std/block_memory_pool.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/parameter_parser_std.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/transmitter.hpp"

namespace nvidia {
namespace meadow {

// Chooses the best boxes of all candidates, and sends them as a tensor and as a list of boxes.
class Detector : public gxf::Codelet {
 public:
  gxf_result_t registerInterface(gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;
  gxf_result_t deinitialize() override;

 private:
  struct Candidates {
    gxf::Handle<gxf::Tensor> scores;
    gxf::Handle<gxf::Tensor> boxes;
    gxf::Handle<gxf::Tensor> classes;
  };

  gxf::Expected<Candidates> findCandidates(const gxf::Entity& message) const;
  gxf::Expected<void> collect(const gxf::Entity& message, std::vector<Box>& boxes) const;
  gxf::Expected<gxf::Entity> makeResult(const std::vector<Box>& boxes) const;

  gxf::Parameter<gxf::Handle<gxf::Receiver>> image_;
  gxf::Parameter<std::vector<gxf::Handle<gxf::Receiver>>> inputs_;
  gxf::Parameter<gxf::Handle<gxf::Transmitter>> detections_;
  gxf::Parameter<gxf::Handle<gxf::BlockMemoryPool>> allocator_;
  gxf::Parameter<float> score_threshold_;
  gxf::Parameter<int32_t> max_detections_;
  gxf::Parameter<std::vector<std::string>> labels_;

  int64_t images_ = 0;
  int64_t pixels_ = 0;
};

}  // namespace meadow
}  // namespace nvidia
