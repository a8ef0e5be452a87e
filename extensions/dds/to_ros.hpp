#pragma once

#include <string>

#include "dds/message_type.hpp"
#include "dds/parts.hpp"
#include "dds/ros_times.hpp"
#include "gxr/codelet.hpp"
#include "gxr/port.hpp"

namespace gxr::dds {

/// Turns parts of messages into samples of ROS 2.
class ToRos final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;

 private:
  Input<> in_;
  Output<Sample> out_;
  Parameter<RosType> type_;
  Parameter<std::string> frame_id_;
  Parameter<std::string> child_frame_id_;
  Parameter<std::string> picture_;
  Parameter<std::string> encoding_;
  Parameter<Stamps> stamps_;

  bool has_warned_ = false;
};

}  // namespace gxr::dds
