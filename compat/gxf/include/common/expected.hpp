#pragma once

#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "common/logger.hpp"
#include "common/strong_type.hpp"
#include "gxf/core/export.hpp"

namespace nvidia {

struct UnexpectedTag;

/// An error on its way into an Expected.
template <typename E>
using Unexpected = StrongType<UnexpectedTag, E>;

/// A value, or the error that is there instead. Wrong uses panic: see common/panic.hpp.
template <typename T, typename E>
class Expected;

namespace expected_macro {

template <typename S>
class ResultProxy;

}  // namespace expected_macro

namespace detail {

[[noreturn]] GXR_GXF_API void PanicNoValue(const char* error_name, long long error);
[[noreturn]] GXR_GXF_API void PanicNoError();

/// Error types with names have a function gxf_error_name() beside them.
template <typename E>
auto NameOfError(const E& error, int) -> decltype(static_cast<const char*>(gxf_error_name(error))) {
  return gxf_error_name(error);
}
template <typename E>
const char* NameOfError(const E&, long) {
  return nullptr;
}

template <typename E>
[[noreturn]] void PanicWith(const E& error) {
  if constexpr (std::is_enum_v<E> || std::is_integral_v<E>) {
    PanicNoValue(NameOfError(error, 0), static_cast<long long>(error));
  } else {
    PanicNoValue("of another type than a number", 0);
  }
}

template <typename T>
struct IsExpected : std::false_type {};
template <typename T, typename E>
struct IsExpected<Expected<T, E>> : std::true_type {};

/// Types that are never taken for a value that an Expected is made of.
template <typename T>
struct IsNoValue : IsExpected<T> {};
template <typename E>
struct IsNoValue<StrongType<UnexpectedTag, E>> : std::true_type {};
template <typename S>
struct IsNoValue<expected_macro::ResultProxy<S>> : std::true_type {};

template <typename T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <typename T>
constexpr bool kMayBeValue = !IsNoValue<Plain<T>>::value;

// Lazy, because a T that takes anything may ask again whether it takes an Expected<T>.
template <typename T, typename U>
constexpr bool kTakes =
    std::conjunction_v<std::negation<IsNoValue<Plain<U>>>, std::is_convertible<U&&, T>>;
template <typename T, typename U>
constexpr bool kTakesExplicitly =
    std::conjunction_v<std::negation<IsNoValue<Plain<U>>>,
                       std::negation<std::is_convertible<U&&, T>>, std::is_constructible<T, U&&>>;
template <typename T, typename First, typename... Args>
constexpr bool kIsMadeOf = std::conjunction_v<std::negation<IsNoValue<Plain<First>>>,
                                              std::is_constructible<T, First, Args...>>;

/// Can be followed by an Expected of error type E that holds R; an Expected is not held but taken.
template <typename R, typename E>
struct Held {
  using Type = Expected<std::remove_cv_t<R>, E>;
};
template <typename R, typename E>
struct Held<R&, E> {
  using Type = Expected<R&, E>;
};
template <typename R, typename E>
struct Held<R&&, E> : Held<R, E> {};
template <typename U, typename G, typename E>
struct Held<Expected<U, G>, E> {
  using Type = Expected<U, E>;
};
template <typename U, typename G, typename E>
struct Held<const Expected<U, G>, E> : Held<Expected<U, G>, E> {};
template <typename U, typename G, typename E>
struct Held<Expected<U, G>&, E> : Held<Expected<U, G>, E> {};
template <typename U, typename G, typename E>
struct Held<const Expected<U, G>&, E> : Held<Expected<U, G>, E> {};
template <typename R, typename E>
using Held_t = typename Held<R, E>::Type;

/// The answer of a function, as an Expected.
template <typename E, typename F>
auto Answer(F&& function) {
  using R = decltype(function());
  if constexpr (std::is_void_v<R>) {
    function();
    return Expected<void, E>{};
  } else {
    return Held_t<R, E>(function());
  }
}

/// Calls a function with the value of an Expected, or without anything if it takes nothing.
template <typename Self, typename F, typename... Args>
decltype(auto) CallWithValue(Self&& self, F&& function, Args&&... args) {
  if constexpr (std::is_void_v<typename Plain<Self>::value_type>) {
    return std::invoke(std::forward<F>(function), std::forward<Args>(args)...);
  } else if constexpr (std::is_invocable_v<F, decltype(std::forward<Self>(self).value()),
                                           Args...>) {
    return std::invoke(std::forward<F>(function), std::forward<Self>(self).value(),
                       std::forward<Args>(args)...);
  } else {
    return std::invoke(std::forward<F>(function), std::forward<Args>(args)...);
  }
}

/// The error of an Expected for another one.
template <typename R, typename Self>
R ForwardedError(Self&& self) {
  using E = typename Plain<Self>::error_type;
  const char* const message = self.get_error_message();
  return R(Unexpected<E>(std::forward<Self>(self).error()), message);
}

template <typename Self, typename F, typename... Args>
auto Map(Self&& self, F&& function, Args&&... args) {
  using E = typename Plain<Self>::error_type;
  const auto call = [&]() -> decltype(auto) {
    return CallWithValue(std::forward<Self>(self), std::forward<F>(function),
                         std::forward<Args>(args)...);
  };
  using R = decltype(Answer<E>(call));
  if (self.has_value()) {
    return Answer<E>(call);
  }
  return ForwardedError<R>(std::forward<Self>(self));
}

template <typename Self, typename F>
auto AndThen(Self&& self, F&& function) {
  using E = typename Plain<Self>::error_type;
  using R = decltype(Answer<E>(std::forward<F>(function)));
  if (self.has_value()) {
    return Answer<E>(std::forward<F>(function));
  }
  return ForwardedError<R>(std::forward<Self>(self));
}

/// The type of an Expected<T> whose error a function has replaced.
template <typename T, typename G, typename E>
struct Recovered {
  using Type = Expected<T, Plain<G>>;
};
template <typename T, typename E>
struct Recovered<T, void, E> {
  using Type = Expected<T, E>;
};
template <typename T, typename G, typename E>
struct Recovered<T, StrongType<UnexpectedTag, G>, E> {
  using Type = Expected<T, G>;
};
template <typename T, typename U, typename G, typename E>
struct Recovered<T, Expected<U, G>, E> {
  using Type = Expected<T, G>;
};

template <typename T, typename E, typename F>
auto MapError(T&& self, F&& function) {
  using Value = typename Plain<T>::value_type;
  using G = decltype(function());
  using R =
      typename Recovered<Value, std::conditional_t<std::is_void_v<G>, void, Plain<G>>, E>::Type;
  if (self.has_value()) {
    if constexpr (std::is_void_v<Value>) {
      return R{};
    } else {
      return R(std::forward<T>(self).value());
    }
  }
  if constexpr (std::is_void_v<G>) {
    function();
    return R(std::forward<T>(self));
  } else if constexpr (!kMayBeValue<G>) {
    return R(function());
  } else {
    return R(Unexpected<Plain<G>>(function()));
  }
}

template <typename Self, typename V>
auto Substitute(Self&& self, V&& value) {
  using R = Held_t<std::decay_t<V>, typename Plain<Self>::error_type>;
  if (self.has_value()) {
    return R(std::forward<V>(value));
  }
  return ForwardedError<R>(std::forward<Self>(self));
}

template <typename Self, typename U>
auto AssignTo(Self&& self, U& target) {
  using R = Expected<void, typename Plain<Self>::error_type>;
  if (!self.has_value()) {
    return ForwardedError<R>(std::forward<Self>(self));
  }
  if constexpr (std::is_arithmetic_v<U>) {
    target = static_cast<U>(std::forward<Self>(self).value());
  } else {
    target = std::forward<Self>(self).value();
  }
  return R{};
}

/// The members that all forms of Expected share, made of has_value(), value() and error().
template <typename T, typename E>
class ExpectedMembers {
  using Self = Expected<T, E>;

