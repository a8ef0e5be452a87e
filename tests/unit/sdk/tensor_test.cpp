#include "gxr/tensor.hpp"

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::harness::code_of;
using gxr::harness::Harness;
using gxr::harness::kSystem;

namespace {

constexpr std::int32_t kHuge = std::numeric_limits<std::int32_t>::max();

struct Released {
  int times = 0;
  void* pointer = nullptr;
};

void note_release(void* owner, void* pointer) noexcept {
  auto& released = *static_cast<Released*>(owner);
  ++released.times;
  released.pointer = pointer;
}

std::vector<std::uint64_t> strides_of(const Tensor& tensor) {
  std::vector<std::uint64_t> strides;
  for (std::uint32_t i = 0; i < tensor.rank(); ++i) {
    strides.push_back(tensor.stride(i));
  }
  return strides;
}

Tensor view(std::vector<float>& data, const Shape& shape) {
  Tensor tensor;
  tensor.wrap(data.data(), shape, ElementType::Float32, kSystem, nullptr, nullptr);
  return tensor;
}

}  // namespace

TEST_CASE("Shapes have rank 0 to 8", "[tensor]") {
  CHECK(Shape{}.rank() == 0);
  CHECK(Shape{}.element_count() == 1);
  CHECK(Shape{}.dimension(0) == 0);
  CHECK(Shape{}.to_string() == "[]");
  const Shape shape{480, 640, 3};
  CHECK(shape.rank() == 3);
  CHECK(shape.dimension(1) == 640);
  CHECK(shape.dimension(3) == 1);
  CHECK(shape.element_count() == 480U * 640U * 3U);
  CHECK(shape.to_string() == "[480, 640, 3]");
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK_FALSE(Shape{2, 3} == Shape{3, 2});
  CHECK(Shape{1, 2, 3, 4, 5, 6, 7, 8}.rank() == 8);
  CHECK(Shape{5, 0, 7}.element_count() == 0);
}

TEST_CASE("Shapes that cannot be are refused", "[tensor]") {
  CHECK(code_of([] { Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}; }) == ErrorCode::InvalidArgument);
  CHECK(code_of([] { Shape{3, -1}; }) == ErrorCode::InvalidArgument);
  CHECK(code_of([] { Shape{kHuge, kHuge, kHuge}; }) == ErrorCode::InvalidArgument);
  CHECK(code_of([] { Shape{0, kHuge, kHuge, kHuge}; }) == ErrorCode::InvalidArgument);
  CHECK(Shape{kHuge, kHuge}.element_count() == 4611686014132420609U);
}

TEST_CASE("Element types have names and sizes", "[tensor]") {
  CHECK(std::string(to_string(ElementType::Float16)) == "float16");
  CHECK(std::string(to_string(ElementType::Complex128)) == "complex128");
  CHECK(std::string(to_string(ElementType::Custom)) == "custom");
  CHECK(std::string(to_string(static_cast<ElementType>(-1))) == "unknown");
  CHECK(size_of(ElementType::Float16) == 2);
  CHECK(size_of(ElementType::Int64) == 8);
  CHECK(size_of(ElementType::Complex128) == 16);
  CHECK(size_of(ElementType::Custom) == 0);
  CHECK(size_of(static_cast<ElementType>(99)) == 0);
  CHECK(ElementTypeOf<const std::uint16_t>::value == ElementType::UInt16);
  CHECK(ElementTypeOf<std::complex<float>>::value == ElementType::Complex64);
}

TEST_CASE("Contiguous strides are row-major", "[tensor]") {
  const Strides strides = contiguous_strides(Shape{4, 5, 6}, 2);
  CHECK(strides[0] == 60);
  CHECK(strides[1] == 12);
  CHECK(strides[2] == 2);
  CHECK(strides[3] == 0);
}

TEST_CASE("A tensor's memory comes from its allocator and goes back to it", "[tensor]") {
  Harness harness;
  auto& pool = harness.add<BlockMemoryPool>(
      "e/pool", {{"storage_type", "2"}, {"block_size", "1024"}, {"num_blocks", "1"}});
  harness.initialize();
  {
    Tensor tensor;
    tensor.allocate<float>(pool, {8, 16});
    CHECK(tensor.size() == 512);
    CHECK(tensor.span_bytes() == 512);
    CHECK(tensor.is_contiguous());
    CHECK(tensor.element_type() == ElementType::Float32);
    CHECK(tensor.storage_type() == kSystem);
    tensor.data<float>()[127] = 1.0F;
    CHECK_FALSE(pool.is_available(1));
    tensor.allocate<std::uint8_t>(pool, tensor.shape());  // the one block is free again
    CHECK(tensor.size() == 128);
    CHECK(tensor.shape() == Shape{8, 16});
  }
  CHECK(pool.is_available(1));
}

