#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "common/expected.hpp"
#include "common/fixed_map.hpp"

namespace nvidia {

/// Values under numbers that it gives out, and never twice.
template <typename T>
class UniqueIndexMap {
  using Map = FixedMap<std::size_t, T>;

 public:
  using Error = typename Map::Error;
  template <typename V>
  using Expected = nvidia::Expected<V, Error>;
  using Unexpected = nvidia::Unexpected<Error>;

  std::size_t size() const { return values_.size(); }
  std::size_t capacity() const { return values_.capacity(); }
  bool empty() const { return values_.empty(); }
  bool full() const { return values_.full(); }

  /// Makes room for so many values, if there is less.
  Expected<void> reserve(std::size_t capacity) { return values_.reserve(capacity); }

  /// Makes a value and answers its number.
  template <typename... Args>
  Expected<std::size_t> emplace(Args&&... args) {
    const auto made = values_.emplace(next_, std::forward<Args>(args)...);
    if (!made) {
      return Unexpected{made.error()};
    }
    return next_++;
  }
  Expected<std::size_t> insert(T value) { return emplace(std::move(value)); }

  bool valid(std::size_t index) const { return values_.contains(index); }
  Expected<T&> at(std::size_t index) { return values_.at(index); }
  Expected<const T&> at(std::size_t index) const { return values_.at(index); }
  Expected<T&> operator[](std::size_t index) { return at(index); }
  Expected<const T&> operator[](std::size_t index) const { return at(index); }

  Expected<void> erase(std::size_t index) { return values_.erase(index); }
  void clear() { values_.clear(); }

 private:
  Map values_;
  std::size_t next_ = 0;
};

}  // namespace nvidia