  Self& self() & { return static_cast<Self&>(*this); }
  const Self& self() const& { return static_cast<const Self&>(*this); }
  Self&& self() && { return static_cast<Self&&>(*this); }

 public:
  explicit operator bool() const noexcept { return self().has_value(); }

  /// The answer of `function`, called with the value if it takes one, or of a member of the value;
  /// or else the error.
  template <typename F, typename... Args>
  auto map(F&& function, Args&&... args) & {
    return Map(self(), std::forward<F>(function), std::forward<Args>(args)...);
  }
  template <typename F, typename... Args>
  auto map(F&& function, Args&&... args) const& {
    return Map(self(), std::forward<F>(function), std::forward<Args>(args)...);
  }
  template <typename F, typename... Args>
  auto map(F&& function, Args&&... args) && {
    return Map(std::move(*this).self(), std::forward<F>(function), std::forward<Args>(args)...);
  }

  /// The answer of `function`, which takes nothing, or else the error.
  template <typename F>
  auto and_then(F&& function) const& {
    return AndThen(self(), std::forward<F>(function));
  }
  template <typename F>
  auto and_then(F&& function) && {
    return AndThen(std::move(*this).self(), std::forward<F>(function));
  }

  /// The value, or else what `function` makes of the error.
  template <typename F>
  auto map_error(F&& function) const& {
    return MapError<const Self&, E>(
        self(), [&]() -> decltype(auto) { return std::invoke(function, self().error()); });
  }
  template <typename F>
  auto map_error(F&& function) && {
    // The error is copied, since a function that answers nothing leaves it where it is.
    return MapError<Self, E>(std::move(*this).self(), [&]() -> decltype(auto) {
      return std::invoke(function, const_cast<const ExpectedMembers&>(*this).self().error());
    });
  }

