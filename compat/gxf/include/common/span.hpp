#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "common/expected.hpp"
#include "common/iterator.hpp"

namespace nvidia {

/// Elements of somebody else that lie one after the other.
template <typename T>
class Span {
  template <typename Container>
  using ElementsOf = std::remove_pointer_t<decltype(std::declval<Container&>().data())>;
  /// Of pointers, only a conversion that adds const keeps the distance of elements.
  template <typename U>
  static constexpr bool kFits = std::is_convertible_v<U (*)[], T (*)[]>;

 public:
  enum struct Error {
    kArgumentOutOfRange,
    kContainerEmpty,
  };

  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  template <typename V>
  using Expected = nvidia::Expected<V, Error>;
  using Unexpected = nvidia::Unexpected<Error>;
  using iterator = RandomAccessIterator<T, const Span>;
  using const_iterator = iterator;

  constexpr Span() = default;
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
  /// From anything with data() and size().
  template <typename Container,
            typename = std::enable_if_t<!std::is_same_v<std::decay_t<Container>, Span> &&
                                        kFits<ElementsOf<Container>>>,
            typename = decltype(std::declval<Container&>().size())>
  constexpr Span(Container&& container) : data_(container.data()), size_(container.size()) {}

  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr std::size_t size_bytes() const { return size_ * sizeof(T); }
  constexpr bool empty() const { return size_ == 0; }

  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, size_}; }

  Expected<T&> at(std::size_t index) const {
    if (index >= size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    return data_[index];
  }
  Expected<T&> operator[](std::size_t index) const { return at(index); }
  Expected<T&> front() const {
    if (empty()) {
      return Unexpected{Error::kContainerEmpty};
    }
    return data_[0];
  }
  Expected<T&> back() const {
    if (empty()) {
      return Unexpected{Error::kContainerEmpty};
    }
    return data_[size_ - 1];
  }

  /// The elements from a place on.
  Expected<Span> subspan(std::size_t offset) const {
    if (offset > size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    return Span(data_ + offset, size_ - offset);
  }
  Expected<Span> subspan(std::size_t offset, std::size_t count) const {
    if (offset > size_ || count > size_ - offset) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    return Span(data_ + offset, count);
  }
  Expected<Span> first(std::size_t count) const { return subspan(0, count); }
  Expected<Span> last(std::size_t count) const {
    if (count > size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    return subspan(size_ - count, count);
  }

  friend bool operator==(const Span& a, const Span& b) {
    return std::equal(a.data_, a.data_ + a.size_, b.data_, b.data_ + b.size_);
  }
  friend bool operator!=(const Span& a, const Span& b) { return !(a == b); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace nvidia
