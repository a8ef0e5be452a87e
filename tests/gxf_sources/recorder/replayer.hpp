#pragma once

#include <string>

#include "gxf/serialization/entity_serializer.hpp"
#include "gxf/serialization/file_stream.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/scheduling_terms.hpp"
#include "gxf/std/transmitter.hpp"

namespace acme {
namespace recorder {

// Sends what Recorder wrote, from a first message on.
class Replayer : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }
  gxf_result_t deinitialize() override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Transmitter>> transmitter_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::EntitySerializer>> serializer_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::BooleanSchedulingTerm>> more_;
  nvidia::gxf::Parameter<std::string> directory_;
  nvidia::gxf::Parameter<std::string> basename_;
  nvidia::gxf::Parameter<size_t> first_;

  nvidia::gxf::FileStream index_stream_;
  nvidia::gxf::FileStream entity_stream_;
};

}  // namespace recorder
}  // namespace acme
