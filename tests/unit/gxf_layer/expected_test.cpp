#include "gxf/core/expected.hpp"

#include <any>
#include <memory>
#include <string>
#include <type_traits>

#include "catch.hpp"
#include "common/fixed_vector.hpp"
#include "common/panic.hpp"
#include "log_lines.hpp"

namespace {

namespace G = nvidia::gxf;
using nvidia::Expected;
using nvidia::FixedVector;
using nvidia::FixedVectorBase;
using nvidia::Unexpected;

template <class T>
T& ref();
#define SIG(expression, ...) \
  static_assert(std::is_same_v<decltype(expression), __VA_ARGS__>, #expression)

struct Entity {
  int number = 7;
  int64_t acqtime = 5;
  int twice() const { return number * 2; }
  int plus(int more) { return number + more; }
};

SIG(ref<G::Expected<int>>().value(), int&);
SIG(std::declval<const G::Expected<int>&>().value(), const int&);
SIG(std::declval<G::Expected<int>>().value(), int&&);
SIG(std::declval<const G::Expected<int>>().value(), const int&&);
SIG(ref<G::Expected<int>>().error(), gxf_result_t&);
SIG(ref<const G::Expected<int>>().error(), const gxf_result_t&);
SIG(*ref<G::Expected<int>>(), int&);
SIG(ref<G::Expected<Entity>>().operator->(), Entity*);
[[maybe_unused]] int one(Entity) { return 1; }
[[maybe_unused]] G::Expected<int> one_e(Entity) { return 1; }
[[maybe_unused]] void none(Entity) {}
[[maybe_unused]] double two() { return 2; }
SIG(ref<G::Expected<Entity>>().map(one), G::Expected<int>);
SIG(ref<G::Expected<Entity>>().map(one_e), G::Expected<int>);
SIG(ref<G::Expected<Entity>>().map(none), G::Expected<void>);
SIG(ref<G::Expected<void>>().and_then(two), G::Expected<double>);
SIG(ref<G::Expected<Entity>>().map(&Entity::acqtime), G::Expected<int64_t&>);
SIG(std::declval<G::Expected<Entity>>().map(&Entity::acqtime), G::Expected<int64_t>);
SIG(ref<G::Expected<int>>().assign_to(ref<long>()), G::Expected<void>);
SIG(ref<G::Expected<int>>().substitute(2.0f), G::Expected<float>);
SIG(ref<G::Expected<int>>().substitute_error(std::string()), Expected<int, std::string>);
SIG(ref<G::Expected<int>>().value_or(3), int);
SIG(ref<G::Expected<void>>() & ref<G::Expected<int>>(), G::Expected<void>);
SIG(ref<G::Expected<int>>() | ref<G::Expected<int>>(), G::Expected<void>);
SIG((ref<FixedVector<int, 4>>().at(0)), Expected<int&, FixedVectorBase<int>::Error>);
SIG(ref<FixedVector<int>>().push_back(1), Expected<void, FixedVectorBase<int>::Error>);
SIG(G::ForwardError(ref<G::Expected<int>>()), G::Unexpected);
SIG(G::ToResultCode(ref<const G::Expected<int>>()), gxf_result_t);
SIG(G::ExpectedOrCode(GXF_SUCCESS, 3), G::Expected<int>);
SIG(G::ExpectedOrError(ref<G::Expected<void>>(), ref<const int>()), G::Expected<int>);

// NOLINTBEGIN(modernize-type-traits)
template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To>;
template <class From, class To>
constexpr bool only_explicit = !converts<From, To> && std::is_constructible_v<To, From>;
static_assert(converts<int, G::Expected<uint64_t>> && converts<double, G::Expected<float>>);
static_assert(converts<const char*, G::Expected<std::string>>);
static_assert(converts<G::Unexpected, G::Expected<Entity>> &&
              converts<G::Unexpected, G::Expected<void>>);
static_assert(converts<G::Expected<int>, G::Expected<double>>);
static_assert(only_explicit<int*, G::Expected<std::unique_ptr<int>>>);
static_assert(only_explicit<G::Expected<int>, G::Expected<void>>);
static_assert(only_explicit<G::Expected<int*>, G::Expected<std::unique_ptr<int>>>);
static_assert(std::is_constructible_v<G::Expected<std::string>, size_t, char>);
static_assert(!std::is_constructible_v<G::Expected<bool>, G::Expected<std::string>>);
static_assert(!std::is_default_constructible_v<G::Expected<int>>);
static_assert(std::is_default_constructible_v<G::Expected<void>>);
static_assert(std::is_copy_constructible_v<G::Expected<int>>);
static_assert(!std::is_copy_constructible_v<G::Expected<std::unique_ptr<int>>>);
static_assert(std::is_nothrow_move_constructible_v<G::Expected<std::unique_ptr<int>>>);
static_assert(!converts<G::Expected<int>, bool> && !converts<int, G::Expected<const int&>>);
static_assert(std::is_copy_constructible_v<G::Expected<std::any>>);
// NOLINTEND(modernize-type-traits)

// Shapes of sources.
G::Expected<uint64_t> widened() {
  const int x = 3;
  return x;
}
G::Expected<void> success() { return G::Success; }
G::Expected<void> empty() { return {}; }
G::Expected<int> three() { return 3; }
G::Expected<int> failed() { return Unexpected<gxf_result_t>{GXF_OUT_OF_MEMORY}; }
gxf_result_t code(G::Expected<void> ev) { return ev ? GXF_SUCCESS : ev.error(); }

/// Counts its objects and can throw.
struct Counted {
  static inline int alive = 0;
  static inline bool throws = false;
  explicit Counted(int v = 0) : value(v) { check(); }
  Counted(const Counted& other) : value(other.value) { check(); }
  // NOLINTNEXTLINE(performance-noexcept-move-constructor)
  Counted(Counted&& other) : value(other.value) { check(); }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&&) = default;
  ~Counted() { --alive; }
  int value;

 private:
  static void check() {
    if (throws) {
      throw 1;
    }
    ++alive;
  }
};

struct Fixed {  // cannot be assigned
  const int value;
};

}  // namespace

