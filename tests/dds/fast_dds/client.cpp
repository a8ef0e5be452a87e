/// An end of a topic by Fast DDS, on loopback: publishes samples with known values, or prints what
/// comes, one line a sample. tests/dds/fast_dds/fast_dds.py runs it against gxr.

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <poll.h>
#include <unistd.h>

#include "ownPubSubTypes.h"
#include "rosPubSubTypes.h"

namespace {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

using Image = sensor_msgs::msg::dds_::Image_;
using Imu = sensor_msgs::msg::dds_::Imu_;
using String = std_msgs::msg::dds_::String_;
using Transforms = tf2_msgs::msg::dds_::TFMessage_;
using Own = gxr::v1::Message;

constexpr const char* kLoopback = "127.0.0.1";
/// As many as gxr lets take part on one machine.
constexpr std::uint32_t kMostParticipants = 100;
constexpr int kDepth = 50;
constexpr std::chrono::seconds kLimit{60};
/// In place of 3 s, so that the test is quick.
const eprosima::fastrtps::Duration_t kOften{0, 50'000'000};

struct Options {
  std::uint32_t domain = 0;
  std::string type;
  std::string topic;
  bool best_effort = false;
  bool transient_local = false;
  int count = 1;
  std::string user_data;
  std::string bytes;     ///< of a sample, with its header, as hexadecimal digits
  std::string raw_type;  ///< as in DDS, with `bytes`
  bool hold = false;     ///< publish at once, and stay until standard input ends
  int repeat = 0;        ///< ms; publish again and again until standard input ends
};

// --- values --------------------------------------------------------------------------------------

void set_header(std_msgs::msg::dds_::Header_& header, int number) {
  header.stamp().sec(1'700'000'000 + number);
  header.stamp().nanosec(250'000'000);
  header.frame_id("frame" + std::to_string(number));
}

void set(Image& image, int number) {
  constexpr std::uint32_t kWidth = 4;
  constexpr std::uint32_t kHeight = 2;
  set_header(image.header(), number);
  image.height(kHeight);
  image.width(kWidth);
  image.encoding("rgb8");
  image.step(3 * kWidth);
  for (std::uint32_t i = 0; i < 3 * kWidth * kHeight; ++i) {
    image.data().push_back(static_cast<std::uint8_t>(i * 7 + static_cast<std::uint32_t>(number)));
  }
}

void set(String& text, int number) { text.data("text " + std::to_string(number) + " – äöü"); }

void set(geometry_msgs::msg::dds_::Vector3_& vector, double from) {
  vector.x(from + 0.5);
  vector.y(from + 1.5);
  vector.z(-from);
}

void set(geometry_msgs::msg::dds_::Quaternion_& rotation, double from) {
  rotation.x(from / 8);
  rotation.y(from / 16);
  rotation.z(-from / 32);
  rotation.w(1);
}

void set(Imu& imu, int number) {
  set_header(imu.header(), number);
  set(imu.orientation(), number);
  set(imu.angular_velocity(), number + 10.0);
  set(imu.linear_acceleration(), number + 20.0);
  for (std::size_t i = 0; i < imu.orientation_covariance().size(); ++i) {
    imu.orientation_covariance()[i] = static_cast<double>(i) / 4;
    imu.angular_velocity_covariance()[i] = static_cast<double>(i) / 8;
    imu.linear_acceleration_covariance()[i] = -static_cast<double>(i);
  }
}

void set(Transforms& transforms, int number) {
  for (int i = 0; i < 2; ++i) {
    geometry_msgs::msg::dds_::TransformStamped_ transform;
    set_header(transform.header(), number + i);
    transform.child_frame_id("child" + std::to_string(i));
    set(transform.transform().translation(), number + i);
    set(transform.transform().rotation(), number + i);
    transforms.transforms().push_back(transform);
  }
}

/// A tensor of 2 x 3 float32, a picture of 2 x 2 rgb8, and one of each other part. Neither aligned
/// nor padded.
void set(Own& message, int number) {
  constexpr std::int32_t kFloat32 = 9;
  constexpr std::int64_t kRgb = 17;
  constexpr std::size_t kOffset = 5;
  const std::array<float, 6> values = {0.5F, 1.5F, -2.0F, 3.25F, 1e6F, static_cast<float>(number)};
  gxr::v1::Tensor tensor;
  tensor.name("tensor");
  tensor.element_type(kFloat32);
  tensor.bytes_per_element(sizeof(float));
  tensor.shape({2, 3});
  tensor.offset(kOffset);
  message.data().resize(kOffset + sizeof(values));
  std::memcpy(message.data().data() + kOffset, values.data(), sizeof(values));
  message.tensors().push_back(tensor);

  gxr::v1::Plane plane;
  plane.color_space("RGB");
  plane.bytes_per_pixel(3);
  plane.stride(6);
  plane.width(2);
  plane.height(2);
  gxr::v1::Picture picture;
  picture.name("picture");
  picture.format(kRgb);
  picture.width(2);
  picture.height(2);
  picture.planes({plane});
  picture.offset(message.data().size());
  picture.size(12);
  for (std::uint8_t i = 0; i < 12; ++i) {
    message.data().push_back(static_cast<std::uint8_t>(200 + i));
  }
  message.pictures().push_back(picture);

  gxr::v1::Timestamp timestamp;
  timestamp.name("timestamp");
  timestamp.published(1000 + number);
  timestamp.acquired(500 + number);
  message.timestamps().push_back(timestamp);

  gxr::v1::Number value;
  value.name("count");
  value.type("int32");
  const std::int32_t count = -number;
  std::memcpy(value.value().data(), &count, sizeof(count));
  message.numbers().push_back(value);

  gxr::v1::Text text;
  text.name("note");
  text.value("number " + std::to_string(number));
  message.texts().push_back(text);
}

// --- lines ---------------------------------------------------------------------------------------

std::string hexadecimal(const std::uint8_t* bytes, std::size_t size) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] / 16];
    text += kDigits[bytes[i] % 16];
  }
  return text;
}

