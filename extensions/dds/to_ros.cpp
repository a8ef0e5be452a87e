#include "dds/to_ros.hpp"

#include <utility>
#include <vector>

#include "dds/encodings.hpp"
#include "dds/ros_writing.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"

namespace gxr::dds {

void ToRos::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages to turn into samples")
      .description(
          "The parts are those that gxr::dds::FromRos makes of the type. A field without a "
          "part is 0 or empty, and a part without a field is left out, which a warning "
          "says.");
  interface.output(out_, "out", "Transmitter of messages with one sample each").named("sample");
  interface.parameter(type_, "type", "Type of the samples, of ROS 2");
  interface
      .parameter(frame_id_, "frame_id", "Frame of messages without a part 'frame_id'",
                 "As 'camera': where the coordinates of the data belong.")
      .default_value("");
  interface
      .parameter(child_frame_id_, "child_frame_id",
                 "Child frame of transforms without a part 'child_frame_id'")
      .default_value("");
  interface
      .parameter(picture_, "picture", "Name of the tensor or picture that an Image is made of",
                 "Empty: the first of the message.")
      .default_value("");
  interface
      .parameter(encoding_, "encoding", "Encoding of an Image, as 'bgr8'",
                 "Of pixels of the same size; no byte is changed. Empty: that of the picture, by "
                 "its elements, format and mosaic.")
      .default_value("");
  interface
      .parameter(stamps_, "stamps", "What times of messages are",
                 "clock: times of the application's clock. epoch: nanoseconds since 1970.")
      .default_value(Stamps::Clock);
}

void ToRos::initialize() {
  const auto chosen = find_encoding(encoding_.get());
  if (!encoding_.get().empty() && (!chosen || chosen->arrangement != Arrangement::Same)) {
    throw Error(ErrorCode::InvalidParameter, "'encoding' cannot be '" + encoding_.get() +
                                                 "'; there are " + writable_encodings());
  }
  has_warned_ = false;
}

void ToRos::tick() {
  const Message received = in_.receive();
  received.wait_for_device();
  const RosDefaults defaults{frame_id_.get(), child_frame_id_.get(), picture_.get(),
                             encoding_.get()};
  std::vector<std::string> left_out;
  Message message = context().new_message();
  message.add<Sample>("sample",
                      write_ros(describe(type_.get()), received, defaults,
                                RosTimes(stamps_.get(), context().clock_time()), left_out));
  message.set_source_time(received.source_time());
  message.set_sequence(received.sequence());
  out_.publish(std::move(message));
  if (!left_out.empty() && !std::exchange(has_warned_, true)) {
    std::string names;
    for (const std::string& name : left_out) {
      names += (names.empty() ? "'" : ", '") + name + "'";
    }
    log_warning(describe(type_.get()).name + " has no field for " + names + " of the message");
  }
}

}  // namespace gxr::dds