// A third-party library specialises its traits on both parameters.
template <class T>
struct Trait : std::false_type {};
template <class V, class E>
struct Trait<nvidia::Expected<V, E>> : std::true_type {};
static_assert(Trait<G::Expected<int>>::value && Trait<G::Expected<void>>::value);

TEST_CASE("an Expected has a value or an error", "[gxf_layer]") {
  G::Expected<int> number = G::Unexpected{GXF_UNINITIALIZED_VALUE};
  CHECK_FALSE(number);
  CHECK_FALSE(number.has_value());
  CHECK(number.error() == GXF_UNINITIALIZED_VALUE);
  CHECK(number.value_or(4) == 4);
  number = 3;
  CHECK(number);
  CHECK(*number == 3);
  CHECK(number.value_or(4) == 3);
  number = G::Unexpected{GXF_FAILURE};
  CHECK(number.error() == GXF_FAILURE);
  CHECK(number.replace(9) == 9);
  const G::Expected<double> converted = number;
  CHECK(converted.value() == 9.0);
  const G::Expected<std::string> text = "abc";
  CHECK(text->size() == 3);
  CHECK(G::Expected<std::string>(2U, 'x').value() == "xx");
  CHECK(widened().value() == 3);
  CHECK(code(success()) == GXF_SUCCESS);
  CHECK(code(empty()) == GXF_SUCCESS);
  CHECK(code(G::Expected<void>(failed())) == GXF_OUT_OF_MEMORY);
  auto pointer = G::Expected<std::unique_ptr<int>>(std::make_unique<int>(5));
  // NOLINTNEXTLINE(bugprone-use-after-move)
  CHECK(*std::move(pointer).value() == 5);
  CHECK(**G::Expected<std::unique_ptr<int>>(std::make_unique<int>(6)) == 6);
}

