#pragma once

#include "gxf/std/codelet.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/transmitter.hpp"

namespace acme {
namespace recorder {

// Sends numbered notes.
class NoteSource : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Transmitter>> transmitter_;

  int64_t number_ = 0;
};

// Checks numbered notes.
class NoteCheck : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override { return GXF_SUCCESS; }
  gxf_result_t tick() override;
  gxf_result_t stop() override { return GXF_SUCCESS; }
  gxf_result_t deinitialize() override;

 private:
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Receiver>> receiver_;
  nvidia::gxf::Parameter<int64_t> first_;
  nvidia::gxf::Parameter<int64_t> end_;

  int64_t number_ = 0;
  gxf_uid_t last_note_ = kNullUid;  // of a message that has gone
};

}  // namespace recorder
}  // namespace acme