std::string line(const std_msgs::msg::dds_::Header_& header) {
  return std::to_string(header.stamp().sec()) + "." + std::to_string(header.stamp().nanosec()) +
         " '" + header.frame_id() + "'";
}

std::string line(const geometry_msgs::msg::dds_::Vector3_& vector) {
  return " [" + std::to_string(vector.x()) + " " + std::to_string(vector.y()) + " " +
         std::to_string(vector.z()) + "]";
}

std::string line(const geometry_msgs::msg::dds_::Quaternion_& rotation) {
  return " [" + std::to_string(rotation.x()) + " " + std::to_string(rotation.y()) + " " +
         std::to_string(rotation.z()) + " " + std::to_string(rotation.w()) + "]";
}

std::string line(const std::array<double, 9>& values) {
  std::string text = " [";
  for (const double value : values) {
    text += std::to_string(value) + " ";
  }
  return text + "]";
}

std::string line(const Image& image) {
  return line(image.header()) + " " + std::to_string(image.width()) + " x " +
         std::to_string(image.height()) + " " + image.encoding() + " " +
         std::to_string(image.is_bigendian()) + " " + std::to_string(image.step()) + " " +
         hexadecimal(image.data().data(), image.data().size());
}

std::string line(const String& text) { return text.data(); }

std::string line(const Imu& imu) {
  return line(imu.header()) + line(imu.orientation()) + line(imu.orientation_covariance()) +
         line(imu.angular_velocity()) + line(imu.angular_velocity_covariance()) +
         line(imu.linear_acceleration()) + line(imu.linear_acceleration_covariance());
}

std::string line(const Transforms& transforms) {
  std::string text;
  for (const auto& transform : transforms.transforms()) {
    text += line(transform.header()) + " '" + transform.child_frame_id() + "'" +
            line(transform.transform().translation()) + line(transform.transform().rotation()) +
            " ";
  }
  return text;
}

std::string slice(const Own& message, std::uint64_t offset, std::uint64_t size) {
  if (offset > message.data().size() || size > message.data().size() - offset) {
    return "outside of the data";
  }
  return hexadecimal(message.data().data() + offset, size);
}

std::string line(const Own& message) {
  std::string text;
  for (const gxr::v1::Tensor& tensor : message.tensors()) {
    std::uint64_t size = tensor.bytes_per_element();
    text += "tensor '" + tensor.name() + "' " + std::to_string(tensor.element_type()) + " [";
    for (const std::int32_t each : tensor.shape()) {
      text += std::to_string(each) + " ";
      size *= static_cast<std::uint64_t>(each);
    }
    text += "] " + slice(message, tensor.offset(), size) + "; ";
  }
  for (const gxr::v1::Picture& picture : message.pictures()) {
    text += "picture '" + picture.name() + "' " + std::to_string(picture.format()) + " " +
            std::to_string(picture.width()) + " x " + std::to_string(picture.height()) + " ";
    for (const gxr::v1::Plane& plane : picture.planes()) {
      text += plane.color_space() + " " + std::to_string(plane.bytes_per_pixel()) + " " +
              std::to_string(plane.stride()) + " " + std::to_string(plane.offset()) + " " +
              std::to_string(plane.width()) + " x " + std::to_string(plane.height()) + " ";
    }
    text += slice(message, picture.offset(), picture.size()) + "; ";
  }
  for (const gxr::v1::Timestamp& timestamp : message.timestamps()) {
    text += "timestamp '" + timestamp.name() + "' " + std::to_string(timestamp.acquired()) + "; ";
  }
  for (const gxr::v1::Number& number : message.numbers()) {
    text += number.type() + " '" + number.name() + "' " +
            hexadecimal(number.value().data(), number.value().size()) + "; ";
  }
  for (const gxr::v1::Text& each : message.texts()) {
    text += "text '" + each.name() + "' '" + each.value() + "'; ";
  }
  return text;
}

