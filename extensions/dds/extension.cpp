#include "dds/echo.hpp"
#include "dds/from_ros.hpp"
#include "dds/participant.hpp"
#include "dds/parts.hpp"
#include "dds/publisher.hpp"
#include "dds/sample_serializer.hpp"
#include "dds/subscriber.hpp"
#include "dds/to_ros.hpp"
#include "dds/topics.hpp"
#include "gxr/gxr.hpp"

void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::dds;
  extension.add<Participant>("How an application takes part in a domain of DDS");
  extension.add<Publisher>("Publishes messages on a topic of DDS");
  extension.add<Subscriber>("Publishes what comes on a topic of DDS");
  extension.add<FromRos>("Turns samples of ROS 2 into tensors, pictures, numbers and texts");
  extension.add<ToRos>("Turns tensors, pictures, numbers and texts into samples of ROS 2");
  extension.add<Echo>("Prints messages as YAML");
  extension.add<Topics, gxr::TopicBrowser>("Finds topics of DDS for gxr list topics and gxr echo");
  extension.add<SampleSerializer, gxr::ComponentSerializer>(
      "Writes samples of ROS 2 and texts into recordings, and reads them");
  extension.add_data<Sample>("A sample of a type of ROS 2 as it is on the wire");
  extension.add_data<Text>("A text in a message");
}
