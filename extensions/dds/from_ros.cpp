#include "dds/from_ros.hpp"

#include <new>
#include <string>
#include <utility>

#include "dds/discontinuity.hpp"
#include "dds/ros_reading.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"

namespace gxr::dds {

void FromRos::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages with a sample of ROS 2");
  interface.output(out_, "out", "Transmitter of what the samples hold")
      .description(
          "A sensor_msgs/msg/Image becomes a tensor 'image', with a gxr::image::BayerPattern for a "
          "mosaic; a sensor_msgs/msg/PointCloud2 a tensor for each field of its points; any other "
          "type a part for each field, called as the field. The header becomes a gxr::Timestamp "
          "'timestamp' and a gxr::dds::Text 'frame_id'.");
  interface
      .parameter(stamps_, "stamps", "What times of samples are",
                 "clock: turned into times of the application's clock. epoch: nanoseconds since "
                 "1970, as they are.")
      .default_value(Stamps::Clock);
  interface
      .parameter(bgr_, "bgr", "What becomes of pictures with the encodings bgr8, bgra8 and bgr16",
                 "turn: a tensor with red first, which all operators take; a copy. keep: a "
                 "gxr::VideoBuffer of the format, without a copy.")
      .default_value(BluesFirst::Turned);
}

void FromRos::start() {
  dropped_.clear();
  gap_ = false;
}

void FromRos::tick() {
  Message received = in_.receive();
  Message message = context().new_message();
  message.set_source_time(received.source_time());
  message.set_sequence(received.sequence());
  gap_ = gap_ || follows_gap(received);
  Sample sample = std::exchange(received.make_writable<Sample>(), Sample{});
  received.reset();
  try {
    read_ros(std::move(sample), RosTimes(stamps_.get(), context().clock_time()), bgr_.get(),
             message);
  } catch (const Error& error) {
    return drop(error.message());
  } catch (const std::bad_alloc&) {
    return drop("there is no memory for what it holds");
  }
  if (std::exchange(gap_, false)) {
    mark_gap(message);
  }
  out_.publish(std::move(message));
}

/// A sample of another program must not end this run.
void FromRos::drop(const std::string& reason) {
  if (dropped_.add({}, reason)) {
    log_warning("a message was dropped: " + reason + "; more may follow");
  }
}

void FromRos::stop() {
  if (const std::uint64_t dropped = dropped_.count(); dropped > 0) {
    log_info("dropped " + std::to_string(dropped) + (dropped == 1 ? " message" : " messages"));
  }
}

}  // namespace gxr::dds
