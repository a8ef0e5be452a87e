#include "dds/acquaintances.hpp"

#include <chrono>
#include <string>
#include <vector>

#include "dds/cyclone/configuration.hpp"
#include "dds/losses.hpp"
#include "tests/unit/catch.hpp"

namespace {

using namespace gxr::dds;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

Endpoint end(bool writes, std::uint8_t number) {
  Endpoint endpoint;
  endpoint.guid[0] = number;
  endpoint.writes = writes;
  endpoint.topic = "rt/camera/image";
  endpoint.type = "sensor_msgs::msg::dds_::Image_";
  endpoint.type_hash = "RIHS01_a";
  endpoint.name = "e" + std::to_string(number);
  endpoint.process = "gxr 7";
  return endpoint;
}

/// What a subscriber says of these, once each.
std::vector<std::string> heard(const std::vector<Endpoint>& others,
                               const Endpoint& own = end(false, 1)) {
  std::vector<std::string> texts;
  Acquaintances acquaintances(own, [&](const std::string& text) { texts.push_back(text); });
  for (const Endpoint& other : others) {
    acquaintances.on_endpoint(other, true);
    acquaintances.on_endpoint(other, true);
  }
  return texts;
}

TEST_CASE("ends that agree say nothing") {
  Endpoint elsewhere = end(true, 3);
  elsewhere.topic = "rt/other";
  elsewhere.type = "std_msgs::msg::dds_::String_";
  CHECK(heard({end(true, 2), end(false, 4), elsewhere}).empty());
}

TEST_CASE("each quality that two ends cannot agree on is named with both") {
  const auto only = [](const Endpoint& other, const Endpoint& own) {
    const auto texts = heard({other}, own);
    return texts.size() == 1 ? texts[0] : std::string();
  };
  Endpoint writer = end(true, 2);
  Endpoint reader = end(false, 1);
  writer.qualities.reliability = Reliability::BestEffort;
  CHECK(only(writer, reader) ==
        "no messages go from the publisher 'e2' of gxr 7 to here on /camera/image: the publisher "
        "offers reliability best_effort, the subscriber asks for reliable");
  CHECK_THAT(only(reader, writer), ContainsSubstring("from here to the subscriber 'e1'"));

  reader.qualities.durability = Durability::TransientLocal;
  CHECK_THAT(only(writer, reader),
             ContainsSubstring("asks for reliable; the publisher offers durability volatile, the "
                               "subscriber asks for transient_local"));
  writer = end(true, 2);
  CHECK_THAT(only(writer, reader),
             ContainsSubstring(": the publisher offers durability volatile, the subscriber asks "
                               "for transient_local"));

  reader = end(false, 1);
  writer.qualities.ownership = Ownership::Exclusive;
  CHECK_THAT(only(writer, reader),
             ContainsSubstring("ownership exclusive, the subscriber asks for shared"));

  writer = end(true, 2);
  reader.qualities.deadline = 50ms;
  CHECK_THAT(only(writer, reader),
             ContainsSubstring("deadline none, the subscriber asks for 50 ms"));
  writer.qualities.deadline = 60ms;
  CHECK_THAT(only(writer, reader), ContainsSubstring("deadline 60 ms"));
  writer.qualities.deadline = 40ms;
  CHECK(only(writer, reader).empty());
}

TEST_CASE("settings without a parameter of gxr are named, too") {
  const auto reason = [](const auto& change) {
    Endpoint writer = end(true, 2);
    Endpoint reader = end(false, 1);
    change(writer.qualities, reader.qualities);
    const auto texts = heard({writer}, reader);
    return texts.size() == 1 ? texts[0].substr(texts[0].rfind(": ") + 2) : std::string();
  };
  CHECK(reason([](Qualities&, Qualities& wanted) {
          wanted.liveliness = Liveliness::ManualByTopic;
        }) == "the publisher offers liveliness automatic, the subscriber asks for manual_by_topic");
  CHECK(reason([](Qualities&, Qualities& wanted) { wanted.liveliness_lease = 500ms; }) ==
        "the publisher offers liveliness lease none, the subscriber asks for 500 ms");
  CHECK(reason([](Qualities& offered, Qualities&) { offered.latency_budget = 100ms; }) ==
        "the publisher offers latency budget 100 ms, the subscriber asks for none");
  CHECK(reason([](Qualities&, Qualities& wanted) { wanted.ordered_by_source = true; }) ==
        "the publisher offers destination order by reception, the subscriber asks for by source");
  CHECK(reason([](Qualities&, Qualities& wanted) { wanted.scope = AccessScope::Topic; }) ==
        "the publisher offers presentation instance, the subscriber asks for topic");
  CHECK(reason([](Qualities&, Qualities& wanted) { wanted.coherent = true; }) ==
        "the publisher offers coherent access false, the subscriber asks for true");
  CHECK(reason([](Qualities& offered, Qualities&) { offered.representations = {2}; }) ==
        "the publisher offers data representation XCDR2, the subscriber asks for XCDR1");
  CHECK(reason([](Qualities& offered, Qualities& wanted) {
          offered.representations = {2};
          wanted.representations = {0, 2};
          wanted.liveliness_lease = 1s;
          offered.liveliness_lease = 500ms;
        }).empty());
}

TEST_CASE("of many that do not fit, the first are named") {
  std::vector<Endpoint> others;
  for (std::uint8_t i = 2; i < 102; ++i) {
    others.push_back(end(true, i));
    others.back().qualities.reliability = Reliability::BestEffort;
  }
  const auto texts = heard(others);
  REQUIRE(texts.size() == 32);
  CHECK_THAT(texts.back(), ContainsSubstring("of others like this, none is named"));
}

TEST_CASE("the same topic by another name in DDS is another topic") {
  Endpoint writer = end(true, 2);
  writer.topic = "camera/image";
  writer.name = "two\nlines";
  const auto texts = heard({writer});
  REQUIRE(texts.size() == 1);
  CHECK_THAT(texts[0], ContainsSubstring("which are two topics in DDS, 'camera/image' and "
                                         "'rt/camera/image': no messages go between the two"));
  CHECK_THAT(texts[0], ContainsSubstring("'two\\x0alines'"));
}

TEST_CASE("what an end offers beyond the wish of the other is right") {
  Qualities writer;
  writer.durability = Durability::Persistent;
  Qualities reader;
  reader.reliability = Reliability::BestEffort;
  CHECK(disagreements(writer, reader).empty());
}

TEST_CASE("other types and other definitions are named") {
  Endpoint own_type = end(true, 2);
  own_type.topic = "camera/image";
  own_type.type = "gxr::v1::Message";
  own_type.type_hash.clear();
  Endpoint stranger = end(true, 3);
  stranger.type = "Shape";
  Endpoint newer = end(true, 4);
  newer.type_hash = "RIHS01_b";
  const auto texts = heard({own_type, stranger, newer});
  REQUIRE(texts.size() == 3);
  CHECK(texts[0] ==
        "the publisher 'e2' of gxr 7 sends gxr/v1/Message on /camera/image, and this subscriber "
        "takes sensor_msgs/msg/Image: no messages go between the two");
  CHECK_THAT(texts[1], ContainsSubstring("sends Shape on"));
  CHECK_THAT(texts[2], ContainsSubstring("theirs is RIHS01_b, ours is RIHS01_a"));
  CHECK_THAT(heard({stranger}, end(true, 1)).at(0), ContainsSubstring("no subscriber hears both"));
}

TEST_CASE("ends of other partitions are not meant") {
  Endpoint writer = end(true, 2);
  writer.qualities.reliability = Reliability::BestEffort;
  writer.qualities.partitions = {"left"};
  CHECK(heard({writer}).empty());
  Endpoint own = end(false, 1);
  own.qualities.partitions = {"l*"};
  CHECK(heard({writer}, own).size() == 1);
  writer.qualities.partitions = {"l*"};
  CHECK(heard({writer}, own).empty());  // two patterns
}

TEST_CASE("an end is called by its name, or else by its guid") {
  Acquaintances acquaintances(end(false, 1), [](const std::string&) {});
  Endpoint nameless = end(true, 0xab);
  CHECK(acquaintances.called(nameless.guid) ==
        "the publisher ab.00.00.00.00.00.00.00.00.00.00.00.00.00.00.00");
  nameless.name.clear();
  CHECK(nameless.called() == "the publisher of gxr 7");
  nameless.process.clear();
  CHECK(nameless.called() == acquaintances.called(nameless.guid));
  acquaintances.on_endpoint(end(true, 0xab), true);
  CHECK(acquaintances.called(nameless.guid) == "the publisher 'e171' of gxr 7");
}

TEST_CASE("losses are counted for each writer") {
  Losses losses;
  const Guid a{1};
  const Guid b{2};
  CHECK(losses.arrived(a, 5) == 0);  // the first that it hears of
  CHECK(losses.arrived(a, 6) == 0);
  CHECK(losses.arrived(b, 1) == 0);
  CHECK(losses.arrived(a, 10) == 3);
  CHECK(losses.arrived(a, 8) == 0);  // late
  CHECK(losses.arrived(a, 11) == 0);
  CHECK(losses.arrived(b, 0) == 0);  // not known
  losses.dropped(b);
  const auto writers = losses.writers();
  REQUIRE(writers.size() == 2);
  CHECK(writers[0].received == 5);
  CHECK(writers[0].lost == 3);
  CHECK(writers[1].dropped == 1);
  CHECK(losses.lost() == 3);
}

TEST_CASE("writers that come and go without end take no memory without end") {
  Losses losses;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    Guid guid{};
    guid[0] = static_cast<std::uint8_t>(i);
    guid[1] = static_cast<std::uint8_t>(i >> 8);
    losses.arrived(guid, 1);
  }
  CHECK(losses.writers().size() <= 1024);
}

TEST_CASE("a configuration has what the membership says, behind what the user says") {
  Membership membership;
  membership.peers = {"10.0.0.1", "a\"<b"};
  membership.interfaces = {"eth0", "127.0.0.1"};
  membership.multicast = false;
  membership.lease = 2s;
  membership.largest_packet = 65500;
  const std::string text = configuration(membership, "file:///etc/dds.xml");
  CHECK_THAT(text, ContainsSubstring(",file:///etc/dds.xml,<CycloneDDS>"));
  CHECK_THAT(text,
             ContainsSubstring("<Peer Address=\"10.0.0.1\"/><Peer Address=\"a&quot;&lt;b\"/>"));
  CHECK_THAT(text, ContainsSubstring("<NetworkInterface name=\"eth0\"/>"
                                     "<NetworkInterface address=\"127.0.0.1\"/>"));
  CHECK_THAT(text, ContainsSubstring("<AllowMulticast>false</AllowMulticast>"));
  CHECK_THAT(text, ContainsSubstring("<LeaseDuration>2000000000ns</LeaseDuration>"));
  CHECK_THAT(text, ContainsSubstring("<MaxMessageSize>65500B</MaxMessageSize>"));
}

}  // namespace