TEST_CASE("A failed allocation leaves an empty tensor", "[tensor]") {
  Harness harness;
  auto& pool = harness.add<BlockMemoryPool>(
      "e/pool", {{"storage_type", "2"}, {"block_size", "16"}, {"num_blocks", "1"}});
  harness.initialize();
  Tensor tensor;
  tensor.allocate<float>(pool, {4});
  CHECK(code_of([&] { tensor.allocate<float>(pool, {5}); }) == ErrorCode::InvalidArgument);
  CHECK(tensor.pointer() == nullptr);
  CHECK(tensor.rank() == 0);
  CHECK(pool.is_available(16));
}

TEST_CASE("Sizes that overflow never reach the allocator", "[tensor]") {
  Harness harness;
  auto& allocator = harness.add<UnboundedAllocator>("e/allocator");
  harness.initialize();
  Tensor tensor;
  CHECK(code_of([&] {
          tensor.allocate<double>(allocator, {kHuge, kHuge});
        }) == ErrorCode::InvalidArgument);
  CHECK(code_of([&] { tensor.allocate(allocator, {2}, ElementType::Custom); }) ==
        ErrorCode::InvalidArgument);
}

TEST_CASE("An empty tensor and a scalar can be allocated", "[tensor]") {
  Harness harness;
  auto& allocator = harness.add<UnboundedAllocator>("e/allocator");
  harness.initialize();
  Tensor empty;
  empty.allocate<float>(allocator, {0, 3});
  CHECK(empty.size() == 0);
  CHECK(empty.span_bytes() == 0);
  CHECK(empty.is_contiguous());
  Tensor scalar;
  scalar.allocate<double>(allocator, Shape{});
  CHECK(scalar.size() == 8);
  *scalar.data<double>() = 2.5;
  CHECK(*scalar.data<const double>() == 2.5);
}

TEST_CASE("Reading as another type is an error", "[tensor]") {
  std::vector<float> data(4);
  const Tensor tensor = view(data, {4});
  CHECK_THROWS_WITH(tensor.data<std::int32_t>(), "the tensor holds float32 elements, not int32");
  CHECK(tensor.data<float>() == data.data());
}

TEST_CASE("Wrapped memory is released once, whoever holds it last", "[tensor]") {
  Released released;
  std::vector<float> data(6);
  {
    Tensor first;
    first.wrap(data.data(), {2, 3}, ElementType::Float32, kSystem, &released, note_release);
    Tensor second(std::move(first));
    // NOLINTNEXTLINE(bugprone-use-after-move): what a moved-from tensor is, is promised
    CHECK((first.pointer() == nullptr && first.rank() == 0));
    Tensor third;
    third = std::move(second);
    CHECK(third.shape() == Shape{2, 3});
    Tensor& same = third;
    third = std::move(same);
    CHECK(third.pointer() == data.data());
    CHECK(released.times == 0);
  }
  CHECK(released.times == 1);
  CHECK(released.pointer == data.data());
}

TEST_CASE("reset, wrap and assignment release what a tensor held", "[tensor]") {
  Released released;
  std::vector<float> data(6);
  Tensor tensor;
  const auto wrap = [&] {
    tensor.wrap(data.data(), {6}, ElementType::Float32, kSystem, &released, note_release);
  };
  wrap();
  tensor.reset();
  CHECK(released.times == 1);
  tensor.reset();
  CHECK(released.times == 1);
  wrap();
  wrap();
  CHECK(released.times == 2);
  tensor = Tensor();
  CHECK(released.times == 3);
}

TEST_CASE("A tensor tells the owner of its memory to whom gives it back", "[tensor]") {
  Released released;
  std::vector<float> data(6);
  Tensor tensor;
  CHECK(tensor.owner_for(note_release) == nullptr);
  tensor.wrap(data.data(), {6}, ElementType::Float32, kSystem, &released, note_release);
  CHECK(tensor.owner_for(note_release) == &released);
  CHECK(tensor.owner_for(Allocator::release) == nullptr);
  tensor.reset();
  CHECK(tensor.owner_for(note_release) == nullptr);
}

