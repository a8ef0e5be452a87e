#include "gxr/verify.hpp"

#include <complex>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "gxr/report.hpp"
#include "observe/report_text.hpp"
#include "tests/unit/sdk/harness.hpp"

using namespace gxr;

namespace {

using Position = std::vector<std::int32_t>;

/// A tensor over the numbers, which must outlive it.
template <class T>
Tensor over(std::vector<T>& numbers, const Shape& shape, const Strides* strides = nullptr) {
  Tensor tensor;
  tensor.wrap(numbers.data(), shape, ElementTypeOf<T>::value, MemoryStorageType::System, nullptr,
              nullptr, 0, strides);
  return tensor;
}

template <class T>
std::optional<TensorDifference> compare(std::vector<T> a, std::vector<T> b,
                                        const Tolerance& tolerance = {}) {
  const Shape shape{static_cast<std::int32_t>(a.size())};
  return compare_tensors(over(a, shape), over(b, shape), tolerance);
}

class Operator final : public Component {};

}  // namespace

TEST_CASE("the report says how much was compared, and which CUDA graphs did not run", "[verify]") {
  Report report;
  CHECK(render_verified(report).empty());
  report.verified = VerifiedResults{64, 8, {}};
  CHECK(render_verified(report) == "verified 64 results of 8 operators: the same on CPU and GPU\n");
  report.verified->graphs_left_out = {"gpu", "gpu.2"};
  CHECK(render_verified(report) ==
        "region 'gpu' was no CUDA graph in this run: its operators worked one by one, to be "
        "compared\n"
        "region 'gpu.2' was no CUDA graph in this run: its operators worked one by one, to be "
        "compared\n"
        "verified 64 results of 8 operators: the same on CPU and GPU\n");
  CHECK(render_report_json(report).find("\"gpu.2\"") != std::string::npos);
  report.verified = VerifiedResults{0, 0, {"gpu"}};
  CHECK(render_verified(report) ==
        "region 'gpu' was no CUDA graph in this run: its operators worked one by one, to be "
        "compared\n"
        "nothing was compared: no operator that ran can work on both CPU and GPU\n");
}

TEST_CASE("equal tensors have no difference, whatever their strides", "[verify]") {
  CHECK_FALSE(compare<std::uint8_t>({1, 2, 3}, {1, 2, 3}));
  std::vector<std::uint16_t> packed{1, 2, 3, 4, 5, 6};
  std::vector<std::uint16_t> padded{1, 2, 3, 99, 4, 5, 6, 98};
  const Strides strides{8, 2};
  const Tensor a = over(packed, {2, 3});
  CHECK_FALSE(compare_tensors(a, over(padded, {2, 3}, &strides)));
  CHECK_FALSE(compare_tensors(Tensor(), Tensor()));
}

TEST_CASE("the first difference has a position, both values and a count", "[verify]") {
  std::vector<std::uint8_t> first(2 * 2 * 3, 7);
  std::vector<std::uint8_t> second = first;
  second[7] = 8;
  second[11] = 0;
  const auto found = compare_tensors(over(first, {2, 2, 3}), over(second, {2, 2, 3}));
  REQUIRE(found);
  CHECK(found->position == Position{1, 0, 1});
  CHECK(found->first == "7");
  CHECK(found->second == "8");
  CHECK(found->count == 2);
  CHECK(found->total == 12);
}

TEST_CASE("strides of both tensors count", "[verify]") {
  std::vector<std::int32_t> rows{1, 2, 3, 4, 5, 6};
  std::vector<std::int32_t> columns{1, 4, 2, 5, 3, 7};
  const Strides transposed{4, 8};
  const auto found = compare_tensors(over(rows, {2, 3}), over(columns, {2, 3}, &transposed));
  REQUIRE(found);
  CHECK(found->position == Position{1, 2});
  CHECK(found->second == "7");
}

TEST_CASE("tolerances are absolute and relative", "[verify]") {
  CHECK_FALSE(compare<float>({1.0F, -2.0F}, {1.0625F, -2.0625F}, {.absolute = 0.0625}));
  CHECK(compare<float>({1.0F}, {1.125F}, {.absolute = 0.0625}));
  CHECK_FALSE(compare<double>({100.0, -100.0}, {101.0, -101.0}, {.relative = 0.01}));
  CHECK(compare<double>({1.0}, {1.25}, {.relative = 0.125}));
  CHECK_FALSE(compare<std::uint16_t>({5}, {4}, {.absolute = 1}));
  CHECK(compare<std::uint16_t>({5}, {3}, {.absolute = 1}));
}

