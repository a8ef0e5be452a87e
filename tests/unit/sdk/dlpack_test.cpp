#include "gxr/dlpack.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "gxr/tensor.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::harness::kSystem;

namespace {

/// A DLPack tensor as another library would make it; counts calls of its deleter.
struct Foreign {
  Foreign() {
    managed.dl_tensor.data = data.data();
    managed.dl_tensor.device = {kDLCPU, 0};
    managed.dl_tensor.ndim = 2;
    managed.dl_tensor.dtype = {kDLFloat, 32, 1};
    managed.dl_tensor.shape = shape.data();
    managed.dl_tensor.strides = nullptr;
    managed.dl_tensor.byte_offset = 0;
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) {
      ++static_cast<Foreign*>(self->manager_ctx)->deleted;
    };
  }
  Foreign(const Foreign&) = delete;

  std::vector<float> data = std::vector<float>(64);
  std::array<std::int64_t, 9> shape{3, 4, 1, 1, 1, 1, 1, 1, 1};
  std::array<std::int64_t, 9> strides{};
  DLManagedTensor managed{};
  int deleted = 0;
};

ErrorCode refusal(Foreign& foreign) {
  try {
    Tensor::from_dlpack(&foreign.managed);
  } catch (const Error& error) {
    CHECK(foreign.deleted == 0);
    CHECK_THAT(error.message(), ContainsSubstring("DLPack: "));
    return error.code();
  }
  FAIL("no error was thrown");
  return ErrorCode::Failure;
}

struct ExportDeleter {
  void operator()(DLManagedTensor* managed) const { managed->deleter(managed); }
};
using Exported = std::unique_ptr<DLManagedTensor, ExportDeleter>;

Exported export_of(Tensor tensor) { return Exported(Tensor::to_dlpack(std::move(tensor))); }

}  // namespace

TEST_CASE("An imported tensor is deleted once, with the tensor", "[dlpack]") {
  Foreign foreign;
  {
    Tensor tensor = Tensor::from_dlpack(&foreign.managed);
    CHECK(tensor.shape() == Shape{3, 4});
    CHECK(tensor.element_type() == ElementType::Float32);
    CHECK(tensor.storage_type() == kSystem);
    CHECK(tensor.data<float>() == foreign.data.data());
    CHECK(tensor.is_contiguous());
    const Tensor moved = std::move(tensor);
    CHECK(foreign.deleted == 0);
  }
  CHECK(foreign.deleted == 1);
}

TEST_CASE("Import honours byte_offset and strides", "[dlpack]") {
  Foreign foreign;
  foreign.managed.dl_tensor.byte_offset = 8;
  foreign.strides = {1, 5};
  foreign.managed.dl_tensor.strides = foreign.strides.data();
  const Tensor tensor = Tensor::from_dlpack(&foreign.managed);
  CHECK(tensor.data<float>() == foreign.data.data() + 2);
  CHECK(tensor.stride(0) == 4);
  CHECK(tensor.stride(1) == 20);
}

TEST_CASE("Strides that are never used may be anything", "[dlpack]") {
  Foreign foreign;
  foreign.managed.dl_tensor.strides = foreign.strides.data();
  foreign.shape = {1, 4};
  foreign.strides = {-7, 1};
  CHECK(Tensor::from_dlpack(&foreign.managed).is_contiguous());
  foreign.shape = {0, 4};
  foreign.strides = {-7, -7};
  CHECK(Tensor::from_dlpack(&foreign.managed).element_count() == 0);
}

TEST_CASE("A producer without deleter is fine", "[dlpack]") {
  Foreign foreign;
  foreign.managed.deleter = nullptr;
  CHECK(Tensor::from_dlpack(&foreign.managed).size() == 48);
}

TEST_CASE("A scalar is imported", "[dlpack]") {
  Foreign foreign;
  foreign.managed.dl_tensor.ndim = 0;
  foreign.managed.dl_tensor.shape = nullptr;
  CHECK(Tensor::from_dlpack(&foreign.managed).size() == 4);
}