TEST_CASE("wrap refuses what cannot be, and keeps what it held", "[tensor]") {
  Released released;
  std::vector<float> data(6);
  Tensor tensor;
  tensor.wrap(data.data(), {6}, ElementType::Float32, kSystem, &released, note_release);

  const auto wrap = [&](void* pointer, const Shape& shape, ElementType type, std::uint64_t bytes,
                        const Strides* strides) {
    return code_of([&] {
      tensor.wrap(pointer, shape, type, kSystem, &released, note_release, bytes, strides);
    });
  };
  const Strides far{std::numeric_limits<std::uint64_t>::max() / 2, 4};
  CHECK(wrap(nullptr, {2}, ElementType::Int8, 0, nullptr) == ErrorCode::InvalidArgument);
  CHECK(wrap(data.data(), {2}, ElementType::Custom, 0, nullptr) == ErrorCode::InvalidArgument);
  CHECK(wrap(data.data(), {kHuge, kHuge}, ElementType::Custom, 1U << 20U, nullptr) ==
        ErrorCode::InvalidArgument);
  CHECK(wrap(data.data(), {4, 2}, ElementType::Float32, 0, &far) == ErrorCode::InvalidArgument);
  CHECK(released.times == 0);
  CHECK(tensor.pointer() == data.data());
}

TEST_CASE("Own strides describe gaps", "[tensor]") {
  std::vector<std::uint8_t> rows(3 * 256);
  const Strides strides{256, 1};
  Tensor tensor;
  tensor.wrap(rows.data(), {3, 100}, ElementType::UInt8, kSystem, nullptr, nullptr, 0, &strides);
  CHECK_FALSE(tensor.is_contiguous());
  CHECK(tensor.size() == 300);
  CHECK(tensor.span_bytes() == 2 * 256 + 100);
  CHECK(tensor.stride(0) == 256);
  CHECK(tensor.stride(2) == 0);
  CHECK(code_of([&] { tensor.reshape({300}); }) == ErrorCode::InvalidArgument);
}

TEST_CASE("Strides of single elements do not make gaps", "[tensor]") {
  std::vector<float> data(4);
  const Strides strides{999, 4};
  Tensor tensor;
  tensor.wrap(data.data(), {1, 4}, ElementType::Float32, kSystem, nullptr, nullptr, 0, &strides);
  CHECK(tensor.is_contiguous());
  CHECK_NOTHROW(tensor.reshape({2, 2}));
}

TEST_CASE("Elements of a custom type have the size that was given", "[tensor]") {
  std::vector<std::uint8_t> data(24);
  Tensor tensor;
  tensor.wrap(data.data(), {2, 1}, ElementType::Custom, kSystem, nullptr, nullptr, 12);
  CHECK(tensor.bytes_per_element() == 12);
  CHECK(tensor.size() == 24);
  CHECK(tensor.stride(0) == 12);
}

TEST_CASE("reshape keeps the elements", "[tensor]") {
  std::vector<float> data(24);
  std::iota(data.begin(), data.end(), 0.0F);
  Tensor tensor = view(data, {2, 3, 4});
  tensor.reshape({6, 4});
  CHECK(strides_of(tensor) == std::vector<std::uint64_t>{16, 4});
  CHECK(tensor.data<float>()[5 * 4 + 3] == 23.0F);
  CHECK_THROWS_WITH(tensor.reshape({5, 5}), ContainsSubstring("[5, 5] has 25 elements") &&
                                                ContainsSubstring("[6, 4] has 24"));
}

TEST_CASE("permute reorders dimensions without a copy", "[tensor]") {
  std::vector<float> data(24);
  Tensor tensor = view(data, {2, 3, 4});
  tensor.permute({2, 0, 1});
  CHECK(tensor.shape() == Shape{4, 2, 3});
  CHECK(strides_of(tensor) == std::vector<std::uint64_t>{4, 48, 16});
  CHECK_FALSE(tensor.is_contiguous());
  CHECK(tensor.span_bytes() == 96);
  tensor.permute({1, 2, 0});
  CHECK(tensor.shape() == Shape{2, 3, 4});
  CHECK(tensor.is_contiguous());
}

