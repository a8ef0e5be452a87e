#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "common/expected.hpp"
#include "common/logger.hpp"

// Macros that return from a function when something is an error. Their argument and the
// function's result may be
// - a status: a type that only tells whether something was successful, such as bool;
// - unwrappable: a type that has a value unless there is an error, such as Expected.
// Specialisations of the templates below add types.

namespace nvidia {
namespace expected_macro {

constexpr Severity kDefaultSeverity = Severity::ERROR;

template <typename T>
struct IsStatus : std::false_type {};
template <>
struct IsStatus<bool> : std::true_type {};
template <>
struct IsStatus<int> : std::true_type {};

template <typename T>
struct IsUnwrappable : std::false_type {};
template <typename T, typename E>
struct IsUnwrappable<Expected<T, E>> : std::true_type {};
template <typename T>
struct IsUnwrappable<std::optional<T>> : std::true_type {};

/// The status for an error of which nothing else is known.
template <typename T>
constexpr T DefaultError() {
  static_assert(!std::is_same_v<T, T>, "no specialisation of DefaultError for this type");
}
template <>
constexpr bool DefaultError<bool>() {
  return false;
}
template <>
constexpr int DefaultError<int>() {
  return 1;
}

/// Is it no error?
template <typename T>
constexpr bool IsValid(const T& checked) {
  static_assert(IsUnwrappable<T>::value, "no specialisation of IsValid for this type");
  return checked.has_value();
}
template <>
constexpr bool IsValid<bool>(const bool& checked) {
  return checked;
}
template <>
constexpr bool IsValid<int>(const int& checked) {
  return checked == 0;
}

/// The type of the status that something has.
template <typename T>
struct StatusType {
  using Type = T;
};
template <typename T, typename E>
struct StatusType<Expected<T, E>> {
  using Type = E;
};
template <typename T>
struct StatusType<std::optional<T>> {
  using Type = bool;
};

/// The status of something that is an error.
template <typename T>
struct StatusValue {
  static typename StatusType<T>::Type Get(const T& checked) { return checked; }
};
template <typename T, typename E>
struct StatusValue<Expected<T, E>> {
  static E Get(const Expected<T, E>& checked) { return checked.error(); }
};
template <typename T>
struct StatusValue<std::optional<T>> {
  static bool Get(const std::optional<T>& checked) { return checked.has_value(); }
};

/// How the log calls a status.
template <typename T, typename = void>
struct StatusName {
  static std::string Get(T status) {
    if constexpr (std::is_enum_v<T>) {
      return std::to_string(static_cast<long long>(status));
    } else if constexpr (std::is_arithmetic_v<T>) {
      return std::to_string(status);
    } else {
      static_cast<void>(status);
      return "error";
    }
  }
};
template <>
struct StatusName<bool> {
  static std::string Get(bool status) { return status ? "true" : "false"; }
};

/// A U without a value, which has the status as its error where it can.
template <typename U, typename S, typename = void>
struct InvalidUnwrappable {
  static U Get(S) { return U{}; }
};
template <typename T, typename E, typename S>
struct InvalidUnwrappable<Expected<T, E>, S> {
  static Expected<T, E> Get(S status) {
    if constexpr (std::is_same_v<E, S>) {
      return Unexpected<E>(std::move(status));
    } else {
      static_cast<void>(status);
      return Unexpected<E>(DefaultError<E>());
    }
  }
};
template <typename T, typename S>
struct InvalidUnwrappable<std::optional<T>, S> {
  static std::optional<T> Get(S) { return std::nullopt; }
};

/// The result of a macro: an error that converts to the return type of the function.
template <typename S>
class ResultProxy {
 public:
  explicit ResultProxy(S status) : status_(std::move(status)) {}

  template <typename R, std::enable_if_t<IsStatus<R>::value, int> = 0>
  operator R() && {
    if constexpr (std::is_same_v<R, S>) {
      return status_;
    } else {
      return DefaultError<R>();
    }
  }
  template <typename R, std::enable_if_t<IsUnwrappable<R>::value, long> = 0>
  operator R() && {
    return InvalidUnwrappable<R, S>::Get(std::move(status_));
  }

