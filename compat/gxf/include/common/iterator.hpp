#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

namespace nvidia {

/// Goes through a container by numbers. `*` answers what at() does: an Expected of a reference.
/// Container is const for those who only read.
template <typename T, typename Container>
class RandomAccessIterator {
  /// Keeps an answer that is no reference, for `->`.
  template <typename Reference>
  struct Arrow {
    Reference reference;
    Reference* operator->() { return &reference; }
  };

 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = decltype(std::declval<Container&>().at(0));
  using pointer = Arrow<reference>;

  constexpr RandomAccessIterator() = default;
  constexpr RandomAccessIterator(Container& container, std::size_t index)
      : container_(&container), index_(index) {}

  /// From one that may change the elements.
  template <typename Other, typename = decltype(static_cast<Container*>(std::declval<Other*>()))>
  constexpr RandomAccessIterator(const RandomAccessIterator<T, Other>& other)
      : container_(other.container()), index_(other.index()) {}

  reference operator*() const { return container_->at(index_); }
  pointer operator->() const { return {**this}; }
  reference operator[](difference_type offset) const { return *(*this + offset); }

  RandomAccessIterator& operator++() { return *this += 1; }
  RandomAccessIterator& operator--() { return *this -= 1; }
  RandomAccessIterator operator++(int) {
    const auto before = *this;
    ++*this;
    return before;
  }
  RandomAccessIterator operator--(int) {
    const auto before = *this;
    --*this;
    return before;
  }
  RandomAccessIterator& operator+=(difference_type offset) {
    index_ += static_cast<std::size_t>(offset);
    return *this;
  }
  RandomAccessIterator& operator-=(difference_type offset) { return *this += -offset; }

  friend RandomAccessIterator operator+(RandomAccessIterator from, difference_type offset) {
    return from += offset;
  }
  friend RandomAccessIterator operator+(difference_type offset, RandomAccessIterator from) {
    return from += offset;
  }
  friend RandomAccessIterator operator-(RandomAccessIterator from, difference_type offset) {
    return from -= offset;
  }
  friend difference_type operator-(const RandomAccessIterator& a, const RandomAccessIterator& b) {
    return static_cast<difference_type>(a.index_ - b.index_);
  }

  friend bool operator==(const RandomAccessIterator& a, const RandomAccessIterator& b) {
    return a.container_ == b.container_ && a.index_ == b.index_;
  }
  friend bool operator!=(const RandomAccessIterator& a, const RandomAccessIterator& b) {
    return !(a == b);
  }
  friend bool operator<(const RandomAccessIterator& a, const RandomAccessIterator& b) {
    return a.index_ < b.index_;
  }
  friend bool operator>(const RandomAccessIterator& a, const RandomAccessIterator& b) {
    return b < a;
  }
  friend bool operator<=(const RandomAccessIterator& a, const RandomAccessIterator& b) {
    return !(b < a);
  }
  friend bool operator>=(const RandomAccessIterator& a, const RandomAccessIterator& b) {
    return !(a < b);
  }

  [[nodiscard]] Container* container() const { return container_; }
  [[nodiscard]] std::size_t index() const { return index_; }

 private:
  Container* container_ = nullptr;
  std::size_t index_ = 0;
};

/// The same way backwards.
template <typename Iterator>
class ReverseIterator {
 public:
  using iterator_category = typename Iterator::iterator_category;
  using value_type = typename Iterator::value_type;
  using difference_type = typename Iterator::difference_type;
  using reference = typename Iterator::reference;
  using pointer = typename Iterator::pointer;

  constexpr ReverseIterator() = default;
  /// Begins at the element in front of that of `iterator`.
  constexpr explicit ReverseIterator(Iterator iterator) : base_(iterator) {}

  [[nodiscard]] Iterator base() const { return base_; }

  reference operator*() const { return *(base_ - 1); }
  pointer operator->() const { return (base_ - 1).operator->(); }
  reference operator[](difference_type offset) const { return *(*this + offset); }

  ReverseIterator& operator++() { return *this += 1; }
  ReverseIterator& operator--() { return *this -= 1; }
  ReverseIterator operator++(int) {
    const auto before = *this;
    ++*this;
    return before;
  }
  ReverseIterator operator--(int) {
    const auto before = *this;
    --*this;
    return before;
  }
  ReverseIterator& operator+=(difference_type offset) {
    base_ -= offset;
    return *this;
  }
  ReverseIterator& operator-=(difference_type offset) { return *this += -offset; }

  friend ReverseIterator operator+(ReverseIterator from, difference_type offset) {
    return from += offset;
  }
  friend ReverseIterator operator-(ReverseIterator from, difference_type offset) {
    return from -= offset;
  }
  friend difference_type operator-(const ReverseIterator& a, const ReverseIterator& b) {
    return b.base_ - a.base_;
  }

  friend bool operator==(const ReverseIterator& a, const ReverseIterator& b) {
    return a.base_ == b.base_;
  }
  friend bool operator!=(const ReverseIterator& a, const ReverseIterator& b) { return !(a == b); }
  friend bool operator<(const ReverseIterator& a, const ReverseIterator& b) {
    return b.base_ < a.base_;
  }

 private:
  Iterator base_;
};

}  // namespace nvidia
