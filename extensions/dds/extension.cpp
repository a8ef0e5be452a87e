#include "dds/from_ros.hpp"
#include "dds/participant.hpp"
#include "dds/parts.hpp"
#include "dds/publisher.hpp"
#include "dds/subscriber.hpp"
#include "dds/to_ros.hpp"
#include "gxr/gxr.hpp"

void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::dds;
  extension.add<Participant>("How an application takes part in a domain of DDS");
  extension.add<Publisher>("Publishes messages on a topic of DDS");
  extension.add<Subscriber>("Publishes what comes on a topic of DDS");
  extension.add<FromRos>("Turns samples of ROS 2 into tensors, pictures, numbers and texts");
  extension.add<ToRos>("Turns tensors, pictures, numbers and texts into samples of ROS 2");
  extension.add_data<Sample>("A sample of a type of ROS 2 as it is on the wire");
  extension.add_data<Text>("A text in a message");
}
