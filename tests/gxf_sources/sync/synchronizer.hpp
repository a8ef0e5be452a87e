#pragma once

#include <optional>
#include <utility>

#include "gxf/core/entity.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/std/codelet.hpp"
#include "gxf/std/eos.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/timestamp.hpp"
#include "gxf/std/transmitter.hpp"

namespace acme {
namespace sync {

// Joins messages of two inputs whose acquisition times differ by at most a tolerance. A message
// without partner is dropped. The end of both streams is passed on.
class Synchronizer : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;

 private:
  struct Head {
    bool end = false;
    int64_t acqtime = 0;
  };

  nvidia::gxf::Expected<std::optional<Head>> peekHead(
      const nvidia::gxf::Handle<nvidia::gxf::Receiver>& input);
  nvidia::gxf::Expected<void> publishPair();
  nvidia::gxf::Expected<void> drop(const nvidia::gxf::Handle<nvidia::gxf::Receiver>& input);

  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Receiver>> left_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Receiver>> right_;
  nvidia::gxf::Parameter<nvidia::gxf::Handle<nvidia::gxf::Transmitter>> output_;
  nvidia::gxf::Parameter<int64_t> tolerance_;

  int64_t dropped_ = 0;
};

}  // namespace sync
}  // namespace acme