  /// The value, or else the error that `function`, which takes nothing, answers.
  template <typename F>
  auto and_then_error(F&& function) const& {
    return MapError<const Self&, E>(self(), std::forward<F>(function));
  }
  template <typename F>
  auto and_then_error(F&& function) && {
    return MapError<Self, E>(std::move(*this).self(), std::forward<F>(function));
  }

  /// Another value, or else the error.
  template <typename V>
  auto substitute(V&& value) const& {
    return Substitute(self(), std::forward<V>(value));
  }
  template <typename V>
  auto substitute(V&& value) && {
    return Substitute(std::move(*this).self(), std::forward<V>(value));
  }

  /// The value, or else another error.
  template <typename G>
  auto substitute_error(G&& error) const& {
    return MapError<const Self&, E>(self(),
                                    [&]() -> std::decay_t<G> { return std::forward<G>(error); });
  }
  template <typename G>
  auto substitute_error(G&& error) && {
    return MapError<Self, E>(std::move(*this).self(),
                             [&]() -> std::decay_t<G> { return std::forward<G>(error); });
  }

  /// Assigns the value to `target`, which stays as it is if there is an error.
  template <typename U>
  Expected<void, E> assign_to(U& target) const& {
    return AssignTo(self(), target);
  }
  template <typename U>
  Expected<void, E> assign_to(U& target) && {
    return AssignTo(std::move(*this).self(), target);
  }

  /// The value if `predicate` holds for it, or else `error`; or the error that there is.
  template <typename P, typename G>
  Self guard(P&& predicate, G&& error) const& {
    if (self().has_value() && !CallWithValue(self(), std::forward<P>(predicate))) {
      return Unexpected<E>(std::forward<G>(error));
    }
    return self();
  }
  template <typename P, typename G>
  Self guard(P&& predicate, G&& error) && {
    const Self& here = static_cast<Self&>(*this);
    if (here.has_value() && !CallWithValue(here, std::forward<P>(predicate))) {
      return Unexpected<E>(std::forward<G>(error));
    }
    return std::move(*this).self();
  }

  /// Success, whatever there is.
  Expected<void, E> ignore_error() const { return {}; }

  // If there is an error, these write a line to the log.
  template <typename... Args>
  Self& log_error(const char* format, Args... args) & {
    return log(Severity::ERROR, format, args...), self();
  }
  template <typename... Args>
  const Self& log_error(const char* format, Args... args) const& {
    return log(Severity::ERROR, format, args...), self();
  }
  template <typename... Args>
  Self log_error(const char* format, Args... args) && {
    return log(Severity::ERROR, format, args...), std::move(*this).self();
  }
  template <typename... Args>
  Self& log_warning(const char* format, Args... args) & {
    return log(Severity::WARNING, format, args...), self();
  }
  template <typename... Args>
  const Self& log_warning(const char* format, Args... args) const& {
    return log(Severity::WARNING, format, args...), self();
  }
  template <typename... Args>
  Self log_warning(const char* format, Args... args) && {
    return log(Severity::WARNING, format, args...), std::move(*this).self();
  }
  template <typename... Args>
  Self& log_info(const char* format, Args... args) & {
    return log(Severity::INFO, format, args...), self();
  }
  template <typename... Args>
  const Self& log_info(const char* format, Args... args) const& {
    return log(Severity::INFO, format, args...), self();
  }
  template <typename... Args>
  Self log_info(const char* format, Args... args) && {
    return log(Severity::INFO, format, args...), std::move(*this).self();
  }
  template <typename... Args>
  Self& log_debug(const char* format, Args... args) & {
    return log(Severity::DEBUG, format, args...), self();
  }
  template <typename... Args>
  const Self& log_debug(const char* format, Args... args) const& {
    return log(Severity::DEBUG, format, args...), self();
  }
  template <typename... Args>
  Self log_debug(const char* format, Args... args) && {
    return log(Severity::DEBUG, format, args...), std::move(*this).self();
  }

