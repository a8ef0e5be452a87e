#include "dds/from_ros.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "dds/discontinuity.hpp"
#include "gxr/queue.hpp"
#include "sdk/engine_access.hpp"
#include "tests/unit/catch.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr;
using namespace gxr::dds;

/// A std_msgs/msg/UInt8 of this value; cut off before it without one.
Sample number(bool whole, std::uint8_t value) {
  auto bytes = std::make_shared<SampleBytes>(whole ? 1 : 0);
  if (whole) {
    *bytes->body() = std::byte{value};
  }
  return {find_by_name("std_msgs/msg/UInt8"), std::move(bytes)};
}

class Converter {
 public:
  Converter() {
    EngineAccess::connect(out_, sink_);
    harness_.initialize();
    converter_.start();
  }

  /// The message it publishes for such a sample, or a null message.
  Message run(bool whole, bool after_gap) {
    Message message = harness_.new_message();
    message.add<Sample>({}, number(whole, 7));
    if (after_gap) {
      mark_gap(message);
    }
    in_.push(std::move(message));
    harness_.tick(converter_, 0);
    sink_.sync();
    return sink_.pop();
  }

 private:
  harness::Harness harness_;
  DoubleBufferReceiver& in_ = harness_.add<DoubleBufferReceiver>("op/in");
  DoubleBufferTransmitter& out_ = harness_.add<DoubleBufferTransmitter>("op/out");
  DoubleBufferReceiver& sink_ = harness_.add<DoubleBufferReceiver>("sink/in");
  FromRos& converter_ = harness_.add<FromRos>("op/op", {{"in", "in"}, {"out", "out"}});
};

TEST_CASE("a gap stays with the message behind it, also when samples between the two are dropped") {
  Converter converter;
  CHECK_FALSE(follows_gap(converter.run(true, false)));
  const Message behind = converter.run(true, true);
  CHECK(follows_gap(behind));
  CHECK(behind.get<std::uint8_t>("data") == 7);
  CHECK_FALSE(follows_gap(converter.run(true, false)));

  CHECK_FALSE(converter.run(false, true));
  CHECK_FALSE(converter.run(false, false));
  CHECK(follows_gap(converter.run(true, false)));
  CHECK_FALSE(follows_gap(converter.run(true, false)));
}

}  // namespace
