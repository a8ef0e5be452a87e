#include "common/fixed_vector.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "catch.hpp"

namespace {

using nvidia::FixedVector;
using nvidia::FixedVectorBase;
using Error = FixedVectorBase<int>::Error;

static_assert(std::is_base_of_v<FixedVectorBase<int>, FixedVector<int>>);
static_assert(std::is_base_of_v<FixedVectorBase<int>, FixedVector<int, 3>>);
static_assert(!std::is_copy_constructible_v<FixedVector<int>>);
static_assert(std::is_nothrow_move_constructible_v<FixedVector<int>>);
static_assert(std::is_copy_constructible_v<FixedVector<int, 3>>);
static_assert(std::is_copy_assignable_v<FixedVector<int, 3>>);
static_assert(!std::is_copy_constructible_v<FixedVector<std::unique_ptr<int>, 3>>);
static_assert(std::is_move_constructible_v<FixedVector<std::unique_ptr<int>, 3>>);

struct Tree {
  FixedVector<Tree> children;  // of a type that is not complete yet
};

/// Counts its objects; throws when `left` constructors have run.
struct Element {
  static inline int alive = 0;
  static inline int left = -1;
  // NOLINTNEXTLINE(google-explicit-constructor)
  Element(int v = 0) : value(v) { count(); }
  Element(const Element& other) : value(other.value) { count(); }
  Element(Element&& other) noexcept(false) : value(std::exchange(other.value, -1)) { count(); }
  Element& operator=(const Element&) = default;
  Element& operator=(Element&&) = default;
  ~Element() { --alive; }
  friend bool operator==(const Element& a, const Element& b) { return a.value == b.value; }
  int value;

 private:
  static void count() {
    if (left == 0) {
      throw 1;
    }
    if (left > 0) {
      --left;
    }
    ++alive;
  }
};

struct alignas(64) Wide {
  int value = 0;
};

template <class Vector>
std::string text(Vector& vector) {
  std::string all;
  for (auto each : vector) {
    all += std::to_string(each.value().value) + ' ';
  }
  return all;
}

/// A vector with room for five, of either form.
template <class Vector>
Vector with_room() {
  Vector vector;
  if constexpr (std::is_same_v<Vector, FixedVector<Element>>) {
    vector.reserve(5).value();
  }
  return vector;
}

template <class Vector>
void use() {
  Element::alive = 0;
  {
    auto vector = with_room<Vector>();
    FixedVectorBase<Element>& base = vector;
    CHECK(base.empty());
    CHECK(base.capacity() == 5);
    CHECK(base.front().error() == FixedVectorBase<Element>::Error::kContainerEmpty);
    CHECK(base.back().error() == FixedVectorBase<Element>::Error::kContainerEmpty);
    CHECK(base.pop_back().error() == FixedVectorBase<Element>::Error::kContainerEmpty);
    CHECK(base.push_back(1));
    CHECK(base.emplace_back(3));
    CHECK(base.insert(1, Element(2)));
    CHECK(base.emplace(0, 0));
    CHECK(text(vector) == "0 1 2 3 ");
    CHECK(base.emplace(5, 9).error() == FixedVectorBase<Element>::Error::kArgumentOutOfRange);
    CHECK(base.at(2).value().value == 2);
    CHECK(base[3]->value == 3);
    CHECK(base.at(4).error() == FixedVectorBase<Element>::Error::kArgumentOutOfRange);
    CHECK(base.front()->value == 0);
    CHECK(base.back()->value == 3);
    CHECK(base.data()[1].value == 1);
    base.front()->value = 10;
    CHECK(base.erase(1));
    CHECK(text(vector) == "10 2 3 ");
    CHECK(base.erase(3).error() == FixedVectorBase<Element>::Error::kArgumentOutOfRange);
    CHECK(base.insert(base.begin() + 1, base.begin() + 1, base.end()));
    CHECK(text(vector) == "10 2 3 2 3 ");
    CHECK(base.full());
    CHECK(base.push_back(1).error() == FixedVectorBase<Element>::Error::kContainerFull);
    CHECK(base.insert(base.end(), base.begin(), base.end()).error() ==
          FixedVectorBase<Element>::Error::kContainerFull);
    CHECK(base.insert(base.end(), base.end(), base.begin()).error() ==
          FixedVectorBase<Element>::Error::kInvalidIterator);
    auto other = with_room<Vector>();
    CHECK(base.insert(other.begin(), base.begin(), base.end()).error() ==
          FixedVectorBase<Element>::Error::kInvalidIterator);
    CHECK(other.insert(other.begin(), base.begin(), base.end()));
    CHECK(other == vector);
    CHECK(other.pop_back());
    CHECK(other != vector);
    CHECK(Element::alive == 9);

    CHECK(base.resize(2));
    CHECK(base.resize(3));
    CHECK(base.resize(4, Element(8)));
    CHECK(text(vector) == "10 2 0 8 ");
    CHECK(base.resize(6).error() == FixedVectorBase<Element>::Error::kContainerFull);
    CHECK(base.resize(6, 1).error() == FixedVectorBase<Element>::Error::kContainerFull);

    // Elements that throw leave the vector as it was.
    CHECK(base.resize(2));
    const int before = Element::alive;
    Element::left = 1;
    CHECK_THROWS(base.resize(5));
    Element::left = 1;
    CHECK_THROWS(base.insert(base.end(), other.begin(), other.end() - 1));
    Element::left = 0;
    CHECK_THROWS(base.emplace_back(1));
    Element::left = -1;
    CHECK(Element::alive == before);
    CHECK(text(vector) == "10 2 ");

    Vector taken = std::move(vector);
    CHECK(text(taken) == "10 2 ");
    // NOLINTNEXTLINE(bugprone-use-after-move)
    CHECK(vector.empty());
    vector = std::move(taken);
    CHECK(text(vector) == "10 2 ");
    base.clear();
    CHECK(Element::alive == 4);
  }
  CHECK(Element::alive == 0);
}

}  // namespace

