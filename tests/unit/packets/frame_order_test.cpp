#include "gxr/cuda/frame_order.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "catch.hpp"

namespace gxr::test {

using cuda::FrameNumber;
using cuda::FrameOrder;
using Verdict = cuda::FrameOrder::Verdict;

namespace {

std::vector<Verdict> verdicts(FrameOrder& order, std::initializer_list<std::uint64_t> numbers) {
  std::vector<Verdict> found;
  for (const std::uint64_t number : numbers) {
    found.push_back(order.see(number));
  }
  return found;
}

}  // namespace

TEST_CASE("frames in order are in order, whatever the first number") {
  FrameOrder order(8);
  for (const Verdict verdict : verdicts(order, {100, 101, 102, 103})) {
    CHECK(verdict == Verdict::InOrder);
  }
  CHECK(order.counts.received == 4);
  CHECK(order.counts.lost == 0);
}

TEST_CASE("a gap is a loss until its frames come") {
  FrameOrder order(8);
  CHECK(verdicts(order, {0, 1, 5}).back() == Verdict::InOrder);
  CHECK(order.counts.lost == 3);
  CHECK(verdicts(order, {3}).back() == Verdict::Late);
  CHECK(order.counts.lost == 2);
  CHECK(order.counts.late == 1);
  CHECK(verdicts(order, {6}).back() == Verdict::InOrder);
  CHECK(order.counts.lost == 2);
}

TEST_CASE("a frame that comes again is repeated, also a late one") {
  FrameOrder order(8);
  static_cast<void>(verdicts(order, {0, 1, 3, 2}));
  CHECK(verdicts(order, {3}).back() == Verdict::Repeated);
  CHECK(verdicts(order, {2}).back() == Verdict::Repeated);
  CHECK(verdicts(order, {0}).back() == Verdict::Repeated);
  CHECK(order.counts.repeated == 3);
  CHECK(order.counts.lost == 0);
  CHECK(order.counts.late == 1);
}

TEST_CASE("a frame from before the first is late and was not lost") {
  FrameOrder order(8);
  CHECK(verdicts(order, {10, 8}).back() == Verdict::Late);
  CHECK(order.counts.lost == 0);
  CHECK(order.counts.late == 1);
  static_cast<void>(verdicts(order, {12, 9}));
  CHECK(order.counts.lost == 1);
}

TEST_CASE("numbers of few bytes begin anew at 0") {
  for (const std::uint32_t bytes : {2U, 4U}) {
    FrameOrder order(bytes);
    const std::uint64_t last = bytes == 2 ? 0xffff : 0xffffffff;
    CHECK(verdicts(order, {last - 1, last, 0, 2}).back() == Verdict::InOrder);
    CHECK(order.counts.lost == 1);
    CHECK(verdicts(order, {last}).back() == Verdict::Repeated);
    CHECK(verdicts(order, {1}).back() == Verdict::Late);
    CHECK(order.counts.lost == 0);
  }
}

TEST_CASE("the window is 64 numbers") {
  FrameOrder order(8);
  static_cast<void>(verdicts(order, {0, 64}));
  CHECK(order.counts.lost == 63);
  CHECK(verdicts(order, {1}).back() == Verdict::Late);
  CHECK(order.counts.lost == 62);
  // 0 is behind the window: it is not known that it came.
  CHECK(verdicts(order, {0}).back() == Verdict::Late);
  CHECK(order.counts.lost == 62);
  static_cast<void>(verdicts(order, {1000}));
  CHECK(order.counts.lost == 62 + 935);
}

TEST_CASE("a sender that begins anew is known by two numbers in a row") {
  FrameOrder order(8);
  static_cast<void>(verdicts(order, {5000, 5001}));
  CHECK(verdicts(order, {0}).back() == Verdict::Late);
  CHECK(verdicts(order, {1}).back() == Verdict::InOrder);
  CHECK(order.counts.restarts == 1);
  CHECK(verdicts(order, {2}).back() == Verdict::InOrder);
  CHECK(order.counts.lost == 0);
}

TEST_CASE("a single old frame does not begin anything") {
  FrameOrder order(8);
  static_cast<void>(verdicts(order, {5000, 0, 5001, 1, 5002}));
  CHECK(order.counts.restarts == 0);
  CHECK(order.counts.late == 2);
  CHECK(order.counts.lost == 0);
}

TEST_CASE("the farthest numbers apart are no overflow") {
  FrameOrder order(8);
  static_cast<void>(verdicts(order, {0, std::uint64_t{1} << 63U}));
  CHECK(order.counts.received == 2);
  CHECK(order.counts.late == 1);
}

TEST_CASE("a number is written and read in both orders") {
  std::array<std::byte, 12> frame{};
  for (const bool big_endian : {false, true}) {
    const FrameNumber number{3, 4, big_endian};
    number.write(frame.data(), 0x1'0203'0405);
    CHECK(number.read(frame.data()) == 0x02030405);
    CHECK(frame[3] == std::byte{big_endian ? std::uint8_t{2} : std::uint8_t{5}});
    CHECK(frame[2] == std::byte{0});
    CHECK(frame[7] == std::byte{0});
  }
  const FrameNumber whole{0, 8, true};
  whole.write(frame.data(), 0x0102030405060708);
  CHECK(frame[0] == std::byte{1});
  CHECK(whole.read(frame.data()) == 0x0102030405060708);
}

}  // namespace gxr::test