// --- ends ----------------------------------------------------------------------------------------

/// Any bytes as a sample of a type that is called so.
class RawType final : public dds::TopicDataType {
 public:
  explicit RawType(const std::string& name) {
    setName(name.c_str());
    m_typeSize = std::uint32_t{1} << 16;
  }
  bool serialize(void* data, rtps::SerializedPayload_t* payload) override {
    const auto& bytes = *static_cast<const std::vector<std::uint8_t>*>(data);
    std::memcpy(payload->data, bytes.data(), bytes.size());
    payload->length = static_cast<std::uint32_t>(bytes.size());
    return true;
  }
  bool deserialize(rtps::SerializedPayload_t* payload, void* data) override {
    static_cast<std::vector<std::uint8_t>*>(data)->assign(payload->data,
                                                          payload->data + payload->length);
    return true;
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] {
      return static_cast<std::uint32_t>(static_cast<std::vector<std::uint8_t>*>(data)->size());
    };
  }
  void* createData() override { return new std::vector<std::uint8_t>; }
  void deleteData(void* data) override { delete static_cast<std::vector<std::uint8_t>*>(data); }
  bool getKey(void* /*data*/, rtps::InstanceHandle_t* /*handle*/, bool /*md5*/) override {
    return false;
  }
};

template <class T>
T* check(T* made, const char* what) {
  if (made == nullptr) {
    throw std::runtime_error(std::string("Fast DDS cannot make ") + what);
  }
  return made;
}

class End {
 public:
  End(const Options& options, const dds::TypeSupport& type) : options_(options) {
    dds::DomainParticipantQos settings;
    settings.name("fast_dds_client");
    const auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    udp->interfaceWhiteList.emplace_back(kLoopback);
    udp->maxInitialPeersRange = kMostParticipants;
    settings.transport().use_builtin_transports = false;
    settings.transport().user_transports.push_back(udp);
    rtps::Locator_t peer;
    rtps::IPLocator::setIPv4(peer, kLoopback);
    settings.wire_protocol().builtin.initialPeersList.push_back(peer);
    settings.wire_protocol().builtin.discovery_config.leaseDuration_announcementperiod = kOften;
    participant_ = check(
        dds::DomainParticipantFactory::get_instance()->create_participant(options.domain, settings),
        "a participant");
    type.register_type(participant_);
    topic_ = check(
        participant_->create_topic(options.topic, type.get_type_name(), dds::TOPIC_QOS_DEFAULT),
        "a topic");
  }
  End(const End&) = delete;
  End& operator=(const End&) = delete;
  ~End() {
    participant_->delete_contained_entities();
    dds::DomainParticipantFactory::get_instance()->delete_participant(participant_);
  }

  dds::DataWriter* make_writer() {
    dds::DataWriterQos settings = dds::DATAWRITER_QOS_DEFAULT;
    set(settings);
    settings.reliable_writer_qos().times.heartbeatPeriod = kOften;
    settings.user_data().setValue(
        std::vector<rtps::octet>(options_.user_data.begin(), options_.user_data.end()));
    return check(check(participant_->create_publisher(dds::PUBLISHER_QOS_DEFAULT), "a publisher")
                     ->create_datawriter(topic_, settings),
                 "a writer");
  }

  dds::DataReader* make_reader() {
    dds::DataReaderQos settings = dds::DATAREADER_QOS_DEFAULT;
    set(settings);
    return check(check(participant_->create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT), "a subscriber")
                     ->create_datareader(topic_, settings),
                 "a reader");
  }

 private:
  template <class Settings>
  void set(Settings& settings) const {
    settings.reliability().kind =
        options_.best_effort ? dds::BEST_EFFORT_RELIABILITY_QOS : dds::RELIABLE_RELIABILITY_QOS;
    settings.durability().kind = options_.transient_local ? dds::TRANSIENT_LOCAL_DURABILITY_QOS
                                                          : dds::VOLATILE_DURABILITY_QOS;
    settings.history().kind = dds::KEEP_LAST_HISTORY_QOS;
    settings.history().depth = kDepth;
  }

  const Options& options_;
  dds::DomainParticipant* participant_ = nullptr;
  dds::Topic* topic_ = nullptr;
};

/// False: not within that time.
bool input_ends_within(int milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, milliseconds) > 0;
}

