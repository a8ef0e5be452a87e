#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <sys/types.h>

#include "common/byte.hpp"
#include "common/expected.hpp"
#include "common/iterator.hpp"
#include "common/memory_utils.hpp"

namespace nvidia {

/// In the place of a capacity: the elements are in memory of the heap.
constexpr ssize_t kFixedVectorHeap = -1;

/// A vector that never moves its elements by itself: those that do not fit are refused. The base of
/// all forms of FixedVector.
///
/// Errors are answered. Only constructors of elements throw; the vector then is as before, except
/// that elements behind a place in the middle may have moved.
template <typename T>
class FixedVectorBase {
 public:
  enum struct Error {
    kOutOfMemory,
    kArgumentOutOfRange,
    kContainerEmpty,
    kContainerFull,
    kInvalidIterator,
  };

  using value_type = T;
  template <typename V>
  using Expected = nvidia::Expected<V, Error>;
  using Unexpected = nvidia::Unexpected<Error>;
  using iterator = RandomAccessIterator<T, FixedVectorBase>;
  using const_iterator = RandomAccessIterator<T, const FixedVectorBase>;
  using reverse_iterator = ReverseIterator<iterator>;
  using const_reverse_iterator = ReverseIterator<const_iterator>;

  FixedVectorBase(const FixedVectorBase&) = delete;
  FixedVectorBase(FixedVectorBase&&) = delete;
  FixedVectorBase& operator=(const FixedVectorBase&) = delete;
  FixedVectorBase& operator=(FixedVectorBase&&) = delete;