 private:
  template <typename... Args>
  void log(Severity severity, const char* format, Args... args) const {
    if (!self().has_value()) {
      LogUnchecked("Expected", 1, severity, format, args...);
    }
  }
};

/// An error, if there is one, with the text that came with it.
template <typename E>
class ErrorMessage {
 public:
  /// The text that came with the error; empty if there was none.
  [[nodiscard]] const char* get_error_message() const noexcept {
    return message_ == nullptr ? "" : message_;
  }

 protected:
  const char* message_ = nullptr;
};

/// Takes copying away from a class that derives from it and could not copy its value.
template <bool kCopyable>
struct CopyGate {};
template <>
struct CopyGate<false> {
  CopyGate() = default;
  ~CopyGate() = default;
  CopyGate(const CopyGate&) = delete;
  CopyGate(CopyGate&&) = default;
  CopyGate& operator=(const CopyGate&) = delete;
  CopyGate& operator=(CopyGate&&) = default;
};

/// A value or an error, in the same memory.
template <typename T, typename E>
class ValueOrError : public ErrorMessage<E> {
 public:
  ~ValueOrError() { destroy(); }

 protected:
  struct OfValue {};
  struct OfError {};

  template <typename... Args>
  explicit ValueOrError(OfValue, Args&&... args)
      : value_(std::forward<Args>(args)...), has_value_(true) {}
  template <typename G>
  ValueOrError(OfError, G&& error, const char* message)
      : error_(std::forward<G>(error)), has_value_(false) {
    this->message_ = message;
  }

  ValueOrError(const ValueOrError& other) : ErrorMessage<E>(other), has_value_(other.has_value_) {
    if (has_value_) {
      make_value(other.value_);
    } else {
      make_error(other.error_);
    }
  }
  ValueOrError(ValueOrError&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
      : ErrorMessage<E>(other), has_value_(other.has_value_) {
    if (has_value_) {
      make_value(std::move(other.value_));
    } else {
      make_error(std::move(other.error_));
    }
  }

  ValueOrError& operator=(const ValueOrError& other) {
    if (this != &other) {
      *this = ValueOrError(other);
    }
    return *this;
  }
  ValueOrError& operator=(ValueOrError&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this == &other) {
      return *this;
    }
    if (other.has_value_) {
      if constexpr (std::is_move_assignable_v<T>) {
        if (has_value_) {
          value_ = std::move(other.value_);
          this->message_ = other.message_;
          return *this;
        }
      }
      emplace(std::move(other.value_));
    } else if (has_value_) {
      value_.~T();
      has_value_ = false;
      make_error(std::move(other.error_));
    } else {
      error_ = std::move(other.error_);
    }
    this->message_ = other.message_;
    return *this;
  }

  /// Makes a value. If its constructor throws, an error stays and a value is kept.
  template <typename... Args>
  T& emplace(Args&&... args) {
    if constexpr (std::is_nothrow_constructible_v<T, Args...>) {
      destroy();
      make_value(std::forward<Args>(args)...);
    } else {
      std::remove_cv_t<T> made(std::forward<Args>(args)...);
      destroy();
      make_value(std::move(made));
    }
    has_value_ = true;
    this->message_ = nullptr;
    return value_;
  }

  union {
    T value_;
    Unexpected<E> error_;
  };
  bool has_value_;

