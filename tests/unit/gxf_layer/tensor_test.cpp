#include "gxf/std/tensor.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "allocators.hpp"
#include "catch.hpp"
#include "gxf/std/dlpack_utils.hpp"
#include "gxr/dlpack.hpp"
#include "gxr/tensor.hpp"

namespace nvidia::gxf {

// As sources do it for types of their own.
struct Rgb {
  uint8_t r, g, b;
};
GXF_PRIMITIVE_TYPE_TRAITS(Rgb, kCustom);

}  // namespace nvidia::gxf

namespace nvidia::gxf::tensor_test {

using layer_test::handle_of;
using layer_test::NativeHeap;
using layer_test::SourceHeap;
using Strides = Tensor::stride_array_t;

#define SAME(expression, ...) \
  static_assert(std::is_same_v<decltype(expression), __VA_ARGS__>, #expression)
template <typename T>
T& ref();

static_assert(!std::is_base_of_v<Component, Tensor> && !std::is_copy_constructible_v<Tensor> &&
              std::is_default_constructible_v<Tensor> && std::is_move_assignable_v<Tensor>);
static_assert(!std::is_convertible_v<const DLManagedTensor*, Tensor> &&
              !std::is_convertible_v<std::shared_ptr<DLManagedTensorContext>, Tensor>);
SAME(ref<Tensor>().data<float>(), Expected<float*>);
SAME(ref<const Tensor>().data<float>(), Expected<const float*>);
SAME(ref<Tensor>().reshape<float>(ref<Shape>(), MemoryStorageType::kHost, ref<Handle<Allocator>>()),
     Expected<void>);
SAME(ref<const Tensor>().shape(), const Shape&);
SAME(ref<const Tensor>().size(), std::size_t);
SAME(ref<Tensor>().bytes_size(), uint64_t);
SAME(ref<const Shape>().dimension(0), int32_t);
SAME(ref<Tensor>().toDLPack(), Expected<DLManagedTensor*>);
SAME(ref<Tensor>().toDLManagedTensorContext(), Expected<std::shared_ptr<DLManagedTensorContext>&>);
SAME(ComputeTrivialStrides(ref<Shape>(), 4), Tensor::stride_array_t);
SAME(ComputeRowStrides(ref<Shape>(), 64, 4), Expected<Tensor::stride_array_t>);
SAME(CreateTensorMap(nullptr, ref<Handle<Allocator>>(), {}), Expected<Entity>);
static_assert(PrimitiveTypeTraits<int8_t>::value == PrimitiveType::kInt8 &&
              PrimitiveTypeTraits<double>::size == 8 &&
              PrimitiveTypeTraits<complex64>::value == PrimitiveType::kComplex64 &&
              PrimitiveTypeTraits<complex128>::size == 16);

namespace {

constexpr auto kSystem = MemoryStorageType::kSystem;
constexpr auto kFloat32 = PrimitiveType::kFloat32;
const Unexpected kPacked{GXF_UNINITIALIZED_VALUE};

Tensor::release_function_t counting(int& calls) {
  return [&calls](void*) {
    ++calls;
    return Success;
  };
}

std::vector<uint64_t> strides_of(const Tensor& tensor) {
  std::vector<uint64_t> strides;
  for (uint32_t i = 0; i < tensor.rank(); ++i) {
    strides.push_back(tensor.stride(i));
  }
  return strides;
}

}  // namespace

TEST_CASE("Shapes of GXF", "[gxf_layer]") {
  CHECK(Shape().rank() == 0);
  CHECK(Shape().size() == 0);
  CHECK(Shape().dimension(0) == 0);
  const Shape shape{2, 3, 4};
  CHECK(shape.rank() == 3);
  CHECK(shape.size() == 24);
  CHECK(shape.dimension(2) == 4);
  CHECK(shape.dimension(3) == 1);
  CHECK(shape.valid());
  CHECK_FALSE(Shape{2, 0}.valid());
  CHECK_FALSE(Shape{-1}.valid());
  CHECK(shape == Shape(std::vector<int32_t>{2, 3, 4}));
  CHECK(shape == Shape(std::array<int32_t, 8>{2, 3, 4, 5}, 3));
  CHECK(shape == Shape(std::array<int32_t, 3>{2, 3, 4}));
  CHECK(shape != Shape{2, 3});
  CHECK(Shape{1, 2, 3, 4, 5, 6, 7, 8, 9} == Shape{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(Shape(std::vector<int32_t>(20, 1)).rank() == 8);
}

TEST_CASE("Element types have sizes", "[gxf_layer]") {
  CHECK(PrimitiveTypeSize(PrimitiveType::kCustom) == 0);
  CHECK(PrimitiveTypeSize(PrimitiveType::kUnsigned8) == 1);
  CHECK(PrimitiveTypeSize(PrimitiveType::kFloat16) == 2);
  CHECK(PrimitiveTypeSize(PrimitiveType::kComplex128) == 16);
}

TEST_CASE("A fresh tensor is as in GXF", "[gxf_layer]") {
  Tensor tensor;
  CHECK(tensor.rank() == 0);
  CHECK(tensor.element_type() == PrimitiveType::kUnsigned8);
  CHECK(tensor.bytes_per_element() == 1);
  CHECK(tensor.element_count() == 0);
  CHECK(tensor.size() == 0);
  CHECK(tensor.bytes_size() == 0);
  CHECK(tensor.pointer() == nullptr);
  CHECK(tensor.storage_type() == MemoryStorageType::kHost);
  CHECK(tensor.stride(0) == 0);
  CHECK(tensor.data<uint8_t>().value() == nullptr);
  CHECK(tensor.data<float>().error() == GXF_INVALID_DATA_FORMAT);
  CHECK(tensor.move_buffer().pointer() == nullptr);
  CHECK(tensor.noCopyReshape({1}).error() == GXF_ARGUMENT_INVALID);
  CHECK(tensor.toDLPack().error() == GXF_UNINITIALIZED_VALUE);
}

TEST_CASE("A tensor takes memory from an allocator of gxr", "[gxf_layer]") {
  NativeHeap heap;
  NativeAllocator allocator(heap);
  {
    Tensor tensor;
    REQUIRE(tensor.reshape<float>({2, 3}, kSystem, handle_of(allocator)));
    CHECK(heap.last_size == 24);
    CHECK(tensor.shape() == Shape{2, 3});
    CHECK(tensor.element_type() == kFloat32);
    CHECK(tensor.size() == 24);
    CHECK(tensor.bytes_size() == 24);
    CHECK(strides_of(tensor) == std::vector<uint64_t>{12, 4});
    CHECK(tensor.stride(2) == 0);
    CHECK(tensor.storage_type() == kSystem);
    CHECK(tensor.isContiguous().value());
    tensor.data<float>().value()[5] = 1;
    CHECK(std::as_const(tensor).data<float>().value()[5] == 1);
    CHECK(tensor.data<int32_t>().error() == GXF_INVALID_DATA_FORMAT);
    // It is the allocator's, as a native tensor would be.
    CHECK(reinterpret_cast<gxr::Tensor&>(tensor).allocator() == &heap);
    REQUIRE(tensor.reshape<uint8_t>(tensor.shape(), kSystem, handle_of(allocator)));
    CHECK(heap.last_size == 6);
    CHECK(heap.freed == 1);
    CHECK(tensor.shape() == Shape{2, 3});
  }
  CHECK(heap.allocated == 2);
  CHECK(heap.freed == 2);
}

TEST_CASE("A tensor takes memory from an allocator of a source", "[gxf_layer]") {
  SourceHeap heap;
  {
    Tensor tensor;
    REQUIRE(tensor.reshape<int16_t>({4}, MemoryStorageType::kHost, handle_of(heap)));
    CHECK(heap.last_type == 0);
    CHECK(tensor.storage_type() == MemoryStorageType::kHost);
    REQUIRE(tensor.reshape<int16_t>(tensor.shape(), kSystem, handle_of(heap)));
    CHECK(tensor.shape() == Shape{4});
    CHECK(heap.freed == 1);
    Tensor moved = std::move(tensor);
    CHECK(heap.freed == 1);
    // NOLINTNEXTLINE(bugprone-use-after-move)
    CHECK(tensor.pointer() == nullptr);
    CHECK(moved.size() == 8);
  }
  CHECK(heap.allocated == 2);
  CHECK(heap.freed == 2);
  heap.limit = 1;
  Tensor tensor;
  CHECK(tensor.reshape<int16_t>({4}, kSystem, handle_of(heap)).error() ==
        GXF_EXCEEDING_PREALLOCATED_SIZE);
}

TEST_CASE("An allocator gets memory back that no tensor can use", "[gxf_layer]") {
  SourceHeap heap;
  Tensor tensor;
  const Strides far{uint64_t{1} << 63U, 4};
  CHECK(tensor.reshapeCustom({4, 2}, kFloat32, 4, far, kSystem, handle_of(heap)).error() ==
        GXF_ARGUMENT_INVALID);
  CHECK(heap.allocated == 1);
  CHECK(heap.freed == 1);
  NativeHeap native;
  NativeAllocator allocator(native);
  CHECK(tensor.reshapeCustom({4, 2}, kFloat32, 4, far, kSystem, handle_of(allocator)).error() ==
        GXF_ARGUMENT_INVALID);
  CHECK(native.allocated == native.freed);
}

TEST_CASE("What a tensor cannot be is an error", "[gxf_layer]") {
  NativeHeap heap;
  heap.limit = 100;
  NativeAllocator allocator(heap);
  Tensor tensor;
  CHECK(tensor.reshape<float>({2}, kSystem, Handle<Allocator>::Null()).error() ==
        GXF_ARGUMENT_NULL);
  CHECK(tensor.reshape<float>({-2}, kSystem, handle_of(allocator)).error() == GXF_ARGUMENT_INVALID);
  CHECK(tensor.reshape<float>({1000}, kSystem, handle_of(allocator)).error() == GXF_OUT_OF_MEMORY);
  CHECK(tensor.reshape<float>({2}, MemoryStorageType::kDevice, handle_of(allocator)).error() ==
        GXF_OUT_OF_MEMORY);
  CHECK(tensor.reshapeCustom({2}, PrimitiveType::kCustom, 0, kPacked, kSystem, handle_of(allocator))
            .error() == GXF_ARGUMENT_INVALID);
  int calls = 0;
  CHECK(tensor.wrapMemory({2}, kFloat32, 4, kPacked, kSystem, nullptr, counting(calls)).error() ==
        GXF_ARGUMENT_INVALID);
  CHECK(calls == 0);
  CHECK(tensor.pointer() == nullptr);
  CHECK(heap.allocated == heap.freed);
}

TEST_CASE("Custom elements and strides", "[gxf_layer]") {
  NativeHeap heap;
  NativeAllocator allocator(heap);
  Tensor tensor;
  REQUIRE(tensor.reshapeCustom({2, 5}, PrimitiveType::kCustom, 12, kPacked, kSystem,
                               handle_of(allocator)));
  CHECK(tensor.size() == 120);
  CHECK(heap.last_size == 120);
  CHECK(tensor.stride(0) == 60);
  CHECK(tensor.data<float>());
  CHECK(tensor.data<int8_t>());
  REQUIRE(tensor.reshape<Rgb>({2}, kSystem, handle_of(allocator)));
  CHECK(tensor.size() == 6);
  CHECK(tensor.data<Rgb>());
  REQUIRE(tensor.reshapeCustom({2, 5}, kFloat32, 4, Strides{64, 4}, kSystem, handle_of(allocator)));
  CHECK(heap.last_size == 40);  // as in GXF, without room for gaps
  CHECK(tensor.size() == 40);
  CHECK(tensor.bytes_size() == 128);
  CHECK(tensor.stride(0) == 64);
  CHECK_FALSE(tensor.isContiguous().value());
}

TEST_CASE("Strides are computed", "[gxf_layer]") {
  CHECK(ComputeTrivialStrides({2, 3, 4}, 2) == Strides{24, 8, 2});
  CHECK(ComputeTrivialStrides({}, 2) == Strides{});
  CHECK(ComputeStrides({2, 3, 4}, {1, 16, 2}) == Strides{48, 16, 2});
  CHECK(ComputeRowStrides({2, 3, 4}, 256, 1).value() == Strides{256, 4, 1});
  CHECK(ComputeRowStrides({5, 2, 3, 4}, 16, 1).value() == Strides{32, 16, 4, 1});
  CHECK(ComputeRowStrides({3, 4}, 256, 1).error() == GXF_ARGUMENT_INVALID);
}

TEST_CASE("A wrapped tensor calls its release function once", "[gxf_layer]") {
  std::array<float, 6> data{};
  std::array<float, 6> other{};
  int first = 0;
  int second = 0;
  void* released = nullptr;
  {
    Tensor tensor;
    REQUIRE(tensor.wrapMemory({2, 3}, kFloat32, 4, kPacked, kSystem, data.data(), [&](void* p) {
      ++first;
      released = p;
      return Success;
    }));
    CHECK(tensor.data<float>().value() == data.data());
    SECTION("with the tensor") {}
    SECTION("in front of other memory") {
      REQUIRE(tensor.wrapMemory({6}, kFloat32, 4, kPacked, kSystem, other.data(), nullptr));
      CHECK(first == 1);
    }
    SECTION("not while it lives in a buffer") {
      MemoryBuffer buffer = tensor.move_buffer();
      CHECK(tensor.pointer() == nullptr);
      CHECK(buffer.size() == 24);
      Tensor next;
      CHECK(next.wrapMemoryBuffer({7}, kFloat32, 4, kPacked, MemoryBuffer()).error() ==
            GXF_ARGUMENT_INVALID);
      // NOLINTNEXTLINE(bugprone-use-after-move)
      REQUIRE(next.wrapMemoryBuffer({6}, kFloat32, 4, kPacked, std::move(buffer)));
      CHECK(next.data<float>().value() == data.data());
      CHECK(first == 0);
    }
    SECTION("and no other one when it fails") {
      REQUIRE(tensor.wrapMemory({6}, kFloat32, 4, kPacked, kSystem, other.data(),
                                [](void*) -> Expected<void> { return Unexpected{GXF_FAILURE}; }));
    }
  }
  CHECK(first == 1);
  CHECK(second == 0);
  CHECK(released == data.data());
}

TEST_CASE("The same memory is wrapped again without a release", "[gxf_layer]") {
  std::array<float, 6> data{};
  int first = 0;
  int second = 0;
  const auto kept = std::make_shared<int>();
  {
    Tensor tensor;
    REQUIRE(tensor.wrapMemory({2, 3}, kFloat32, 4, kPacked, kSystem, data.data(),
                              [&first, kept](void*) {
                                ++first;
                                return Success;
                              }));
    REQUIRE(tensor.wrapMemory({6}, kFloat32, 4, kPacked, kSystem, data.data(), counting(second)));
    CHECK(kept.use_count() == 1);
    CHECK(tensor.rank() == 1);
  }
  CHECK(first == 0);
  CHECK(second == 1);
}

TEST_CASE("The same memory of an allocator then is somebody else's", "[gxf_layer]") {
  NativeHeap heap;
  NativeAllocator allocator(heap);
  int calls = 0;
  {
    Tensor tensor;
    REQUIRE(tensor.reshape<uint8_t>({8}, kSystem, handle_of(allocator)));
    REQUIRE(tensor.wrapMemory({4}, PrimitiveType::kUnsigned8, 1, kPacked, kSystem, tensor.pointer(),
                              [&](void* pointer) {
                                ++calls;
                                heap.free(pointer);
                                return Success;
                              }));
    CHECK(heap.freed == 0);
  }
  CHECK(calls == 1);
  CHECK(heap.freed == 1);
}

TEST_CASE("Views of the same elements", "[gxf_layer]") {
  std::array<float, 6> data{};
  Tensor tensor;
  REQUIRE(tensor.wrapMemory({2, 3}, kFloat32, 4, kPacked, kSystem, data.data(), nullptr));
  REQUIRE(tensor.permute({1, 0}));
  CHECK(tensor.shape() == Shape{3, 2});
  CHECK(strides_of(tensor) == std::vector<uint64_t>{4, 12});
  CHECK(tensor.permute({0, 0}).error() == GXF_ARGUMENT_INVALID);
  CHECK(tensor.noCopyReshape({6}).error() == GXF_ARGUMENT_INVALID);
  REQUIRE(tensor.permute({1, 0}));
  REQUIRE(tensor.insertSingletonDim(1));
  CHECK(tensor.shape() == Shape{2, 1, 3});
  CHECK(tensor.insertSingletonDim(4).error() == GXF_ARGUMENT_INVALID);
  REQUIRE(tensor.noCopyReshape({6}));
  CHECK(tensor.shape() == Shape{6});
  CHECK(tensor.data<float>().value() == data.data());
}

TEST_CASE("A tensor is a native one", "[gxf_layer]") {
  NativeHeap heap;
  gxr::Tensor native;
  auto& seen = *reinterpret_cast<Tensor*>(&native);
  CHECK(seen.element_type() == PrimitiveType::kUnsigned8);
  native.allocate<double>(heap, {3, 2});
  CHECK(seen.shape() == Shape{3, 2});
  CHECK(seen.data<double>().value() == native.data<double>());
  CHECK(seen.storage_type() == kSystem);

  Tensor made;
  NativeAllocator allocator(heap);
  REQUIRE(made.reshape<int64_t>({5}, kSystem, handle_of(allocator)));
  const auto& as_native = *reinterpret_cast<const gxr::Tensor*>(&made);
  CHECK(as_native.shape() == gxr::Shape{5});
  CHECK(as_native.data<std::int64_t>() == made.data<int64_t>().value());
  CHECK(as_native.recorded_storage_type() == gxr::MemoryStorageType::System);

  const gxr::Shape native_shape{4, 5};
  CHECK(*reinterpret_cast<const Shape*>(&native_shape) == Shape{4, 5});
}

TEST_CASE("DLPack shares the memory of a tensor", "[gxf_layer]") {
  NativeHeap heap;
  NativeAllocator allocator(heap);
  DLManagedTensor* exported = nullptr;
  {
    Tensor tensor;
    REQUIRE(tensor.reshape<float>({2, 3}, kSystem, handle_of(allocator)));
    void* const memory = tensor.pointer();
    exported = tensor.toDLPack().value();
    CHECK(tensor.pointer() == memory);
    CHECK(tensor.shape() == Shape{2, 3});
    CHECK(exported->dl_tensor.data == memory);
    CHECK(exported->dl_tensor.device.device_type == kDLCPU);
    CHECK(exported->dl_tensor.ndim == 2);
    CHECK(exported->dl_tensor.shape[1] == 3);
    CHECK(exported->dl_tensor.strides[0] == 3);
    const auto context = tensor.toDLManagedTensorContext().value();
    CHECK(tensor.toDLManagedTensorContext().value() == context);
    CHECK(context->tensor.dl_tensor.data == memory);
    REQUIRE(tensor.noCopyReshape({6}));
    CHECK(tensor.toDLManagedTensorContext().value()->dl_shape == std::vector<int64_t>{6});
  }
  CHECK(heap.freed == 0);
  Tensor imported(exported);
  CHECK(imported.shape() == Shape{2, 3});
  CHECK(imported.element_type() == kFloat32);
  CHECK(heap.freed == 0);
  imported = Tensor();
  CHECK(heap.freed == 1);
}

TEST_CASE("A tensor takes a part in a DLPack context", "[gxf_layer]") {
  std::array<int32_t, 4> data{};
  auto context = std::make_shared<DLManagedTensorContext>();
  context->dl_shape = {4};
  DLTensor& source = context->tensor.dl_tensor;
  source.data = data.data();
  source.device = {kDLCPU, 0};
  source.ndim = 1;
  source.dtype = {kDLInt, 32, 1};
  source.shape = context->dl_shape.data();
  {
    Tensor tensor(context);
    CHECK(context.use_count() > 1);
    CHECK(tensor.data<int32_t>().value() == data.data());
    CHECK(tensor.toDLManagedTensorContext().value() == context);
  }
  CHECK(context.use_count() == 1);
  source.dtype.lanes = 2;
  Tensor tensor;
  CHECK(tensor.fromDLPack(context).error() == GXF_INVALID_DATA_FORMAT);
  CHECK(context.use_count() == 1);
  CHECK(tensor.fromDLPack(std::shared_ptr<DLManagedTensorContext>()).error() == GXF_ARGUMENT_NULL);
}

TEST_CASE("DLPack's words", "[gxf_layer]") {
  for (int i = 1; i <= 13; ++i) {
    const auto type = static_cast<PrimitiveType>(i);
    CAPTURE(i);
    const DLDataType words = PrimitiveTypeToDLDataType(type).value();
    CHECK(PrimitiveTypeFromDLDataType(words).value() == type);
    CHECK(words.bits / 8U == PrimitiveTypeSize(type));
    const DLDataType again = DLDataTypeFromTypeString(numpyTypestr(words).value()).value();
    CHECK(again.code == words.code);
    CHECK(again.bits == words.bits);
  }
  CHECK(PrimitiveTypeToDLDataType(PrimitiveType::kFloat32, 4).value().lanes == 4);
  CHECK(PrimitiveTypeToDLDataType(PrimitiveType::kCustom).error() == GXF_INVALID_DATA_FORMAT);
  CHECK(std::string("<f4") == numpyTypestr({kDLFloat, 32, 1}).value());
  CHECK(DLDataTypeFromTypeString("=i8").value().bits == 64);
  for (const char* const text : {"", "f4", ">f4", "<f3", "<x4", "<f40"}) {
    CAPTURE(text);
    CHECK(DLDataTypeFromTypeString(text).error() == GXF_INVALID_DATA_FORMAT);
  }
  int data = 0;
  CHECK(DLDeviceFromPointer(&data).value().device_type == kDLCPU);
  CHECK(DLDeviceFromPointer(nullptr).error() == GXF_ARGUMENT_NULL);

  std::vector<int64_t> shape{2, 3};
  DLTensor tensor{&data, {kDLCUDAManaged, 0}, 2, {kDLUInt, 16, 1}, shape.data(), nullptr, 0};
  CHECK(ShapeFromDLTensor(&tensor).value() == Shape{2, 3});
  CHECK(StridesFromDLTensor(&tensor).value() == Strides{6, 2});
  CHECK(MemoryStorageTypeFromDLTensor(&tensor).value() == MemoryStorageType::kCudaManaged);
  std::vector<int64_t> strides;
  REQUIRE(ComputeDLPackStrides(tensor, strides));
  CHECK(strides == std::vector<int64_t>{6, 2});
  REQUIRE(ComputeDLPackStrides(tensor, strides, true));
  CHECK(strides == std::vector<int64_t>{3, 1});
  strides = {-3, 1};
  tensor.strides = strides.data();
  CHECK(StridesFromDLTensor(&tensor).error() == GXF_ARGUMENT_OUT_OF_RANGE);
  tensor.device.device_type = kDLVulkan;
  CHECK(MemoryStorageTypeFromDLTensor(&tensor).error() == GXF_MEMORY_INVALID_STORAGE_MODE);
  tensor.ndim = 9;
  CHECK(ShapeFromDLTensor(&tensor).error() == GXF_ARGUMENT_OUT_OF_RANGE);
  CHECK(ShapeFromDLTensor(nullptr).error() == GXF_ARGUMENT_NULL);
}

}  // namespace nvidia::gxf::tensor_test
