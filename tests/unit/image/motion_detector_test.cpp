#include "image/motion_detector.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catch.hpp"
#include "gxr/timestamp.hpp"
#include "tests/unit/image/rig.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::int32_t>;

class Detector {
 public:
  explicit Detector(const Rig::Parameters& own) {
    Rig::Parameters all{{"in", "in"}, {"out", "out"}};
    all.insert(all.end(), own.begin(), own.end());
    detector_ = &rig.add<MotionDetector>(all);
  }

  /// The boxes that are found.
  template <class T>
  Numbers see(const Shape& shape, const std::vector<T>& pixels) {
    last = rig.run(*detector_, rig.picture<T>(shape, pixels));
    const auto& motion = last.get<Tensor>("motion");
    const auto& boxes = last.get<Tensor>("boxes");
    CHECK(motion.shape() == Shape{1});
    CHECK(boxes.shape() == Shape{static_cast<std::int32_t>(boxes.element_count() / 4), 4});
    CHECK(values<std::int32_t>(motion) == Numbers{boxes.element_count() > 0 ? 1 : 0});
    return values<std::int32_t>(boxes);
  }
  Message run(Message message) { return rig.run(*detector_, std::move(message)); }

  Rig rig;
  Message last;

 private:
  MotionDetector* detector_ = nullptr;
};

const Rig::Parameters kExact{{"min_area", "1"}, {"cell", "1"}};

}  // namespace

TEST_CASE("MotionDetector says where a picture has changed", "[image]") {
  Detector detector(kExact);
  CHECK(detector.see<std::uint8_t>({2, 4}, Bytes(8, 50)).empty());
  CHECK(detector.see<std::uint8_t>({2, 4}, {50, 50, 50, 50, 50, 50, 99, 99}) ==
        Numbers{2, 1, 4, 2});
  CHECK(detector.see<std::uint8_t>({2, 4}, {50, 50, 50, 50, 50, 50, 99, 99}).empty());
  CHECK(detector.see<std::uint8_t>({2, 4}, {0, 50, 50, 50, 50, 50, 99, 0}) ==
        Numbers{0, 0, 1, 1, 3, 1, 4, 2});
}

TEST_CASE("MotionDetector's threshold and least area", "[image]") {
  Detector detector({{"threshold", "0.1"}, {"min_area", "2"}, {"cell", "1"}});
  detector.see<std::uint8_t>({1, 4}, {0, 0, 0, 0});
  // 25 is not above 0.1 of 255, 26 is.
  CHECK(detector.see<std::uint8_t>({1, 4}, {25, 25, 25, 25}).empty());
  CHECK(detector.see<std::uint8_t>({1, 4}, {51, 51, 25, 51}) == Numbers{0, 0, 2, 1});
}

TEST_CASE("MotionDetector joins what is in neighbouring cells", "[image]") {
  Detector detector({{"min_area", "2"}, {"cell", "2"}});
  detector.see<std::uint8_t>({1, 6}, Bytes(6, 0));
  CHECK(detector.see<std::uint8_t>({1, 6}, {90, 0, 0, 90, 0, 0}) == Numbers{0, 0, 4, 1});
  detector.see<std::uint8_t>({1, 6}, Bytes(6, 0));
  CHECK(detector.see<std::uint8_t>({1, 6}, {90, 0, 0, 0, 0, 90}).empty());
}

TEST_CASE("MotionDetector takes colours and all elements", "[image]") {
  Detector detector(kExact);
  detector.see<std::uint16_t>({1, 2, 3}, {0, 0, 0, 0, 0, 0});
  CHECK(detector.see<std::uint16_t>({1, 2, 3}, {0, 0, 0, 0, 20000, 0}) == Numbers{1, 0, 2, 1});
  // Another size or type begins anew.
  CHECK(detector.see<float>({1, 2}, {0.0F, 1.0F}).empty());
  CHECK(detector.see<float>({1, 2}, {1.0F, 1.0F}) == Numbers{0, 0, 1, 1});
  CHECK(detector.see<float>({2, 1}, {0.0F, 0.0F}).empty());
  CHECK(detector.see<float>({2, 1, 4}, {1, 1, 1, 0, 0, 0, 0, 1}) == Numbers{0, 0, 1, 1});
}

TEST_CASE("MotionDetector passes the picture on, first and without a copy", "[image]") {
  Detector detector(kExact);
  Message in = detector.rig.picture<std::uint8_t>({1, 2}, {1, 2}, "view");
  in.add<Timestamp>("timestamp", Timestamp{1, 2});
  in.set_sequence(7);
  const void* const pixels = in.get<Tensor>().pointer();
  const Message out = detector.run(std::move(in));
  CHECK(out.get<Tensor>().pointer() == pixels);
  CHECK(out.get<Tensor>("view").pointer() == pixels);
  CHECK(out.get<Timestamp>().acqtime == 2);
  CHECK(out.sequence() == 7);
}

TEST_CASE("MotionDetector refuses what it cannot compare", "[image]") {
  Detector detector(kExact);
  CHECK_THROWS_WITH(detector.run(detector.rig.picture<std::uint8_t>({1, 1, 2}, {1, 2})),
                    "tensor 'image' on 'in': wanted a grey, RGB or RGBA picture (1, 3 or 4 "
                    "channels), got [1, 1, 2] uint8");
  Message raw = detector.rig.picture<std::uint8_t>({2, 2}, {1, 2, 3, 4});
  raw.add<BayerPattern>({}, BayerPattern{kernels::BayerPattern::kRggb});
  CHECK_THROWS_WITH(detector.run(std::move(raw)), ContainsSubstring("demosaic it first"));
  CHECK_THROWS_WITH(detector.run(detector.rig.picture<std::uint8_t>({2, 2}, {1, 2, 3, 4}, "boxes")),
                    ContainsSubstring("has a tensor 'boxes' already"));
}