TEST_CASE("What gxr does not know is refused and stays the caller's", "[dlpack]") {
  Foreign foreign;
  DLTensor& tensor = foreign.managed.dl_tensor;
  SECTION("device memory") { tensor.device.device_type = kDLCUDA; }
  SECTION("lanes") { tensor.dtype.lanes = 4; }
  SECTION("no lanes") { tensor.dtype.lanes = 0; }
  SECTION("bits") { tensor.dtype.bits = 24; }
  SECTION("bfloat16") { tensor.dtype = {kDLBfloat, 16, 1}; }
  SECTION("rank 9") { tensor.ndim = 9; }
  SECTION("a dimension beyond 32 bits") { foreign.shape[0] = std::int64_t{1} << 31U; }
  SECTION("a negative stride") {
    foreign.strides = {4, -1};
    tensor.strides = foreign.strides.data();
  }
  CHECK(refusal(foreign) == ErrorCode::NotSupported);
}

TEST_CASE("A broken DLPack tensor is refused and stays the caller's", "[dlpack]") {
  Foreign foreign;
  DLTensor& tensor = foreign.managed.dl_tensor;
  SECTION("negative rank") { tensor.ndim = -1; }
  SECTION("no shape") { tensor.shape = nullptr; }
  SECTION("negative dimension") { foreign.shape[1] = -4; }
  SECTION("no memory") { tensor.data = nullptr; }
  SECTION("an offset beyond the end of memory") {
    tensor.byte_offset = std::numeric_limits<std::uint64_t>::max();
  }
  SECTION("a stride beyond the end of memory") {
    foreign.strides = {std::numeric_limits<std::int64_t>::max(), 1};
    tensor.strides = foreign.strides.data();
  }
  CHECK(refusal(foreign) == ErrorCode::InvalidData);
}

TEST_CASE("No tensor at all is an invalid argument", "[dlpack]") {
  CHECK_THROWS_AS(Tensor::from_dlpack(nullptr), Error);
}

TEST_CASE("An exported tensor keeps memory, shape and strides until its deleter runs", "[dlpack]") {
  static int released = 0;
  released = 0;
  std::vector<std::uint16_t> data(24);
  Tensor tensor;
  tensor.wrap(data.data(), {2, 3, 4}, ElementType::UInt16, kSystem, &data,
              [](void*, void*) noexcept { ++released; });
  tensor.permute({1, 0, 2});
  Exported managed = export_of(std::move(tensor));

  const DLTensor& exported = managed->dl_tensor;
  CHECK(exported.data == data.data());
  CHECK(exported.device.device_type == kDLCPU);
  CHECK(exported.ndim == 3);
  CHECK(exported.dtype.code == kDLUInt);
  CHECK(exported.dtype.bits == 16);
  CHECK(exported.dtype.lanes == 1);
  CHECK(exported.byte_offset == 0);
  CHECK(std::vector<std::int64_t>(exported.shape, exported.shape + 3) ==
        std::vector<std::int64_t>{3, 2, 4});
  CHECK(std::vector<std::int64_t>(exported.strides, exported.strides + 3) ==
        std::vector<std::int64_t>{4, 12, 1});
  CHECK(released == 0);
  managed.reset();
  CHECK(released == 1);
}

TEST_CASE("Every element type survives export and import", "[dlpack]") {
  std::array<std::uint64_t, 4> data{};
  for (int i = 1; i <= 13; ++i) {
    const auto type = static_cast<ElementType>(i);
    CAPTURE(to_string(type));
    Tensor tensor;
    tensor.wrap(data.data(), {2}, type, kSystem, nullptr, nullptr);
    const Tensor back = Tensor::from_dlpack(Tensor::to_dlpack(std::move(tensor)));
    CHECK(back.element_type() == type);
    CHECK(back.bytes_per_element() == size_of(type));
    CHECK(back.pointer() == data.data());
  }
}

TEST_CASE("What DLPack cannot say is not exported", "[dlpack]") {
  std::array<std::uint8_t, 64> data{};
  const auto refused = [&](ElementType type, MemoryStorageType storage, std::uint64_t bytes,
                           const Strides* strides) {
    Tensor tensor;
    tensor.wrap(data.data(), {2, 2}, type, storage, nullptr, nullptr, bytes, strides);
    try {
      export_of(std::move(tensor));
    } catch (const Error& error) {
      return error.code() == ErrorCode::NotSupported;
    }
    return false;
  };
  const Strides odd{7, 2};
  CHECK(refused(ElementType::Custom, kSystem, 3, nullptr));
  CHECK(refused(ElementType::Float32, kSystem, 8, nullptr));
  CHECK(refused(ElementType::Float32, MemoryStorageType::Device, 0, nullptr));
  CHECK(refused(ElementType::UInt16, kSystem, 0, &odd));
}