TEST_CASE("numbers at the ends of their types", "[verify]") {
  const std::int64_t low = std::numeric_limits<std::int64_t>::min();
  const std::int64_t high = std::numeric_limits<std::int64_t>::max();
  CHECK(compare<std::int64_t>({high}, {high - 1}));
  CHECK_FALSE(compare<std::int64_t>({high}, {high - 1}, {.absolute = 1}));
  CHECK(compare<std::int64_t>({low}, {high}, {.absolute = 1e18}));
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(compare<float>({infinity, nan}, {infinity, nan}));
  CHECK(compare<float>({infinity}, {-infinity}, {.relative = 1}));
  CHECK(compare<float>({infinity}, {1.0F}, {.relative = 1}));
  CHECK(compare<float>({nan}, {1.0F}, {.absolute = 1e9}));
  CHECK(compare<float>({1.0F}, {nan}, {.absolute = 1e9}));
}

TEST_CASE("complex and custom elements", "[verify]") {
  using Complex = std::complex<float>;
  CHECK_FALSE(compare<Complex>({{3, 4}}, {{3, 4}}));
  CHECK_FALSE(compare<Complex>({{3, 4}}, {{3, 5}}, {.relative = 0.2}));
  const auto found = compare<Complex>({{3, 4}}, {{3, -5}});
  REQUIRE(found);
  CHECK(found->first == "3+4j");
  CHECK(found->second == "3-5j");

  std::uint8_t bytes[] = {1, 2, 1, 3};
  Tensor a;
  a.wrap(bytes, {1}, ElementType::Custom, MemoryStorageType::System, nullptr, nullptr, 2);
  Tensor b;
  b.wrap(bytes + 2, {1}, ElementType::Custom, MemoryStorageType::System, nullptr, nullptr, 2);
  CHECK(compare_tensors(a, b)->first == "0x0201");
  CHECK(compare_tensors(a, b)->second == "0x0301");
}

TEST_CASE("what cannot be compared is refused", "[verify]") {
  std::vector<std::uint8_t> bytes(6);
  const Tensor tensor = over(bytes, {2, 3});
  CHECK_THROWS_WITH(compare_tensors(tensor, over(bytes, {3, 2})),
                    "a tensor [2, 3] uint8 cannot be compared with a tensor [3, 2] uint8");
  Tensor on_device;
  on_device.wrap(bytes.data(), {2, 3}, ElementType::UInt8, MemoryStorageType::Device, nullptr,
                 nullptr);
  CHECK_THROWS_WITH(compare_tensors(tensor, on_device),
                    Catch::Matchers::ContainsSubstring("in device memory"));
}

TEST_CASE("verify_result names tensor, place, values and count", "[verify]") {
  harness::Harness harness;
  const auto& component = harness.add<Operator>("blur/blur");
  std::vector<std::uint8_t> cpu{1, 2, 3, 4};
  std::vector<std::uint8_t> gpu{1, 2, 9, 9};
  const Tensor a = over(cpu, {1, 2, 2});
  const Tensor b = over(gpu, {1, 2, 2});
  CHECK_NOTHROW(verify_result(component, "image", {a, a, {}}));
  CHECK_THROWS_WITH(verify_result(component, "image", {a, b, {}}),
                    "--verify: tensor 'image' is not the same on both: first at [0, 1, 0], where "
                    "the CPU has 3 and the GPU 9; 2 of 4 elements differ");
  CHECK_THROWS_WITH(
      verify_result(component, "image", {a, b, {}}, {.absolute = 5.5}),
      Catch::Matchers::ContainsSubstring("where the CPU has 3 and the GPU 9; 1 of 4 elements "
                                         "differ by more than 5.5"));
  CHECK_NOTHROW(verify_result(component, "image", {a, b, {}}, {.absolute = 6}));
  CHECK_THROWS_WITH(
      verify_result(component, "image", {a, over(gpu, {4}), {}}),
      "--verify: tensor 'image' is not the same on both: the CPU makes [1, 2, 2] uint8, the GPU "
      "[4] uint8");
}
