#include "extensions/testing/tolerance.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "catch.hpp"
#include "extensions/testing/elements.hpp"

namespace gxr::testing {
namespace {

template <class T>
bool met(const Tolerance& tolerance, T expected, T actual,
         ElementType type = ElementTypeOf<T>::value) {
  std::byte a[sizeof(T)];
  std::byte b[sizeof(T)];
  std::memcpy(a, &expected, sizeof(T));
  std::memcpy(b, &actual, sizeof(T));
  return tolerance.met(type, sizeof(T), a, b);
}

bool halves_met(const Tolerance& tolerance, std::uint16_t expected, std::uint16_t actual) {
  return met(tolerance, expected, actual, ElementType::Float16);
}

constexpr Tolerance kExact{};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("tolerance: without one the bits count") {
  CHECK(met(kExact, 1.5, 1.5));
  CHECK(met(kExact, kNan, kNan));
  CHECK_FALSE(met(kExact, kNan, -kNan));
  CHECK_FALSE(met(kExact, 0.0, -0.0));
  CHECK_FALSE(met(kExact, 1.0, std::nextafter(1.0, 2.0)));
}

TEST_CASE("tolerance: with one a NaN, an infinity and 0 are what they mean") {
  for (const Tolerance& t : {Tolerance{1e300, 0, 0}, Tolerance{0, 10, 0},
                             Tolerance{0, 0, std::numeric_limits<std::uint64_t>::max()}}) {
    CHECK(met(t, kNan, -kNan));
    CHECK_FALSE(met(t, kNan, 1.0));
    CHECK_FALSE(met(t, 1.0, kNan));
    CHECK(met(t, kInfinity, kInfinity));
    CHECK_FALSE(met(t, kInfinity, -kInfinity));
    CHECK_FALSE(met(t, kInfinity, std::numeric_limits<double>::max()));
    CHECK_FALSE(met(t, std::numeric_limits<double>::max(), kInfinity));
    CHECK(met(t, 0.0, -0.0));
  }
}

TEST_CASE("tolerance: absolute and relative") {
  CHECK(met(Tolerance{0.5, 0, 0}, 2.0, 2.5));
  CHECK_FALSE(met(Tolerance{0.5, 0, 0}, 2.0, 2.5625));
  CHECK(met(Tolerance{0, 0.25, 0}, -2.0, -2.5));
  CHECK_FALSE(met(Tolerance{0, 0.25, 0}, -2.0, -2.5625));
  CHECK_FALSE(met(Tolerance{0, 0.25, 0}, 0.0, 1e-300));  // a part of nothing
  CHECK(met(Tolerance{1e-6, 0.25, 0}, 0.0, 1e-7));       // one is enough
  CHECK_FALSE(met(Tolerance{1e300, 0, 0}, std::numeric_limits<double>::max(),
                  -std::numeric_limits<double>::max()));  // the difference is no double
}

TEST_CASE("tolerance: steps from number to number") {
  const float next = std::nextafter(1.0F, 2.0F);
  CHECK(met(Tolerance{0, 0, 1}, 1.0F, next));
  CHECK_FALSE(met(Tolerance{0, 0, 1}, 1.0F, std::nextafter(next, 2.0F)));
  const double least = std::numeric_limits<double>::denorm_min();
  CHECK(met(Tolerance{0, 0, 2}, -least, least));
  CHECK_FALSE(met(Tolerance{0, 0, 1}, -least, least));
  CHECK(halves_met({0, 0, 1}, 0x3c00, 0x3c01));
  CHECK_FALSE(halves_met({0, 0, 1}, 0x3c00, 0x3c02));
}

TEST_CASE("tolerance: integers of 64 bits, without overflow") {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kGreatest = std::numeric_limits<std::int64_t>::max();
  CHECK(met(Tolerance{1, 0, 0}, kGreatest, kGreatest - 1));
  CHECK_FALSE(met(Tolerance{1, 0, 0}, kGreatest, kGreatest - 2));
  CHECK_FALSE(met(Tolerance{1, 0, 0}, kLeast, kGreatest));
  CHECK(met<std::uint8_t>(Tolerance{3, 0, 0}, 0, 3));
  CHECK_FALSE(met<std::uint8_t>(Tolerance{3, 0, 0}, 255, 0));
}

TEST_CASE("tolerance: both parts of a complex number") {
  using Complex = std::complex<float>;
  CHECK(met(Tolerance{0.5, 0, 0}, Complex(1, 2), Complex(1.5F, 1.5F)));
  CHECK_FALSE(met(Tolerance{0.5, 0, 0}, Complex(1, 2), Complex(1, 3)));
  CHECK_FALSE(met(Tolerance{0.5, 0, 0}, Complex(1, 2), Complex(2, 2)));
}

TEST_CASE("tolerance: the numbers of binary16") {
  CHECK(float_of_half(0x3c00) == 1.0F);
  CHECK(float_of_half(0xc000) == -2.0F);
  CHECK(float_of_half(0x7bff) == 65504.0F);
  CHECK(float_of_half(0x0001) == std::ldexp(1.0F, -24));
  CHECK(float_of_half(0x7c00) == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(float_of_half(0x7e00)));
}

TEST_CASE("tolerance: elements to which it does not apply") {
  CHECK_NOTHROW(kExact.require_applicable(ElementType::Custom, "t"));
  CHECK_NOTHROW((Tolerance{1, 1, 0}.require_applicable(ElementType::Int32, "t")));
  CHECK_NOTHROW((Tolerance{0, 0, 1}.require_applicable(ElementType::Complex64, "t")));
  CHECK_THROWS_AS((Tolerance{0, 0, 1}.require_applicable(ElementType::Int32, "t")), Error);
  CHECK_THROWS_AS((Tolerance{1, 0, 0}.require_applicable(ElementType::Custom, "t")), Error);
}

}  // namespace
}  // namespace gxr::testing