  iterator begin() { return {*this, 0}; }
  iterator end() { return {*this, size_}; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, size_}; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const { return rbegin(); }
  const_reverse_iterator crend() const { return rend(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }

  Expected<T&> at(std::size_t index) {
    if (index >= size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    return data_[index];
  }
  Expected<const T&> at(std::size_t index) const {
    if (index >= size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    return data_[index];
  }
  Expected<T&> operator[](std::size_t index) { return at(index); }
  Expected<const T&> operator[](std::size_t index) const { return at(index); }

  Expected<T&> front() {
    if (empty()) {
      return Unexpected{Error::kContainerEmpty};
    }
    return data_[0];
  }
  Expected<const T&> front() const {
    if (empty()) {
      return Unexpected{Error::kContainerEmpty};
    }
    return data_[0];
  }
  Expected<T&> back() {
    if (empty()) {
      return Unexpected{Error::kContainerEmpty};
    }
    return data_[size_ - 1];
  }
  Expected<const T&> back() const {
    if (empty()) {
      return Unexpected{Error::kContainerEmpty};
    }
    return data_[size_ - 1];
  }

  template <typename... Args>
  Expected<void> emplace_back(Args&&... args) {
    if (full()) {
      return Unexpected{Error::kContainerFull};
    }
    ::new (static_cast<void*>(data_ + size_)) T(std::forward<Args>(args)...);
    ++size_;
    return {};
  }
  Expected<void> push_back(const T& value) { return emplace_back(value); }
  Expected<void> push_back(T&& value) { return emplace_back(std::move(value)); }

  /// Makes an element in front of that at `index`.
  template <typename... Args>
  Expected<void> emplace(std::size_t index, Args&&... args) {
    if (index > size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    Expected<void> result = emplace_back(std::forward<Args>(args)...);
    if (result) {
      std::rotate(data_ + index, data_ + size_ - 1, data_ + size_);
    }
    return result;
  }
  Expected<void> insert(std::size_t index, const T& value) { return emplace(index, value); }
  Expected<void> insert(std::size_t index, T&& value) { return emplace(index, std::move(value)); }

  /// Copies elements, also of this vector, in front of that of `at`.
  Expected<void> insert(const_iterator at, const_iterator first, const_iterator last) {
    const bool valid = at.container() == this && at.index() <= size_ &&
                       first.container() != nullptr && first.container() == last.container() &&
                       first.index() <= last.index() && last.index() <= first.container()->size();
    if (!valid) {
      return Unexpected{Error::kInvalidIterator};
    }
    const std::size_t count = last.index() - first.index();
    if (count > capacity_ - size_) {
      return Unexpected{Error::kContainerFull};
    }
    if (count > 0) {
      // Behind all others first, so that the places of those to copy stay.
      std::uninitialized_copy_n(first.container()->data() + first.index(), count, data_ + size_);
      size_ += count;
      std::rotate(data_ + at.index(), data_ + size_ - count, data_ + size_);
    }
    return {};
  }

  Expected<void> erase(std::size_t index) {
    if (index >= size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    std::move(data_ + index + 1, data_ + size_, data_ + index);
    return pop_back();
  }

  Expected<void> pop_back() {
    if (empty()) {
      return Unexpected{Error::kContainerEmpty};
    }
    --size_;
    std::destroy_at(data_ + size_);
    return {};
  }

  /// Ends elements at the end, or makes some there.
  Expected<void> resize(std::size_t count) {
    if (count > capacity_) {
      return Unexpected{Error::kContainerFull};
    }
    if (count > size_) {
      std::uninitialized_value_construct_n(data_ + size_, count - size_);
    }
    return cut(count);
  }
  Expected<void> resize(std::size_t count, const T& value) {
    if (count > capacity_) {
      return Unexpected{Error::kContainerFull};
    }
    if (count > size_) {
      std::uninitialized_fill_n(data_ + size_, count - size_, value);
    }
    return cut(count);
  }

  void clear() { static_cast<void>(cut(0)); }

  friend bool operator==(const FixedVectorBase& a, const FixedVectorBase& b) {
    return std::equal(a.data_, a.data_ + a.size_, b.data_, b.data_ + b.size_);
  }
  friend bool operator!=(const FixedVectorBase& a, const FixedVectorBase& b) { return !(a == b); }

 protected:
  FixedVectorBase(T* data, std::size_t capacity) : data_(data), capacity_(capacity) {}
  ~FixedVectorBase() = default;

  T* data_;
  std::size_t capacity_;
  std::size_t size_ = 0;

 private:
  Expected<void> cut(std::size_t count) {
    if (count < size_) {
      std::destroy(data_ + count, data_ + size_);
    }
    size_ = count;
    return {};
  }
};

namespace detail {

/// N places for elements. The base has no copies, because it knows where the elements of one vector
/// are.
template <typename T, ssize_t N>
class InlineVector : public FixedVectorBase<T> {
  static_assert(N >= 0, "a capacity, or kFixedVectorHeap");
  using Base = FixedVectorBase<T>;

 public:
  InlineVector() : Base(reinterpret_cast<T*>(storage_), N) {}
  ~InlineVector() { this->clear(); }

  InlineVector(const InlineVector& other) : InlineVector() { copy_elements(other); }
  InlineVector(InlineVector&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
      : InlineVector() {
    take_elements(other);
  }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) {
      this->clear();
      copy_elements(other);
    }
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this != &other) {
      this->clear();
      take_elements(other);
    }
    return *this;
  }

 private:
  void copy_elements(const InlineVector& other) {
    std::uninitialized_copy_n(other.data_, other.size_, this->data_);
    this->size_ = other.size_;
  }
  void take_elements(InlineVector& other) {
    std::uninitialized_move_n(other.data_, other.size_, this->data_);
    this->size_ = other.size_;
    other.clear();
  }

  alignas(T) byte storage_[sizeof(T) * (N > 0 ? N : 1)];
};

}  // namespace detail

/// A vector of at most N elements, which it contains.
template <typename T, ssize_t N = kFixedVectorHeap>
class FixedVector : public detail::InlineVector<T, N>,
                    private detail::CopyGate<std::is_copy_constructible_v<T>> {};

/// A vector of the heap, without room until reserve().
template <typename T>
class FixedVector<T, kFixedVectorHeap> : public FixedVectorBase<T> {
  using Base = FixedVectorBase<T>;

 public:
  using Error = typename Base::Error;

  FixedVector() : Base(nullptr, 0) {}
  ~FixedVector() { release(); }

  FixedVector(const FixedVector&) = delete;
  FixedVector& operator=(const FixedVector&) = delete;
  FixedVector(FixedVector&& other) noexcept : Base(nullptr, 0) { swap(other); }
  FixedVector& operator=(FixedVector&& other) noexcept {
    if (this != &other) {
      release();
      swap(other);
    }
    return *this;
  }

  /// Makes room for so many elements, if there is less.
  nvidia::Expected<void, Error> reserve(std::size_t capacity) {
    return capacity > this->capacity_ ? move_to_room_for(capacity)
                                      : nvidia::Expected<void, Error>{};
  }

  /// Gives back the room that is free.
  nvidia::Expected<void, Error> shrink_to_fit() {
    return this->full() ? nvidia::Expected<void, Error>{} : move_to_room_for(this->size_);
  }

  /// Takes copies of the elements of another vector in the place of its own.
  nvidia::Expected<void, Error> copy_from(const FixedVector& other) {
    FixedVector copy;
    const auto room = copy.reserve(other.size_);
    if (!room) {
      return room;
    }
    std::uninitialized_copy_n(other.data_, other.size_, copy.data_);
    copy.size_ = other.size_;
    swap(copy);
    return {};
  }

 private:
  nvidia::Expected<void, Error> move_to_room_for(std::size_t capacity) {
    FixedVector moved;
    if (capacity > 0) {
      moved.data_ = AllocateArray<T>(capacity);
      if (moved.data_ == nullptr) {
        return nvidia::Unexpected<Error>{Error::kOutOfMemory};
      }
    }
    moved.capacity_ = capacity;
    for (std::size_t i = 0; i < this->size_; ++i) {
      ::new (static_cast<void*>(moved.data_ + i)) T(std::move_if_noexcept(this->data_[i]));
      ++moved.size_;
    }
    swap(moved);
    return {};
  }

  void release() {
    this->clear();
    DeallocateArray(this->data_);
    this->data_ = nullptr;
    this->capacity_ = 0;
  }

  void swap(FixedVector& other) noexcept {
    std::swap(this->data_, other.data_);
    std::swap(this->capacity_, other.capacity_);
    std::swap(this->size_, other.size_);
  }
};

}  // namespace nvidia
