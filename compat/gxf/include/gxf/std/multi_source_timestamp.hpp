#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/expected.hpp"
#include "common/fixed_vector.hpp"
#include "common/iterator.hpp"

namespace nvidia {
namespace gxf {

/// When a message was published and when its data was acquired, ns. The same part of a message as
/// gxr::Timestamp.
struct Timestamp {
  int64_t pubtime;
  int64_t acqtime;
};

/// Which clock a time was read from.
enum TimeDomainID : uint8_t {
  TSC = 0,
  NTP = 1,
  PTP = 2,
  TIME_DOMAIN_COUNT = 3,
};

constexpr std::size_t MAX_TIME_DOMAINS = 3;

}  // namespace gxf

/// The same part of a message as gxr::MultiSourceTimestamp, which is why its objects contain no
/// address. Unlike other vectors it is no FixedVectorBase.
template <>
class FixedVector<std::pair<gxf::Timestamp, gxf::TimeDomainID>,
                  static_cast<ssize_t>(gxf::MAX_TIME_DOMAINS)> {
 public:
  using value_type = std::pair<gxf::Timestamp, gxf::TimeDomainID>;
  using Error = typename FixedVectorBase<value_type>::Error;
  template <typename V>
  using Expected = nvidia::Expected<V, Error>;
  using Unexpected = nvidia::Unexpected<Error>;
  using iterator = RandomAccessIterator<value_type, FixedVector>;
  using const_iterator = RandomAccessIterator<value_type, const FixedVector>;

  iterator begin() { return {*this, 0}; }
  iterator end() { return {*this, size()}; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, size()}; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }

  value_type* data() { return elements_.data(); }
  const value_type* data() const { return elements_.data(); }
  std::size_t size() const { return size_; }
  static constexpr std::size_t capacity() { return gxf::MAX_TIME_DOMAINS; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity(); }

  Expected<value_type&> at(std::size_t index) {
    if (index >= size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    return elements_[index];
  }
  Expected<const value_type&> at(std::size_t index) const {
    if (index >= size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    return elements_[index];
  }
  Expected<value_type&> operator[](std::size_t index) { return at(index); }
  Expected<const value_type&> operator[](std::size_t index) const { return at(index); }
  Expected<value_type&> front() { return or_empty(at(0)); }
  Expected<const value_type&> front() const { return or_empty(at(0)); }
  Expected<value_type&> back() { return or_empty(at(size_ - 1)); }
  Expected<const value_type&> back() const { return or_empty(at(size_ - 1)); }

  template <typename... Args>
  Expected<void> emplace_back(Args&&... args) {
    if (full()) {
      return Unexpected{Error::kContainerFull};
    }
    elements_[size_] = value_type(std::forward<Args>(args)...);
    ++size_;
    return {};
  }
  Expected<void> push_back(const value_type& value) { return emplace_back(value); }
  Expected<void> erase(std::size_t index) {
    if (index >= size_) {
      return Unexpected{Error::kArgumentOutOfRange};
    }
    for (--size_; index < size_; ++index) {
      elements_[index] = elements_[index + 1];
    }
    return {};
  }
  Expected<void> pop_back() {
    if (empty()) {
      return Unexpected{Error::kContainerEmpty};
    }
    --size_;
    return {};
  }
  void clear() { size_ = 0; }

 private:
  template <typename E>
  static E or_empty(E element) {
    return element ? element : E(Unexpected{Error::kContainerEmpty});
  }

  std::array<value_type, gxf::MAX_TIME_DOMAINS> elements_{};
  std::size_t size_ = 0;
};

namespace gxf {

/// One moment as several clocks see it.
using MultiSourceTimestamp = FixedVector<std::pair<Timestamp, TimeDomainID>, MAX_TIME_DOMAINS>;

}  // namespace gxf
}  // namespace nvidia