 private:
  S status_;
};

/// Writes the line about an error and makes what the macro returns. The call operator takes what
/// the macro was given behind the expression: nothing, or a format with arguments, or a severity,
/// or a severity and a format with arguments.
class ProxyFactory {
 public:
  ProxyFactory(const char* file, int line, const char* expression)
      : file_(file), line_(line), expression_(expression) {}

  template <typename T>
  class Reporter {
   public:
    using Status = typename StatusType<T>::Type;

    Reporter(const ProxyFactory& place, Status status)
        : place_(place), status_(std::move(status)) {}

    ResultProxy<Status> operator()(Severity severity = kDefaultSeverity) const {
      Log(place_.file_, place_.line_, severity, "%s: %s", place_.expression_,
          StatusName<Status>::Get(status_).c_str());
      return ResultProxy<Status>(status_);
    }
    template <typename... Args>
    ResultProxy<Status> operator()(Severity severity, const char* format, Args... args) const {
      const std::string start =
          std::string(place_.expression_) + ": " + StatusName<Status>::Get(status_);
      detail::LogAfter(place_.file_, place_.line_, severity, start.c_str(), format, args...);
      return ResultProxy<Status>(status_);
    }
    template <typename... Args>
    ResultProxy<Status> operator()(const char* format, Args... args) const {
      return (*this)(kDefaultSeverity, format, args...);
    }

   private:
    const ProxyFactory& place_;
    Status status_;
  };

  template <typename T>
  Reporter<T> From(const T& checked) const {
    return Reporter<T>(*this, StatusValue<T>::Get(checked));
  }

 private:
  const char* file_;
  int line_;
  const char* expression_;
};

}  // namespace expected_macro
}  // namespace nvidia

#define GXF_MACRO_JOIN_NOW_(a, b) a##b
#define GXF_MACRO_JOIN_(a, b) GXF_MACRO_JOIN_NOW_(a, b)

#define GXF_RETURN_IF_ERROR_NAMED_(name, text, expression, ...)               \
  __extension__({                                                             \
    const auto& name = (expression);                                          \
    if (!::nvidia::expected_macro::IsValid(name)) {                           \
      return ::nvidia::expected_macro::ProxyFactory(__FILE__, __LINE__, text) \
          .From(name)(__VA_ARGS__);                                           \
    }                                                                         \
  })

#define GXF_UNWRAP_OR_RETURN_NAMED_(name, text, expression, ...)              \
  __extension__({                                                             \
    auto&& name = (expression);                                               \
    if (!::nvidia::expected_macro::IsValid(name)) {                           \
      return ::nvidia::expected_macro::ProxyFactory(__FILE__, __LINE__, text) \
          .From(name)(__VA_ARGS__);                                           \
    }                                                                         \
    ::std::move(name).value();                                                \
  })

// Macros inside of the expression of another one have variables of other names.

/// GXF_RETURN_IF_ERROR(expression[, severity][, format, arguments...])
#define GXF_RETURN_IF_ERROR(expression, ...)                                                      \
  GXF_RETURN_IF_ERROR_NAMED_(GXF_MACRO_JOIN_(gxf_checked_, __COUNTER__), #expression, expression, \
                             __VA_ARGS__)

/// The value of GXF_UNWRAP_OR_RETURN(expression[, severity][, format, arguments...])
#define GXF_UNWRAP_OR_RETURN(expression, ...)                                                      \
  GXF_UNWRAP_OR_RETURN_NAMED_(GXF_MACRO_JOIN_(gxf_checked_, __COUNTER__), #expression, expression, \
                              __VA_ARGS__)

/// GXF_RETURN_IF_FALSE(expression[, severity][, format, arguments...])
#define GXF_RETURN_IF_FALSE(expression, ...)                                          \
  GXF_RETURN_IF_ERROR_NAMED_(GXF_MACRO_JOIN_(gxf_checked_, __COUNTER__), #expression, \
                             static_cast<bool>(expression), __VA_ARGS__)

// Libraries beside GXF have macros of these names, too.
#ifndef RETURN_IF_ERROR
#define RETURN_IF_ERROR GXF_RETURN_IF_ERROR
#endif
#ifndef UNWRAP_OR_RETURN
#define UNWRAP_OR_RETURN GXF_UNWRAP_OR_RETURN
#endif
#ifndef RETURN_IF_FALSE
#define RETURN_IF_FALSE GXF_RETURN_IF_FALSE
#endif