TEST_CASE("values of an Expected live as long as it has them", "[gxf_layer]") {
  Counted::alive = 0;
  {
    G::Expected<Counted> a = Counted(1);
    G::Expected<Counted> b = a;
    const G::Expected<Counted> c = std::move(a);
    CHECK(Counted::alive == 3);
    b = G::Unexpected{GXF_FAILURE};
    CHECK(Counted::alive == 2);
    b = c;
    CHECK(Counted::alive == 3);
    a = std::move(b);
    const G::Expected<Counted>& self = a;
    a = self;
    CHECK(a.value().value == 1);
    a.replace(8);
    CHECK(a->value == 8);
    CHECK(Counted::alive == 3);
    Counted::throws = true;
    CHECK_THROWS(a.replace(9));
    b = G::Unexpected{GXF_FAILURE};
    CHECK_THROWS(b = c);
    Counted::throws = false;
    CHECK(a->value == 8);
    CHECK(b.error() == GXF_FAILURE);
  }
  CHECK(Counted::alive == 0);
  G::Expected<Fixed> fixed = Fixed{1};
  fixed = Fixed{2};
  fixed = G::Expected<Fixed>(Fixed{3});
  CHECK(fixed->value == 3);
}

TEST_CASE("wrong uses of an Expected panic", "[gxf_layer]") {
  gxr::test::LogLines log;
  CHECK_THROWS_AS(failed().value(), nvidia::Panic);
  CHECK_THROWS_AS(*G::Expected<void>(failed()), nvidia::Panic);
  CHECK_THROWS_AS(three().error(), nvidia::Panic);
  CHECK_THROWS_AS(success().error(), nvidia::Panic);
  CHECK_THROWS_AS((Expected<int, int>(Unexpected<int>(-4)).value()), nvidia::Panic);
  CHECK(log.text() ==
        "the value of an Expected is used, but it has the error GXF_OUT_OF_MEMORY\n"
        "the value of an Expected is used, but it has the error GXF_OUT_OF_MEMORY\n"
        "the error of an Expected is used, but it has a value\n"
        "the error of an Expected is used, but it has a value\n"
        "the value of an Expected is used, but it has the error -4\n");
  CHECK(log.lines[0].severity == nvidia::Severity::PANIC);
  try {
    failed().value();
  } catch (const std::exception& panic) {
    CHECK(panic.what() + std::string("\n") == log.lines.back().text + '\n');
  }
}

TEST_CASE("references and nothing can be expected", "[gxf_layer]") {
  int a = 1;
  int b = 2;
  G::Expected<int&> either = a;
  either.value() = 5;
  CHECK(a == 5);
  either = b;
  CHECK(a == 5);
  CHECK(&*either == &b);
  const G::Expected<const int&> reader = either;
  CHECK(&reader.value() == &b);
  CHECK(G::Expected<int>(either).value() == 2);
  either = G::Unexpected{GXF_FAILURE};
  CHECK(either.error() == GXF_FAILURE);
  CHECK(&either.value_or(a) == &a);
  CHECK(either.value_or(7L) == 7);
  either.replace(a);
  CHECK(either.value() == 5);
  G::Expected<void> nothing = G::Unexpected{GXF_FAILURE};
  nothing.replace();
  CHECK(nothing);
}

