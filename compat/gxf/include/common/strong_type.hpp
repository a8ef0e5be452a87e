#pragma once

#include <type_traits>
#include <utility>

namespace nvidia {

/// A value of type V that does not mix with other values of type V: the tag tells them apart.
template <typename Tag, typename V>
class StrongType {
  template <typename... Args>
  struct IsSelf : std::false_type {};
  template <typename Arg>
  struct IsSelf<Arg> : std::is_base_of<StrongType, std::decay_t<Arg>> {};

 public:
  using value_type = V;

  /// From anything that makes a V.
  template <typename... Args, typename = std::enable_if_t<!IsSelf<Args...>::value &&
                                                          std::is_constructible_v<V, Args...>>>
  explicit constexpr StrongType(Args&&... args) : value_(std::forward<Args>(args)...) {}

  explicit constexpr operator const V&() const noexcept { return value_; }

  constexpr V& value() & noexcept { return value_; }
  constexpr const V& value() const& noexcept { return value_; }
  constexpr V&& value() && noexcept { return std::move(value_); }
  constexpr const V&& value() const&& noexcept { return std::move(value_); }

  constexpr V* operator->() noexcept { return &value_; }
  constexpr const V* operator->() const noexcept { return &value_; }

  friend constexpr bool operator==(const StrongType& a, const StrongType& b) {
    return a.value_ == b.value_;
  }
  friend constexpr bool operator!=(const StrongType& a, const StrongType& b) {
    return !(a.value_ == b.value_);
  }
  friend constexpr bool operator<(const StrongType& a, const StrongType& b) {
    return a.value_ < b.value_;
  }
  friend constexpr bool operator>(const StrongType& a, const StrongType& b) {
    return b.value_ < a.value_;
  }
  friend constexpr bool operator<=(const StrongType& a, const StrongType& b) {
    return !(b.value_ < a.value_);
  }
  friend constexpr bool operator>=(const StrongType& a, const StrongType& b) {
    return !(a.value_ < b.value_);
  }

 private:
  V value_;
};

}  // namespace nvidia