TEST_CASE("a vector of fixed capacity contains its elements", "[gxf_layer]") {
  use<FixedVector<Element, 5>>();
  Element::alive = 0;
  {
    FixedVector<Element, 3> vector;
    vector.push_back(4).value();
    FixedVector<Element, 3> copy = vector;
    CHECK(copy == vector);
    copy.push_back(5).value();
    vector = copy;
    CHECK(text(vector) == "4 5 ");
    const auto& self = vector;
    vector = self;
    CHECK(text(vector) == "4 5 ");
    Element::left = 1;
    CHECK_THROWS((FixedVector<Element, 3>(vector)));
    Element::left = -1;
    CHECK(Element::alive == 4);
    FixedVector<int, 0> none;
    CHECK(none.full());
    CHECK(none.push_back(1).error() == Error::kContainerFull);
  }
  CHECK(Element::alive == 0);
}

TEST_CASE("a vector of the heap has the room that it was given", "[gxf_layer]") {
  use<FixedVector<Element>>();
  Element::alive = 0;
  {
    FixedVector<Element> vector;
    CHECK(vector.capacity() == 0);
    CHECK(vector.push_back(1).error() == FixedVectorBase<Element>::Error::kContainerFull);
    CHECK(vector.reserve(2));
    vector.push_back(1).value();
    vector.push_back(2).value();
    CHECK(vector.reserve(1));
    CHECK(vector.capacity() == 2);
    CHECK(vector.reserve(8));
    CHECK(vector.capacity() == 8);
    CHECK(text(vector) == "1 2 ");
    CHECK(vector.shrink_to_fit());
    CHECK(vector.capacity() == 2);
    CHECK(vector.reserve(SIZE_MAX / 2).error() == FixedVectorBase<Element>::Error::kOutOfMemory);
    FixedVector<Element> other;
    CHECK(other.copy_from(vector));
    CHECK(other == vector);
    CHECK(Element::alive == 4);
    Element::left = 1;
    CHECK_THROWS(vector.reserve(9));
    Element::left = 1;
    CHECK_THROWS(other.copy_from(vector));
    Element::left = -1;
    CHECK(text(vector) == "1 2 ");
    CHECK(other == vector);
    vector.clear();
    CHECK(vector.shrink_to_fit());
    CHECK(vector.capacity() == 0);
  }
  CHECK(Element::alive == 0);
  FixedVector<Wide> wide;
  wide.reserve(3).value();
  CHECK(reinterpret_cast<std::uintptr_t>(wide.data()) % 64 == 0);
  Tree tree;
  tree.children.reserve(1).value();
  CHECK(tree.children.push_back(Tree{}));
}

TEST_CASE("vectors hold what can only be moved", "[gxf_layer]") {
  FixedVector<std::unique_ptr<int>> heap;
  heap.reserve(2).value();
  heap.push_back(std::make_unique<int>(1)).value();
  heap.insert(0, std::make_unique<int>(2)).value();
  heap.reserve(4).value();
  CHECK(*heap[0].value() == 2);
  heap.erase(0).value();
  FixedVector<std::unique_ptr<int>, 2> contained;
  contained.emplace_back(std::move(heap[0].value())).value();
  const auto taken = std::move(contained);
  CHECK(*taken[0].value() == 1);
  // NOLINTNEXTLINE(bugprone-use-after-move)
  CHECK(contained.empty());
}

TEST_CASE("iterators yield Expecteds of references", "[gxf_layer]") {
  FixedVector<std::string, 4> vector;
  for (const char* each : {"a", "bb", "ccc"}) {
    vector.push_back(each).value();
  }
  const auto& constant = vector;
  std::size_t sum = 0;
  for (auto each : vector) {
    each->push_back('x');
  }
  for (const auto& each : constant) {
    sum += each->size() + each.value().size();
  }
  CHECK(sum == 18);
  std::string reversed;
  for (auto i = vector.rbegin(); i != vector.rend(); ++i) {
    reversed += (*i).value();
  }
  CHECK(reversed == "cccxbbxax");
  CHECK(constant.rbegin()->value() == "cccx");
  CHECK(vector.begin()->value() == "ax");
  CHECK((*vector.end()).error() == FixedVectorBase<std::string>::Error::kArgumentOutOfRange);
  const FixedVectorBase<std::string>::const_iterator converted = vector.begin();
  CHECK(converted == constant.cbegin());
  CHECK(vector.end() - vector.begin() == 3);
  CHECK(vector.begin()[2].value() == "cccx");
  CHECK(vector.begin() < vector.end());
  CHECK(vector.end() - 3 == vector.begin());
  auto i = vector.begin();
  CHECK(i++ == vector.begin());
  CHECK(i-- == vector.begin() + 1);
}
