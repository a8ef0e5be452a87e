#include "image/mosaic.hpp"

#include <cstdint>
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

/// A mosaic of `in`, `second` and `third`.
class Three {
 public:
  explicit Three(const Rig::Parameters& own, const char* inputs = "[in, second, third]") {
    Rig::Parameters all{{"inputs", inputs}, {"out", "out"}, {"pool", "pool"}};
    all.insert(all.end(), own.begin(), own.end());
    mosaic_ = &rig.add<Mosaic>(all);
  }

  Message run(Message first, Message second, Message third) {
    second_.push(std::move(second));
    third_.push(std::move(third));
    return rig.run(*mosaic_, std::move(first));
  }
  Message grey(const Shape& shape, std::uint8_t value) {
    std::int64_t count = 1;
    for (std::uint32_t i = 0; i < shape.rank(); ++i) {
      count *= shape.dimension(i);
    }
    return rig.picture<std::uint8_t>(shape, Bytes(static_cast<std::size_t>(count), value));
  }

  Rig rig;

 private:
  DoubleBufferReceiver& second_ = rig.harness().add<DoubleBufferReceiver>("op/second");
  DoubleBufferReceiver& third_ = rig.harness().add<DoubleBufferReceiver>("op/third");
  Mosaic* mosaic_ = nullptr;
};

}  // namespace

TEST_CASE("Mosaic puts pictures beside and below each other", "[image]") {
  Three three({});
  Message first = three.grey({1, 2}, 1);
  first.add<Timestamp>("timestamp", Timestamp{0, 5});
  const Message out = three.run(std::move(first), three.grey({1, 2}, 2), three.grey({1, 2}, 3));
  CHECK(out.get<Tensor>("image").shape() == Shape{2, 4, 1});
  CHECK(values<std::uint8_t>(out.get<Tensor>("image")) == Bytes{1, 1, 2, 2, 3, 3, 0, 0});
  CHECK(out.get<Timestamp>().acqtime == 5);
}

TEST_CASE("Mosaic has as many columns as it is told", "[image]") {
  Three row(Rig::Parameters{{"columns", "3"}, {"out_tensor_name", "wall"}});
  CHECK(values<std::uint8_t>(row.run(row.grey({1, 1}, 1), row.grey({1, 1}, 2), row.grey({1, 1}, 3))
                                 .get<Tensor>("wall")) == Bytes{1, 2, 3});
  Three wide(Rig::Parameters{{"columns", "5"}});
  CHECK(values<std::uint8_t>(
            wide.run(wide.grey({1, 1}, 1), wide.grey({1, 1}, 2), wide.grey({1, 1}, 3))
                .get<Tensor>("image")) == Bytes{1, 2, 3, 0, 0});
  Three column(Rig::Parameters{{"columns", "1"}});
  CHECK(column.run(column.grey({1, 1}, 1), column.grey({1, 1}, 2), column.grey({1, 1}, 3))
            .get<Tensor>("image")
            .shape() == Shape{3, 1, 1});
}

TEST_CASE("Mosaic fits pictures of other sizes into their cells", "[image]") {
  Three three(Rig::Parameters{{"columns", "3"}});
  // The second is twice as large, the third as wide as high: it keeps that, between black.
  const Message out =
      three.run(three.grey({2, 4}, 1), three.grey({4, 8}, 2), three.grey({1, 1}, 3));
  CHECK(values<std::uint8_t>(out.get<Tensor>("image")) ==
        Bytes{1, 1, 1, 1, 2, 2, 2, 2, 0, 3, 3, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0, 3, 3, 0});
  Three cells(Rig::Parameters{{"cell_width", "2"}, {"cell_height", "1"}, {"columns", "1"}});
  CHECK(values<std::uint8_t>(
            cells.run(cells.grey({2, 4}, 1), cells.grey({1, 2}, 2), cells.grey({1000, 1}, 3))
                .get<Tensor>("image")) == Bytes{1, 1, 2, 2, 3, 0});
}

TEST_CASE("Mosaic refuses what does not fit together", "[image]") {
  Three three({});
  CHECK_THROWS_WITH(
      three.run(three.grey({1, 1}, 1), three.grey({1, 1, 3}, 1), three.grey({1, 1}, 1)),
      "tensor 'image' on 'second': wanted channels and elements like those of 'in', [1, 1, 1] "
      "uint8, got [1, 1, 3] uint8");
  Three other({});
  CHECK_THROWS_WITH(other.run(other.grey({1, 1}, 1), other.grey({1, 1}, 1),
                              other.rig.picture<float>({1, 1}, {1.0F})),
                    ContainsSubstring("on 'third': wanted channels and elements"));
  Three large(Rig::Parameters{{"cell_width", "40000"}});
  CHECK_THROWS_WITH(large.run(large.grey({1, 1}, 1), large.grey({1, 1}, 1), large.grey({1, 1}, 1)),
                    ContainsSubstring("would have 80000 x 2 pixels (width x height)"));
  CHECK_THROWS_WITH(Three({}, "[]"), ContainsSubstring("nothing to put side by side"));
}
