#pragma once

#include <cstdint>
#include <string>

#include "dds/bad_samples.hpp"
#include "dds/parts.hpp"
#include "dds/ros_reading.hpp"
#include "dds/ros_times.hpp"
#include "gxr/codelet.hpp"
#include "gxr/port.hpp"

namespace gxr::dds {

/// Turns samples of ROS 2 into the parts that gxr's operators take.
class FromRos final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  void drop(const std::string& reason);

  Input<Sample> in_;
  Output<> out_;
  Parameter<Stamps> stamps_;
  Parameter<BluesFirst> bgr_;

  BadSamples dropped_;
  bool gap_ = false;  // before the next message
};

}  // namespace gxr::dds
