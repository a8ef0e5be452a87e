#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "differences.hpp"
#include "gxr/gxr.hpp"
#include "gxr/metric.hpp"

namespace gxr::testing::gxf {

/// Records the number of each tick, from 0, in GXF's nine metrics and fails when they do not make
/// of it what 100 ticks make. stop() compares; deinitialize() reports, since an error in stop() may
/// be passed over.
class TestMetricLogger final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;
  void deinitialize() override;

 private:
  static constexpr std::size_t kMetrics = 9;

  std::array<Parameter<Handle<Metric>>, kMetrics> metrics_;
  std::uint64_t next_ = 0;  // number of the next tick
  Differences differences_;
};

}  // namespace gxr::testing::gxf
