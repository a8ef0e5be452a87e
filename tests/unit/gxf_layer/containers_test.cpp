#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "catch.hpp"
#include "common/endian.hpp"
#include "common/fixed_map.hpp"
#include "common/fixed_string.hpp"
#include "common/memory_utils.hpp"
#include "common/singleton.hpp"
#include "common/span.hpp"
#include "common/strong_type.hpp"
#include "common/type_name.hpp"
#include "common/type_utils.hpp"
#include "common/unique_index_map.hpp"

namespace gxf_layer_test {

struct Named {
  template <class T>
  struct Inner {};
};

}  // namespace gxf_layer_test

namespace {

using nvidia::FixedMap;
using nvidia::FixedString;
using nvidia::Span;
using nvidia::StrongType;

using Meters = StrongType<struct MetersTag, double>;
static_assert(std::is_same_v<Meters::value_type, double>);
static_assert(!std::is_convertible_v<double, Meters> && !std::is_convertible_v<Meters, double>);
static_assert(Meters(2).value() == 2.0 && static_cast<double>(Meters(2.5)) == 2.5);
static_assert(Meters(1.0) < Meters(2.0) && Meters(1.0) <= Meters(1.0) && Meters(2.0) > Meters(1.0));
static_assert(Meters(1.0) != Meters(2.0) && Meters(1.0) == Meters(1.0) &&
              Meters(2.0) >= Meters(1.0));

static_assert(std::is_convertible_v<Span<int>, Span<const int>>);
static_assert(!std::is_convertible_v<Span<const int>, Span<int>>);
static_assert(!std::is_convertible_v<std::vector<double>, Span<int>>);
static_assert(!std::is_convertible_v<const std::vector<int>&, Span<int>>);

static_assert(std::is_convertible_v<FixedString<3>, FixedString<4>>);

static_assert(nvidia::IsLittleEndian());
static_assert(nvidia::EncodeBigEndian<uint32_t>(0x01020304) == 0x04030201);
static_assert(nvidia::DecodeBigEndian<int16_t>(0x0102) == 0x0201);
static_assert(nvidia::EncodeLittleEndian<uint64_t>(7) == 7 && nvidia::DecodeLittleEndian(8) == 8);

static_assert(nvidia::IsSame_v<nvidia::RemoveCVRef_t<const int&>, int>);
static_assert(nvidia::IsSame_v<nvidia::Conditional_t<true, int, char>, int>);
static_assert(nvidia::IsSame_v<nvidia::EnableIf_t<true, int>, nvidia::TypeIdentity<int>::type>);
static_assert(nvidia::IsConvertible_v<int, long> && nvidia::IsIntegral_v<char>);
static_assert(nvidia::IsSame_v<nvidia::Decay_t<int[3]>, int*> &&
              nvidia::IsSame_v<nvidia::void_t<int>, void>);

}  // namespace

TEST_CASE("types have the names of GCC", "[gxf_layer]") {
  const auto name = [](auto* type) {
    return std::string(nvidia::TypenameAsString<std::remove_pointer_t<decltype(type)>>());
  };
  CHECK(name(static_cast<float*>(nullptr)) == "float");
  CHECK(name(static_cast<uint8_t*>(nullptr)) == "unsigned char");
  CHECK(name(static_cast<gxf_layer_test::Named*>(nullptr)) == "gxf_layer_test::Named");
  CHECK(name(static_cast<gxf_layer_test::Named::Inner<int>*>(nullptr)) ==
        "gxf_layer_test::Named::Inner<int>");
#ifndef __clang__
  CHECK(name(static_cast<int64_t*>(nullptr)) == "long int");
#endif
  CHECK(nvidia::TypenameAsString<float>() == nvidia::TypenameAsString<float>());
}

TEST_CASE("a span shows elements of somebody else", "[gxf_layer]") {
  std::vector<int> vector = {1, 2, 3, 4};
  const Span<int> span(vector);
  CHECK(span.data() == vector.data());
  CHECK(span.size() == 4);
  CHECK(span.size_bytes() == 16);
  span[1].value() = 20;
  CHECK(vector[1] == 20);
  CHECK(span.at(4).error() == Span<int>::Error::kArgumentOutOfRange);
  CHECK(span.front().value() == 1);
  CHECK(span.back().value() == 4);
  CHECK(span.subspan(1)->size() == 3);
  CHECK(span.subspan(4)->empty());
  CHECK(span.subspan(5).error() == Span<int>::Error::kArgumentOutOfRange);
  CHECK(span.subspan(1, 2)->back().value() == 3);
  CHECK(span.subspan(3, 2).error() == Span<int>::Error::kArgumentOutOfRange);
  CHECK(span.first(2)->back().value() == 20);
  CHECK(span.last(2)->front().value() == 3);
  CHECK(span.first(5).error() == Span<int>::Error::kArgumentOutOfRange);
  CHECK(span.last(5).error() == Span<int>::Error::kArgumentOutOfRange);
  CHECK(Span<int>().front().error() == Span<int>::Error::kContainerEmpty);
  CHECK(Span<int>().back().error() == Span<int>::Error::kContainerEmpty);
  const int array[] = {1, 20, 3, 4};
  CHECK(Span<const int>(array) == Span<const int>(span));
  CHECK(Span<const int>(array, 2) != Span<const int>(array));
  int sum = 0;
  for (auto each : span) {
    sum += each.value();
  }
  CHECK(sum == 28);
}