TEST_CASE("functions are mapped over an Expected", "[gxf_layer]") {
  G::Expected<Entity> entity = Entity{};
  CHECK(entity.map([](const Entity& e) { return e.number; }).value() == 7);
  CHECK(entity.map([](Entity) { return failed(); }).error() == GXF_OUT_OF_MEMORY);
  CHECK(entity.map([] { return 4; }).value() == 4);
  entity.map(&Entity::number).value() = 8;
  CHECK(entity->number == 8);
  CHECK(entity.map(&Entity::twice).value() == 16);
  CHECK(entity.map(&Entity::plus, 3).value() == 11);
  // NOLINTNEXTLINE(bugprone-use-after-move)
  CHECK(std::move(entity).map(&Entity::number).value() == 8);
  bool called = false;
  CHECK(three().map([&](int) { called = true; }).has_value());
  CHECK(called);
  CHECK(failed().map([&](int) { return 1; }).error() == GXF_OUT_OF_MEMORY);
  CHECK(success().map([] { return 2; }).value() == 2);
  CHECK(three().and_then([] { return three(); }).value() == 3);
  called = false;
  CHECK(failed().and_then([&] { called = true; }).error() == GXF_OUT_OF_MEMORY);
  CHECK_FALSE(called);
  auto owner = G::Expected<std::unique_ptr<int>>(std::make_unique<int>(5));
  // NOLINTNEXTLINE(bugprone-use-after-move)
  CHECK(std::move(owner).map([](std::unique_ptr<int> p) { return *p; }).value() == 5);
}

TEST_CASE("errors of an Expected are replaced", "[gxf_layer]") {
  const auto named =
      failed().map_error([](gxf_result_t e) { return std::string(GxfResultStr(e)); });
  CHECK(named.error() == "GXF_OUT_OF_MEMORY");
  CHECK(three().map_error([](gxf_result_t) { return 1.5; }).value() == 3);
  bool called = false;
  CHECK(failed().map_error([&](gxf_result_t) { called = true; }).error() == GXF_OUT_OF_MEMORY);
  CHECK(called);
  CHECK(failed().and_then_error([] { return 'x'; }).error() == 'x');
  CHECK(success().and_then_error([] { return 'x'; }).has_value());
  CHECK(failed().map_error([](gxf_result_t) { return G::Unexpected{GXF_FAILURE}; }).error() ==
        GXF_FAILURE);
  CHECK(failed().map_error([](gxf_result_t) { return three(); }).value() == 3);
  CHECK(failed().substitute_error(4).error() == 4);
  CHECK(three().substitute_error(std::string("e")).value() == 3);
  CHECK(three().substitute(2.5).value() == 2.5);
  CHECK(three().substitute(failed()).error() == GXF_OUT_OF_MEMORY);
  CHECK(failed().substitute(2.5).error() == GXF_OUT_OF_MEMORY);
  CHECK(failed().ignore_error(8).value() == 8);
  CHECK(three().ignore_error(8).value() == 3);
  CHECK(failed().ignore_error().has_value());
  const auto positive = [](int i) { return i > 0; };
  CHECK(three().guard(positive, GXF_FAILURE).value() == 3);
  CHECK(G::Expected<int>(-1).guard(positive, GXF_ARGUMENT_INVALID).error() == GXF_ARGUMENT_INVALID);
  CHECK(failed().guard(positive, GXF_FAILURE).error() == GXF_OUT_OF_MEMORY);
}

TEST_CASE("the value of an Expected is assigned", "[gxf_layer]") {
  long target = 1;
  CHECK(failed().assign_to(target).error() == GXF_OUT_OF_MEMORY);
  CHECK(target == 1);
  CHECK(three().assign_to(target).has_value());
  CHECK(target == 3);
  std::unique_ptr<int> owner;
  CHECK(G::Expected<std::unique_ptr<int>>(std::make_unique<int>(5)).assign_to(owner).has_value());
  CHECK(*owner == 5);
}

TEST_CASE("an Expected logs its error only", "[gxf_layer]") {
  gxr::test::LogLines log;
  CHECK(failed().log_error("no %s, %d", "memory", 3).error() == GXF_OUT_OF_MEMORY);
  CHECK(three().log_error("unseen").value() == 3);
  auto kept = failed();
  CHECK(&kept.log_warning("w").log_info("i").log_debug("d") == &kept);
  CHECK(log.text() == "no memory, 3\nw\ni\nd\n");
  CHECK(log.lines[1].severity == nvidia::Severity::WARNING);
  CHECK(log.lines[3].severity == nvidia::Severity::DEBUG);
  const G::Expected<int> told = {G::Unexpected{GXF_FAILURE}, "why"};
  CHECK(told.get_error_message() == std::string("why"));
  CHECK(told.map([](int) {}).get_error_message() == std::string("why"));
  CHECK(G::Expected<void>(told).get_error_message() == std::string("why"));
  CHECK(failed().get_error_message() == std::string());
}