TEST_CASE("permute refuses an order that is none", "[tensor]") {
  std::vector<float> data(24);
  Tensor tensor = view(data, {2, 3, 4});
  CHECK(code_of([&] { tensor.permute({0, 1}); }) == ErrorCode::InvalidArgument);
  CHECK(code_of([&] { tensor.permute({0, 1, 1}); }) == ErrorCode::InvalidArgument);
  CHECK(code_of([&] { tensor.permute({0, 1, 3}); }) == ErrorCode::InvalidArgument);
  CHECK(code_of([&] { tensor.permute({0, 1, 4'000'000'000U}); }) == ErrorCode::InvalidArgument);
  CHECK(tensor.shape() == Shape{2, 3, 4});
}

TEST_CASE("insert_dimension adds an extent of 1 anywhere", "[tensor]") {
  for (std::uint32_t index = 0; index <= 2; ++index) {
    CAPTURE(index);
    std::vector<float> data(12);
    Tensor tensor = view(data, {3, 4});
    tensor.insert_dimension(index);
    CHECK(tensor.rank() == 3);
    CHECK(tensor.shape().dimension(index) == 1);
    CHECK(tensor.element_count() == 12);
    CHECK(tensor.is_contiguous());
    const Strides packed = contiguous_strides(tensor.shape(), 4);
    CHECK(strides_of(tensor) == std::vector<std::uint64_t>(packed.begin(), packed.begin() + 3));
  }
}

TEST_CASE("insert_dimension stops at rank 8 and behind the end", "[tensor]") {
  std::vector<float> data(1);
  Tensor tensor = view(data, {1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(code_of([&] { tensor.insert_dimension(0); }) == ErrorCode::InvalidArgument);
  Tensor small = view(data, {1});
  CHECK(code_of([&] { small.insert_dimension(2); }) == ErrorCode::InvalidArgument);
}

TEST_CASE("A tensor in a message goes back with the message", "[tensor]") {
  Harness harness;
  auto& pool = harness.add<BlockMemoryPool>(
      "e/pool", {{"storage_type", "2"}, {"block_size", "64"}, {"num_blocks", "1"}});
  harness.initialize();
  Message message = harness.new_message();
  message.add<Tensor>("image").allocate<std::uint8_t>(pool, {8, 8});
  const Message copy = message;
  message.reset();
  CHECK_FALSE(pool.is_available(1));
  CHECK(copy.get<Tensor>("image").size() == 64);
  const_cast<Message&>(copy).reset();
  CHECK(pool.is_available(1));
}

TEST_CASE("A tensor of a message that others hold is copied to be changed", "[tensor]") {
  Harness harness;
  auto& pool = harness.add<BlockMemoryPool>(
      "e/pool", {{"block_size", "64"}, {"num_blocks", "2"}, {"storage_type", "2"}});
  harness.initialize();
  Message seen = harness.new_message();
  auto& made = seen.add<Tensor>("t");
  made.allocate<float>(pool, {2, 3});
  std::iota(made.data<float>(), made.data<float>() + 6, 0.0F);
  Message own = seen;
  auto& tensor = own.make_writable<Tensor>();
  tensor.data<float>()[4] = 40;
  CHECK(seen.get<Tensor>().data<float>()[4] == 4);
  CHECK(own.get<Tensor>().data<float>()[4] == 40);
  CHECK(own.get<Tensor>().data<float>()[5] == 5);
  CHECK(tensor.shape() == Shape{2, 3});
  CHECK(tensor.allocator() == &pool);

  Message third = seen;
  CHECK_THROWS_WITH(third.make_writable<Tensor>(), ContainsSubstring("'e/pool'"));
  CHECK(third.get<Tensor>().data<float>() == seen.get<Tensor>().data<float>());
  own.reset();
  third.make_writable<Tensor>();  // the block is free again
}

TEST_CASE("Copies of tensors keep strides, and own memory that was somebody else's", "[tensor]") {
  std::vector<float> data(12);
  std::iota(data.begin(), data.end(), 0.0F);
  Tensor tensor = view(data, {3, 4});
  tensor.permute({1, 0});
  DeviceWork none;
  Tensor copy = copy_part(tensor, none);
  CHECK(copy.shape() == Shape{4, 3});
  CHECK(strides_of(copy) == strides_of(tensor));
  CHECK(copy.data<float>() != data.data());
  CHECK(std::equal(data.begin(), data.end(), copy.data<float>()));
  CHECK(copy.allocator() == nullptr);

  const Tensor empty = copy_part(Tensor(), none);
  CHECK(empty.pointer() == nullptr);
  const Tensor nothing = copy_part(view(data, {0, 4}), none);
  CHECK(nothing.shape() == Shape{0, 4});
  CHECK(nothing.element_type() == ElementType::Float32);
  const Tensor scalar = copy_part(view(data, Shape{}), none);
  CHECK(*scalar.data<float>() == 0);
}