TEST_CASE("a fixed string refuses what does not fit", "[gxf_layer]") {
  using Text = FixedString<5>;
  Text text = "abc";
  CHECK(text.size() == 3);
  CHECK(text.length() == 3);
  CHECK(text.max_size() == 5);
  CHECK(text.capacity() == 6);
  CHECK(text == "abc");
  CHECK("abc" == text);
  CHECK(text != "abd");
  CHECK(text < "abd");
  CHECK(text > FixedString<9>("abb"));
  CHECK(text.append("d"));
  CHECK(text.append('e'));
  CHECK(text.full());
  CHECK(std::string(text.c_str()) == "abcde");
  CHECK(text.append('f').error() == Text::Error::kExceedingPreallocatedSize);
  CHECK(text.append(nullptr, 1).error() == Text::Error::kArgumentNull);
  CHECK(text.copy("123456", 6).error() == Text::Error::kExceedingPreallocatedSize);
  CHECK(text.copy(nullptr, 0).error() == Text::Error::kArgumentNull);
  CHECK(text.copy("123456", 2));
  CHECK(text == "12");
  CHECK(text.append(FixedString<9>("345")));
  const FixedString<7> larger = text;
  CHECK(larger == text);
  CHECK(text.compare("2") < 0);
  text = "x";
  CHECK(larger < text);
  text = FixedString<4>("yyyy");
  CHECK(text == "yyyy");
  text.clear();
  CHECK(text.empty());
  CHECK(text.data()[0] == '\0');
  const std::unordered_set<Text, Text::Hash> set = {"a", "b", "a"};
  CHECK(set.size() == 2);
}

TEST_CASE("a fixed map has room for what it was told", "[gxf_layer]") {
  struct Poor {  // all keys collide
    std::size_t operator()(int) const { return 7; }
  };
  using Map = FixedMap<int, std::string, Poor>;
  Map map;
  CHECK(map.at(1).error() == Map::Error::kInvalidKey);
  CHECK(map.insert(1, "a").error() == Map::Error::kContainerFull);
  CHECK(map.reserve(3));
  CHECK(map.insert(1, "a"));
  CHECK(map.emplace(2, 3, 'b'));
  CHECK(map.insert(1, "c").error() == Map::Error::kDuplicateKey);
  CHECK(map.insert(3, "c"));
  CHECK(map.full());
  CHECK(map.insert(4, "d").error() == Map::Error::kContainerFull);
  CHECK(map.reserve(20));
  CHECK(map.insert(4, "d"));
  CHECK(map.erase(1));
  CHECK(map.erase(1).error() == Map::Error::kInvalidKey);
  CHECK(map[2].value() == "bbb");
  CHECK(map.at(3).value() == "c");
  CHECK(map.at(4).value() == "d");
  CHECK(map.size() == 3);
  map.clear();
  CHECK(map.empty());
  CHECK_FALSE(map.contains(2));

  nvidia::UniqueIndexMap<std::unique_ptr<int>> numbered;
  CHECK(numbered.reserve(2));
  const auto first = numbered.insert(std::make_unique<int>(1)).value();
  CHECK(numbered.emplace(nullptr));
  CHECK(numbered.full());
  CHECK(numbered.erase(first));
  const auto third = numbered.insert(std::make_unique<int>(3)).value();
  CHECK(third != first);
  CHECK_FALSE(numbered.valid(first));
  CHECK(**numbered[third] == 3);
}

TEST_CASE("objects are made in memory that is there", "[gxf_layer]") {
  using Text = std::string;
  alignas(Text) nvidia::byte memory[2 * sizeof(Text)];
  const Text other(50, 'x');
  CHECK(*nvidia::InplaceConstruct<Text>(memory, 3U, 'a') == "aaa");
  CHECK(*nvidia::ValuePointer<Text>(memory) == "aaa");
  CHECK(nvidia::BytePointer(nvidia::ValuePointer<Text>(memory)) == memory);
  nvidia::Destruct<Text>(memory);
  CHECK(*nvidia::InplaceCopyConstruct<Text>(memory, other) == other);
  nvidia::Destruct<Text>(memory);
  CHECK(*nvidia::InplaceMoveConstruct<Text>(memory, Text("b")) == "b");
  nvidia::Destruct<Text>(memory);
  Text* const array = nvidia::AllocateArray<Text>(2);
  const Text texts[2] = {other, "c"};
  nvidia::ArrayCopyConstruct(nvidia::BytePointer(array), texts, 2);
  nvidia::ArrayMoveConstruct(memory, array, 2);
  CHECK(*nvidia::ValuePointer<Text>(memory) == other);
  for (int i = 0; i < 2; ++i) {
    std::destroy_at(array + i);
    nvidia::Destruct<Text>(memory + sizeof(Text) * static_cast<std::size_t>(i));
  }
  nvidia::DeallocateArray(array);
  CHECK(nvidia::AllocateArray<Text>(SIZE_MAX / 4) == nullptr);
  CHECK(*nvidia::MakeUniqueNoThrow<int>(4) == 4);
  CHECK(*nvidia::MakeSharedNoThrow<int>(5) == 5);
  CHECK(&gxf::Singleton<int>::get() == &gxf::Singleton<int>::get());
}