TEST_CASE("several Expecteds are compared and combined", "[gxf_layer]") {
  CHECK(three() == 3);
  CHECK(3 == three());
  CHECK(three() != 4);
  CHECK(failed() != 3);
  CHECK(three() == three());
  CHECK(three() != failed());
  CHECK(failed() == G::Unexpected{GXF_OUT_OF_MEMORY});
  CHECK(G::Unexpected{GXF_FAILURE} != failed());
  CHECK(three() != G::Unexpected{GXF_FAILURE});
  CHECK(G::Expected<void>(failed()) == G::Unexpected{GXF_OUT_OF_MEMORY});

  const G::Expected<int> other = G::Unexpected{GXF_FAILURE};
  CHECK((failed() & other).error() == GXF_OUT_OF_MEMORY);
  CHECK((three() & other).error() == GXF_FAILURE);
  CHECK((three() & three()).has_value());
  CHECK((failed() | other).error() == GXF_OUT_OF_MEMORY);
  CHECK((failed() | three()).has_value());
  CHECK((three() | other).has_value());
  G::Expected<void> all;
  all &= three();
  CHECK(all);
  all &= failed();
  all &= other;
  all &= three();
  CHECK(all.error() == GXF_OUT_OF_MEMORY);
  all |= three();
  CHECK(all);
  CHECK(nvidia::AllOf(three(), success(), other, failed()).error() == GXF_FAILURE);
  CHECK(nvidia::AllOf(three()).has_value());
  const auto sum = [](int a, uint64_t b) {
    return static_cast<double>(a) + static_cast<double>(b);
  };
  CHECK(nvidia::Apply(sum, three(), widened()).value() == 6.0);
  CHECK(nvidia::Apply(sum, three(), G::Expected<uint64_t>(other)).error() == GXF_FAILURE);
  CHECK((three() + three()).value() == 6);
  CHECK((three() - 1).value() == 2);
  CHECK((2 * three()).value() == 6);
  CHECK((three() / 2.0).value() == 1.5);
  CHECK((three() % 2).value() == 1);
  CHECK((three() + failed() + other).error() == GXF_OUT_OF_MEMORY);
}

TEST_CASE("result codes and Expecteds become each other", "[gxf_layer]") {
  CHECK(G::ForwardError(failed()).value() == GXF_OUT_OF_MEMORY);
  CHECK(G::ToResultCode(failed()) == GXF_OUT_OF_MEMORY);
  CHECK(G::ToResultCode(success()) == GXF_SUCCESS);
  CHECK(G::ExpectedOrCode(GXF_SUCCESS).has_value());
  CHECK(G::ExpectedOrCode(GXF_FAILURE).error() == GXF_FAILURE);
  CHECK(G::ExpectedOrCode(GXF_SUCCESS, 4).value() == 4);
  CHECK(G::ExpectedOrCode(GXF_FAILURE, 4).error() == GXF_FAILURE);
  CHECK(G::ExpectedOrError(success(), 4).value() == 4);
  CHECK(G::ExpectedOrError(failed(), 4).error() == GXF_OUT_OF_MEMORY);
  CHECK(G::AccumulateError(GXF_FAILURE, GXF_SUCCESS) == GXF_FAILURE);
  CHECK(G::AccumulateError(GXF_FAILURE, GXF_OUT_OF_MEMORY) == GXF_OUT_OF_MEMORY);
  CHECK(G::AccumulateError(G::ExpectedOrCode(GXF_FAILURE), G::Success).error() == GXF_FAILURE);
  CHECK(G::AccumulateError(G::Success, G::ExpectedOrCode(GXF_FAILURE)).error() == GXF_FAILURE);
}