 private:
  template <typename... Args>
  void make_value(Args&&... args) {
    ::new (const_cast<void*>(static_cast<const void*>(&value_))) T(std::forward<Args>(args)...);
  }
  template <typename G>
  void make_error(G&& error) {
    ::new (static_cast<void*>(&error_)) Unexpected<E>(std::forward<G>(error));
  }
  void destroy() noexcept {
    if (has_value_) {
      value_.~T();
    } else {
      error_.~StrongType();
    }
  }
};

}  // namespace detail

template <typename T, typename E>
class Expected : public detail::ExpectedMembers<T, E>,
                 private detail::ValueOrError<T, E>,
                 private detail::CopyGate<std::is_copy_constructible_v<T>> {
  using Base = detail::ValueOrError<T, E>;
  using typename Base::OfError;
  using typename Base::OfValue;

  template <typename U, typename V>
  static constexpr bool kConverts = !std::is_void_v<U> && std::is_convertible_v<V, T>;
  template <typename U, typename V>
  static constexpr bool kConvertsExplicitly =
      !std::is_void_v<U> && !std::is_convertible_v<V, T> && std::is_constructible_v<T, V>;

 public:
  using value_type = T;
  using error_type = E;

  Expected(const Expected&) = default;
  Expected(Expected&&) = default;
  ~Expected() = default;

  template <typename U = T, std::enable_if_t<detail::kTakes<T, U>, int> = 0>
  Expected(U&& value) : Base(OfValue{}, static_cast<T>(std::forward<U>(value))) {}
  template <typename U = T, std::enable_if_t<detail::kTakesExplicitly<T, U>, int> = 0>
  explicit Expected(U&& value) : Base(OfValue{}, std::forward<U>(value)) {}
  template <typename First, typename Second, typename... Args,
            std::enable_if_t<detail::kIsMadeOf<T, First, Second, Args...>, int> = 0>
  explicit Expected(First&& first, Second&& second, Args&&... args)
      : Base(OfValue{}, std::forward<First>(first), std::forward<Second>(second),
             std::forward<Args>(args)...) {}

  template <typename G, std::enable_if_t<std::is_convertible_v<const G&, E>, int> = 0>
  Expected(const Unexpected<G>& error, const char* message = nullptr)
      : Base(OfError{}, static_cast<E>(error.value()), message) {}
  template <typename G, std::enable_if_t<std::is_convertible_v<G&&, E>, int> = 0>
  Expected(Unexpected<G>&& error, const char* message = nullptr)
      : Base(OfError{}, static_cast<E>(std::move(error).value()), message) {}

  template <typename U, typename G,
            std::enable_if_t<kConverts<U, std::add_lvalue_reference_t<const U>> &&
                                 std::is_convertible_v<const G&, E>,
                             int> = 0>
  Expected(const Expected<U, G>& other)
      : Expected(other.has_value() ? Expected(OfValue{}, other) : Expected(OfError{}, other)) {}
  template <typename U, typename G,
            std::enable_if_t<kConvertsExplicitly<U, std::add_lvalue_reference_t<const U>> &&
                                 std::is_convertible_v<const G&, E>,
                             int> = 0>
  explicit Expected(const Expected<U, G>& other)
      : Expected(other.has_value() ? Expected(OfValue{}, other) : Expected(OfError{}, other)) {}
  template <
      typename U, typename G,
      std::enable_if_t<
          kConverts<U, std::add_rvalue_reference_t<U>> && std::is_convertible_v<G&&, E>, int> = 0>
  Expected(Expected<U, G>&& other)
      : Expected(other.has_value() ? Expected(OfValue{}, std::move(other))
                                   : Expected(OfError{}, std::move(other))) {}
  template <typename U, typename G,
            std::enable_if_t<kConvertsExplicitly<U, std::add_rvalue_reference_t<U>> &&
                                 std::is_convertible_v<G&&, E>,
                             int> = 0>
  explicit Expected(Expected<U, G>&& other)
      : Expected(other.has_value() ? Expected(OfValue{}, std::move(other))
                                   : Expected(OfError{}, std::move(other))) {}

  Expected& operator=(const Expected&) = default;
  Expected& operator=(Expected&&) = default;
  template <typename U = T, std::enable_if_t<detail::kTakes<T, U>, int> = 0>
  Expected& operator=(U&& value) {
    if constexpr (std::is_assignable_v<T&, U&&> && std::is_same_v<detail::Plain<U>, T>) {
      if (has_value()) {
        this->value_ = std::forward<U>(value);
        return *this;
      }
    }
    this->emplace(static_cast<T>(std::forward<U>(value)));
    return *this;
  }

  [[nodiscard]] bool has_value() const noexcept { return this->has_value_; }
  using Base::get_error_message;

  T& value() & {
    require_value();
    return this->value_;
  }
  const T& value() const& {
    require_value();
    return this->value_;
  }
  T&& value() && {
    require_value();
    return std::move(this->value_);
  }
  const T&& value() const&& {
    require_value();
    return std::move(this->value_);
  }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T&& operator*() const&& { return std::move(*this).value(); }

  T* operator->() { return std::addressof(value()); }
  const T* operator->() const { return std::addressof(value()); }

  E& error() & {
    require_error();
    return this->error_.value();
  }
  const E& error() const& {
    require_error();
    return this->error_.value();
  }
  E&& error() && {
    require_error();
    return std::move(this->error_).value();
  }

  /// The value, or else another one.
  template <typename U>
  T value_or(U&& other) const& {
    return has_value() ? this->value_ : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  T value_or(U&& other) && {
    return has_value() ? std::move(this->value_) : static_cast<T>(std::forward<U>(other));
  }

  using detail::ExpectedMembers<T, E>::ignore_error;
  /// Itself, with another value in the place of an error.
  template <typename U>
  Expected ignore_error(U&& other) const& {
    return has_value() ? *this : Expected(static_cast<T>(std::forward<U>(other)));
  }
  template <typename U>
  Expected ignore_error(U&& other) && {
    return has_value() ? std::move(*this) : Expected(static_cast<T>(std::forward<U>(other)));
  }

  /// Makes a new value in the place of what there is.
  template <typename... Args>
  T& replace(Args&&... args) {
    return this->emplace(std::forward<Args>(args)...);
  }

 private:
  template <typename Other>
  Expected(OfValue kind, Other&& other)
      : Base(kind, static_cast<T>(std::forward<Other>(other).value())) {}
  template <typename Other>
  Expected(OfError kind, Other&& other)
      : Base(kind, static_cast<E>(std::forward<Other>(other).error()), other.get_error_message()) {}

  void require_value() const {
    if (!has_value()) {
      detail::PanicWith(this->error_.value());
    }
  }
  void require_error() const {
    if (has_value()) {
      detail::PanicNoError();
    }
  }
};

/// An object that exists elsewhere, or an error.
template <typename T, typename E>
class Expected<T&, E> : public detail::ExpectedMembers<T&, E> {
 public:
  using value_type = T&;
  using error_type = E;

  template <typename U,
            std::enable_if_t<detail::kMayBeValue<U> && std::is_convertible_v<U*, T*>, int> = 0>
  Expected(U& object) : object_(std::addressof(object)) {}
  template <typename G, std::enable_if_t<std::is_convertible_v<const G&, E>, int> = 0>
  Expected(const Unexpected<G>& error, const char* message = nullptr)
      : object_(Unexpected<E>(static_cast<E>(error.value())), message) {}
  template <typename U, typename G,
            std::enable_if_t<std::is_convertible_v<U*, T*> && std::is_convertible_v<const G&, E>,
                             int> = 0>
  Expected(const Expected<U&, G>& other)
      : object_(other.has_value() ? Pointer(std::addressof(other.value()))
                                  : Pointer(Unexpected<E>(static_cast<E>(other.error())),
                                            other.get_error_message())) {}

  [[nodiscard]] bool has_value() const noexcept { return object_.has_value(); }
  [[nodiscard]] const char* get_error_message() const noexcept {
    return object_.get_error_message();
  }

  T& value() const { return *object_.value(); }
  T& operator*() const { return value(); }
  T* operator->() const { return object_.value(); }

  E& error() & { return object_.error(); }
  const E& error() const& { return object_.error(); }
  E&& error() && { return std::move(object_).error(); }

  /// The object, or else another one.
  T& value_or(T& other) const { return has_value() ? value() : other; }
  /// A copy of the object, or else another value.
  template <typename U, std::enable_if_t<!std::is_convertible_v<U&&, T&>, int> = 0>
  std::remove_cv_t<T> value_or(U&& other) const {
    return has_value() ? value() : static_cast<std::remove_cv_t<T>>(std::forward<U>(other));
  }

  using detail::ExpectedMembers<T&, E>::ignore_error;
  Expected ignore_error(T& other) const { return has_value() ? *this : Expected(other); }

  /// Names another object.
  T& replace(T& object) { return *object_.replace(std::addressof(object)); }

 private:
  using Pointer = Expected<T*, E>;

  Pointer object_;
};

/// Success or an error.
template <typename E>
class Expected<void, E> : public detail::ExpectedMembers<void, E> {
 public:
  using value_type = void;
  using error_type = E;

  Expected() : status_(Nothing{}) {}
  template <typename G, std::enable_if_t<std::is_convertible_v<const G&, E>, int> = 0>
  Expected(const Unexpected<G>& error, const char* message = nullptr)
      : status_(Unexpected<E>(static_cast<E>(error.value())), message) {}
  template <typename G, std::enable_if_t<std::is_convertible_v<G&&, E>, int> = 0>
  Expected(Unexpected<G>&& error, const char* message = nullptr)
      : status_(Unexpected<E>(static_cast<E>(std::move(error).value())), message) {}
  template <typename U, typename G,
            std::enable_if_t<!(std::is_void_v<U> &&
                               std::is_same_v<G, E>)&&std::is_convertible_v<const G&, E>,
                             int> = 0>
  explicit Expected(const Expected<U, G>& other)
      : status_(other.has_value() ? Status(Nothing{})
                                  : Status(Unexpected<E>(static_cast<E>(other.error())),
                                           other.get_error_message())) {}

  [[nodiscard]] bool has_value() const noexcept { return status_.has_value(); }
  [[nodiscard]] const char* get_error_message() const noexcept {
    return status_.get_error_message();
  }

  /// Panics if there is an error.
  void value() const { static_cast<void>(status_.value()); }
  void operator*() const { value(); }

  E& error() & { return status_.error(); }
  const E& error() const& { return status_.error(); }
  E&& error() && { return std::move(status_).error(); }

  using detail::ExpectedMembers<void, E>::ignore_error;

  /// Success, in the place of what there is.
  void replace() { status_.replace(); }

 private:
  struct Nothing {};
  using Status = Expected<Nothing, E>;

  Status status_;
};

// --- comparisons -------------------------------------------------------------------------------

/// Both have equal values, or both equal errors.
template <typename T, typename E, typename U, typename G,
          std::enable_if_t<!std::is_void_v<T> && !std::is_void_v<U>, int> = 0>
bool operator==(const Expected<T, E>& a, const Expected<U, G>& b) {
  if (a.has_value() != b.has_value()) {
    return false;
  }
  return a.has_value() ? a.value() == b.value() : a.error() == b.error();
}
template <typename T, typename E, typename U, typename G,
          std::enable_if_t<!std::is_void_v<T> && !std::is_void_v<U>, int> = 0>
bool operator!=(const Expected<T, E>& a, const Expected<U, G>& b) {
  return !(a == b);
}

template <typename T, typename E, typename U,
          std::enable_if_t<!std::is_void_v<T> && detail::kMayBeValue<U>, int> = 0>
bool operator==(const Expected<T, E>& a, const U& b) {
  return a.has_value() && a.value() == b;
}
template <typename T, typename E, typename U,
          std::enable_if_t<!std::is_void_v<T> && detail::kMayBeValue<U>, int> = 0>
bool operator==(const U& a, const Expected<T, E>& b) {
  return b.has_value() && a == b.value();
}
template <typename T, typename E, typename U,
          std::enable_if_t<!std::is_void_v<T> && detail::kMayBeValue<U>, int> = 0>
bool operator!=(const Expected<T, E>& a, const U& b) {
  return !(a == b);
}
template <typename T, typename E, typename U,
          std::enable_if_t<!std::is_void_v<T> && detail::kMayBeValue<U>, int> = 0>
bool operator!=(const U& a, const Expected<T, E>& b) {
  return !(a == b);
}

template <typename T, typename E, typename G>
bool operator==(const Expected<T, E>& a, const Unexpected<G>& b) {
  return !a.has_value() && a.error() == b.value();
}
template <typename T, typename E, typename G>
bool operator==(const Unexpected<G>& a, const Expected<T, E>& b) {
  return b == a;
}
template <typename T, typename E, typename G>
bool operator!=(const Expected<T, E>& a, const Unexpected<G>& b) {
  return !(a == b);
}
template <typename T, typename E, typename G>
bool operator!=(const Unexpected<G>& a, const Expected<T, E>& b) {
  return !(b == a);
}

// --- several of them -----------------------------------------------------------------------------

/// Success if both have a value, or else the first error.
template <typename T, typename U, typename E, typename G>
Expected<void, E> operator&(const Expected<T, E>& a, const Expected<U, G>& b) {
  return a.has_value() ? Expected<void, E>(b) : Expected<void, E>(a);
}

/// Success if one has a value, or else the first error.
template <typename T, typename U, typename E, typename G>
Expected<void, E> operator|(const Expected<T, E>& a, const Expected<U, G>& b) {
  return b.has_value() ? Expected<void, E>(b) : Expected<void, E>(a);
}

/// Keeps its first error.
template <typename U, typename E, typename G>
Expected<void, E>& operator&=(Expected<void, E>& a, const Expected<U, G>& b) {
  if (a.has_value()) {
    a = Expected<void, E>(b);
  }
  return a;
}

template <typename U, typename E, typename G>
Expected<void, E>& operator|=(Expected<void, E>& a, const Expected<U, G>& b) {
  return a = a | b;
}

/// Success if all have a value, or else the first error.
template <typename T, typename E, typename... Others>
Expected<void, E> AllOf(const Expected<T, E>& first, const Others&... others) {
  Expected<void, E> all(first);
  static_cast<void>((all &= ... &= others));
  return all;
}

/// The answer of `function`, called with all values, or else the first error.
template <typename F, typename First, typename... Others>
auto Apply(F&& function, First&& first, Others&&... others) {
  using E = typename detail::Plain<First>::error_type;
  const auto call = [&]() -> decltype(auto) {
    return std::invoke(std::forward<F>(function), std::forward<First>(first).value(),
                       std::forward<Others>(others).value()...);
  };
  using R = decltype(detail::Answer<E>(call));
  const Expected<void, E> all = AllOf(first, others...);
  if (all.has_value()) {
    return detail::Answer<E>(call);
  }
  return detail::ForwardedError<R>(all);
}

namespace detail {

template <typename A, typename B>
struct OperandError {
  using Type = typename B::error_type;
};
template <typename T, typename E, typename B>
struct OperandError<Expected<T, E>, B> {
  using Type = E;
};

/// One of two operands is an Expected, and none is a StrongType of it.
template <typename A, typename B>
using Operands = std::enable_if_t<(IsExpected<A>::value || IsExpected<B>::value) &&
                                  (IsExpected<A>::value || kMayBeValue<A>)&&(IsExpected<B>::value ||
                                                                             kMayBeValue<B>)>;

template <typename T>
const T& ValueOf(const T& operand) {
  return operand;
}
template <typename T, typename E>
decltype(auto) ValueOf(const Expected<T, E>& operand) {
  return operand.value();
}

template <typename A, typename B, typename F>
auto Calculate(const A& a, const B& b, F&& function) {
  using E = typename OperandError<A, B>::Type;
  using R = Held_t<std::decay_t<decltype(function(ValueOf(a), ValueOf(b)))>, E>;
  if constexpr (IsExpected<A>::value) {
    if (!a.has_value()) {
      return ForwardedError<R>(a);
    }
  }
  if constexpr (IsExpected<B>::value) {
    if (!b.has_value()) {
      return ForwardedError<R>(b);
    }
  }
  return R(function(ValueOf(a), ValueOf(b)));
}

}  // namespace detail

// With values; the first error of an operand is the result's.
template <typename A, typename B, typename = detail::Operands<A, B>>
auto operator+(const A& a, const B& b) {
  return detail::Calculate(a, b, std::plus<>{});
}
template <typename A, typename B, typename = detail::Operands<A, B>>
auto operator-(const A& a, const B& b) {
  return detail::Calculate(a, b, std::minus<>{});
}
template <typename A, typename B, typename = detail::Operands<A, B>>
auto operator*(const A& a, const B& b) {
  return detail::Calculate(a, b, std::multiplies<>{});
}
template <typename A, typename B, typename = detail::Operands<A, B>>
auto operator/(const A& a, const B& b) {
  return detail::Calculate(a, b, std::divides<>{});
}
template <typename A, typename B, typename = detail::Operands<A, B>>
auto operator%(const A& a, const B& b) {
  return detail::Calculate(a, b, std::modulus<>{});
}

}  // namespace nvidia
