#include "executors/tensor_preview.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "gxr/tensor.hpp"
#include "sdk/message_pool.hpp"

namespace gxr {
namespace {

/// A message with a tensor over these elements, which must outlive it.
template <class T>
Message message_with(MessagePool& pool, std::vector<T>& elements, const Shape& shape,
                     const Strides* strides = nullptr,
                     MemoryStorageType storage = MemoryStorageType::System) {
  Message message = pool.make();
  message.add<Tensor>("data").wrap(elements.data(), shape, ElementTypeOf<T>::value, storage,
                                   nullptr, nullptr, 0, strides);
  return message;
}

TEST_CASE("a small picture is shown as it is") {
  MessagePool pool;
  std::vector<std::uint8_t> elements{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255};
  const Preview preview = preview_of(message_with(pool, elements, {2, 2, 3}));
  CHECK(preview.why_not.empty());
  CHECK(preview.part == "data");
  CHECK(preview.shape == "[2, 2, 3]");
  CHECK(preview.type == "uint8");
  CHECK(preview.width == 2);
  CHECK(preview.height == 2);
  CHECK(preview.channels == 3);
  CHECK(preview.pixels == elements);
  CHECK(preview.low == 0);
  CHECK(preview.high == 255);
}

TEST_CASE("a large picture becomes small, and keeps its form") {
  MessagePool pool;
  constexpr int kRows = 1080;
  constexpr int kColumns = 1920;
  std::vector<std::uint16_t> elements(static_cast<std::size_t>(kRows) * kColumns);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<std::uint16_t>(i % kColumns);
  }
  const Preview preview = preview_of(message_with(pool, elements, {kRows, kColumns}));
  CHECK(preview.width == 320);
  CHECK(preview.height == 180);
  CHECK(preview.channels == 1);
  REQUIRE(preview.pixels.size() == std::size_t{320} * 180);
  // The middle of the first and of the last six columns are the least and greatest ones.
  CHECK(preview.low == 3);
  CHECK(preview.high == 1917);
  CHECK(preview.pixels.front() == 0);
  CHECK(preview.pixels[160] == 127);
  CHECK(preview.pixels.back() == 255);
}

TEST_CASE("channels may be in front, and strides and batches of one do not matter") {
  MessagePool pool;
  std::vector<std::uint8_t> planes{1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24};
  const std::vector<std::uint8_t> pixels{1, 11, 21, 2, 12, 22, 3, 13, 23, 4, 14, 24};
  CHECK(preview_of(message_with(pool, planes, {3, 2, 2})).pixels == pixels);
  CHECK(preview_of(message_with(pool, planes, {1, 3, 2, 2})).pixels == pixels);
  const Strides strides{2, 1, 4};  // the same memory as rows, columns, channels
  const Preview preview = preview_of(message_with(pool, planes, {2, 2, 3}, &strides));
  CHECK(preview.pixels == pixels);
}

TEST_CASE("what is no number is the darkest, and one value everywhere is dark") {
  MessagePool pool;
  const float infinite = std::numeric_limits<float>::infinity();
  std::vector<float> elements{std::nanf(""), -infinite, infinite, 1.0F, 2.0F, 3.0F};
  const Preview preview = preview_of(message_with(pool, elements, {2, 3}));
  CHECK(preview.low == 1);
  CHECK(preview.high == 3);
  CHECK(preview.pixels == std::vector<std::uint8_t>{0, 0, 255, 0, 127, 255});
  std::vector<double> same(6, 4.0);
  CHECK(preview_of(message_with(pool, same, {2, 3})).pixels == std::vector<std::uint8_t>(6, 0));
  same[2] = std::numeric_limits<double>::infinity();
  CHECK(preview_of(message_with(pool, same, {2, 3})).pixels == std::vector<std::uint8_t>(6, 0));
  const double greatest = std::numeric_limits<double>::max();
  std::vector<double> far{-greatest, greatest, 0, 1, -greatest, greatest};
  CHECK(preview_of(message_with(pool, far, {2, 3})).pixels == std::vector<std::uint8_t>(6, 0));
}

TEST_CASE("everything else is a line") {
  MessagePool pool;
  std::vector<std::int32_t> few{-3, 8, 5};
  const Preview preview = preview_of(message_with(pool, few, {3}));
  CHECK(preview.width == 0);
  CHECK(preview.values == std::vector<double>{-3, 8, 5});
  CHECK(preview.low == -3);
  CHECK(preview.high == 8);
  std::vector<float> many(100'000);
  for (std::size_t i = 0; i < many.size(); ++i) {
    many[i] = static_cast<float>(i);
  }
  const Preview thinned = preview_of(message_with(pool, many, {50, 2000, 1}));
  REQUIRE(thinned.width != 0);  // a picture with one channel
  const Preview line = preview_of(message_with(pool, many, {10, 10, 10, 10, 10}));
  REQUIRE(line.values.size() == 512);
  for (std::size_t i = 0; i < line.values.size(); ++i) {
    const std::size_t number = i * many.size() / 512;
    REQUIRE(line.values[i] == static_cast<double>(number));
  }
  std::vector<std::uint8_t> column{1, 2, 3};
  CHECK(preview_of(message_with(pool, column, {3, 1})).values == std::vector<double>{1, 2, 3});
}

TEST_CASE("numbers of half precision have their values") {
  MessagePool pool;
  // 1, -2, 65504, 2^-24, infinity
  std::vector<std::uint16_t> bits{0x3C00, 0xC000, 0x7BFF, 0x0001, 0x7C00};
  Message message = pool.make();
  message.add<Tensor>("").wrap(bits.data(), {5}, ElementType::Float16, MemoryStorageType::System,
                               nullptr, nullptr);
  const Preview preview = preview_of(message);
  REQUIRE(preview.values.size() == 5);
  CHECK(preview.values[0] == 1);
  CHECK(preview.values[1] == -2);
  CHECK(preview.values[2] == 65504);
  CHECK(preview.values[3] == std::ldexp(1.0, -24));
  CHECK(std::isinf(preview.values[4]));
  CHECK(preview.high == 65504);
}

TEST_CASE("what has no preview says why") {
  MessagePool pool;
  Message message = pool.make();
  message.add<int>("number", 1);
  CHECK(preview_of(message).why_not == "the message has no tensor");
  std::vector<std::complex<float>> complex(4);
  CHECK(preview_of(message_with(pool, complex, {2, 2})).why_not ==
        "elements of type complex64 have no preview");
  std::vector<float> numbers(4);
  CHECK(
      preview_of(message_with(pool, numbers, {2, 2}, nullptr, MemoryStorageType::Device)).why_not ==
      "the tensor is in device memory");
  message.add<Tensor>("empty");
  CHECK(preview_of(message).why_not == "the tensor is empty");
}

}  // namespace
}  // namespace gxr