template <class Condition>
void wait_until(const char* what, const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      throw std::runtime_error(std::string("not within 60 s: ") + what);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void publish_all(const Options& options, End& end, const std::function<void*(int)>& sample) {
  dds::DataWriter* const writer = end.make_writer();
  const auto once = [&] {
    for (int number = 1; number <= options.count; ++number) {
      if (!writer->write(sample(number))) {
        throw std::runtime_error("Fast DDS cannot write");
      }
    }
  };
  if (options.repeat > 0) {
    for (once(); !input_ends_within(options.repeat);) {
      once();
    }
    return;
  }
  const auto is_matched = [&] {
    dds::PublicationMatchedStatus status;
    writer->get_publication_matched_status(status);
    return status.current_count > 0;
  };
  if (!options.hold) {
    wait_until("a subscriber", is_matched);
  }
  once();
  if (options.hold) {
    input_ends_within(-1);
    return;
  }
  wait_until("the subscriber takes everything, or ends", [&] {
    return !is_matched() ||
           writer->wait_for_acknowledgments({0, 100'000'000}) == ReturnCode_t::RETCODE_OK;
  });
}

template <class T>
void subscribe(const Options& options, End& end) {
  dds::DataReader* const reader = end.make_reader();
  wait_until("a publisher", [&] {
    dds::SubscriptionMatchedStatus status;
    reader->get_subscription_matched_status(status);
    return status.current_count > 0;
  });
  std::cout << "matched" << std::endl;
  int left = options.count;
  wait_until("the samples", [&] {
    T sample;
    dds::SampleInfo info;
    while (left > 0 && reader->take_next_sample(&sample, &info) == ReturnCode_t::RETCODE_OK) {
      if (info.valid_data) {
        std::cout << line(sample) << std::endl;
        --left;
      }
    }
    return left == 0;
  });
}

template <class T, class PubSubType>
void run(const Options& options, bool publishes) {
  End end(options, dds::TypeSupport(new PubSubType));
  if (!publishes) {
    subscribe<T>(options, end);
    return;
  }
  std::vector<T> samples(static_cast<std::size_t>(options.count));
  for (int number = 1; number <= options.count; ++number) {
    T& sample = samples[static_cast<std::size_t>(number - 1)];
    set(sample, number);
    std::cout << line(sample) << std::endl;
  }
  publish_all(options, end,
              [&](int number) { return &samples[static_cast<std::size_t>(number - 1)]; });
}

void publish_bytes(const Options& options) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < options.bytes.size(); i += 2) {
    const char* const digits = options.bytes.data() + i;
    std::uint8_t byte = 0;
    if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) {
      throw std::runtime_error("--bytes takes hexadecimal digits");
    }
    bytes.push_back(byte);
  }
  End end(options, dds::TypeSupport(new RawType(options.raw_type)));
  publish_all(options, end, [&](int) { return &bytes; });
}

void run(const Options& options, bool publishes) {
  if (!options.raw_type.empty()) {
    publish_bytes(options);
  } else if (options.type == "sensor_msgs/msg/Image") {
    run<Image, sensor_msgs::msg::dds_::Image_PubSubType>(options, publishes);
  } else if (options.type == "sensor_msgs/msg/Imu") {
    run<Imu, sensor_msgs::msg::dds_::Imu_PubSubType>(options, publishes);
  } else if (options.type == "std_msgs/msg/String") {
    run<String, std_msgs::msg::dds_::String_PubSubType>(options, publishes);
  } else if (options.type == "tf2_msgs/msg/TFMessage") {
    run<Transforms, tf2_msgs::msg::dds_::TFMessage_PubSubType>(options, publishes);
  } else {
    run<Own, gxr::v1::MessagePubSubType>(options, publishes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("An end of a topic by Fast DDS, on loopback");
  Options options;
  app.add_option("--domain", options.domain)->required();
  app.add_option("--topic", options.topic, "As in DDS")->required();
  app.add_option("--type", options.type)
      ->check(CLI::IsMember({"sensor_msgs/msg/Image", "sensor_msgs/msg/Imu", "std_msgs/msg/String",
                             "tf2_msgs/msg/TFMessage", "gxr/v1/Message"}));
  app.add_flag("--best-effort", options.best_effort);
  app.add_flag("--transient-local", options.transient_local);
  app.add_option("--count", options.count)->check(CLI::Range(1, kDepth));
  CLI::App* const publisher = app.add_subcommand("publish")->fallthrough();
  publisher->add_option("--user-data", options.user_data);
  publisher->add_option("--raw-type", options.raw_type, "Type, as in DDS, of --bytes");
  publisher->add_option("--bytes", options.bytes,
                        "A sample with its header, as hexadecimal digits");
  publisher->add_flag("--hold", options.hold, "Publish at once; stay until standard input ends");
  publisher->add_option("--repeat", options.repeat, "Every so many ms until standard input ends");
  app.add_subcommand("subscribe")->fallthrough();
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
    run(options, publisher->parsed());
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::cerr << "fast_dds_client: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
