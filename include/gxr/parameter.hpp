#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/export.hpp"
#include "gxr/handle.hpp"
#include "gxr/type_info.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Given to ParameterTraits::parse: finds the component that a handle's text names.
class GXR_API ParameterContext {
 public:
  virtual ~ParameterContext();
  /// The component that `value` refers to; nullptr for `<Unspecified>`. Throws Error when there is
  /// none. The type was checked when the graph was resolved.
  virtual Component* resolve(const Value& value) = 0;
  /// The declaration of the parameter that is read; nullptr: not known. Some rules follow from it:
  /// a duration may be 0 only where that is the default.
  [[nodiscard]] const ParameterInfo* declaration() const noexcept { return declaration_; }

 protected:
  /// For who reads several parameters, one after the other.
  void set_declaration(const ParameterInfo* declaration) noexcept { declaration_ = declaration; }

 private:
  const ParameterInfo* declaration_ = nullptr;
};

/// Path of a file or folder; a string that tools may complete and check.
struct FilePath {
  std::string path;  ///< as the YAML has it
  /// The same text?
  friend bool operator==(const FilePath& a, const FilePath& b) { return a.path == b.path; }
};

/// A length of time written with a unit: "50ms", "1.5s", "30Hz" (its period), "250us", "10min", or
/// plain nanoseconds.
struct Duration {
  std::int64_t nanoseconds = 0;  ///< in YAML, 0 is for parameters whose default it is
};

/// An amount of memory written with a unit, 1024-based: "4MB", "512KB", "16B". Without a unit it
/// means MB, as in GXF.
struct ByteSize {
  std::uint64_t bytes = 0;  ///< may be 0
};

namespace detail {

/// False, and not known to be before a template is used.
template <class T>
inline constexpr bool kMissing = false;

// The rules of reading values live in libgxr.so, once, for the checks and for the components.
// All throw Error(InvalidParameter or OutOfRange) with a text that quotes the value.
GXR_API bool parse_bool(const Value& value);
GXR_API std::int64_t parse_int(const Value& value, std::int64_t minimum, std::int64_t maximum);
GXR_API std::uint64_t parse_uint(const Value& value, std::uint64_t maximum);
GXR_API double parse_double(const Value& value);
GXR_API float parse_float(const Value& value);
GXR_API std::complex<double> parse_complex(const Value& value);
GXR_API std::string parse_string(const Value& value);
GXR_API std::string parse_path(const Value& value);
GXR_API Duration parse_duration(const Value& value, const ParameterContext& context);
GXR_API ByteSize parse_byte_size(const Value& value);
inline constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();
/// Throws Error when it is no list with that many elements.
GXR_API void require_list(const Value& value, std::size_t least = 0, std::size_t most = kAnyLength);
/// Throws Error when it is no map.
GXR_API void require_map(const Value& value);
/// Throws Error(OutOfRange) when a text has more bytes.
GXR_API void require_room(std::string_view text, std::size_t most);
/// Position of the scalar's text in `choices`; throws Error that lists the choices.
GXR_API std::size_t parse_choice(const Value& value, const std::vector<Choice>& choices);
[[noreturn]] GXR_API void throw_unset(std::string_view key);

GXR_API std::string yaml_of(bool value);
GXR_API std::string yaml_of(std::int64_t value);
GXR_API std::string yaml_of(std::uint64_t value);
GXR_API std::string yaml_of(double value);  ///< shortest text that reads back the same
GXR_API std::string yaml_of(float value);
GXR_API std::string yaml_of(const std::string& value);  ///< quoted where needed
/// The key of a map, which has to be text and no merge key of YAML 1.1.
GXR_API std::string parse_key(const Value& key, const Value& value);
/// The key and what stands between it and its value in {…}: "key: ".
GXR_API std::string yaml_of_key(const std::string& key);

}  // namespace detail

/// How a C++ type is read from YAML. Specialise for own types:
///   static ParameterType type();                                      what it accepts
///   static T parse(const Value& value, ParameterContext& context);    throws Error
///   static std::string to_yaml(const T& value);                       text of a default
/// `gxr validate` checks values by type(), with the rules of the specialisations below. So parse()
/// calls those of the types that type() is made of, and refuses more only where type() cannot say
/// it.
template <class T, class Enable = void>
struct ParameterTraits {
  static_assert(
      detail::kMissing<T>,
      "gxr does not know how to read this type from YAML. To use it as a parameter, specialize "
      "gxr::ParameterTraits<T> with type(), parse() and to_yaml(): see 'Parameters' in "
      "docs/extension-reference.md");
  // Declared, so that the sentence above is all that the compiler says.
  /// What YAML it accepts.
  static ParameterType type();
  /// The value. Throws Error: InvalidParameter, OutOfRange, with a text that quotes the value.
  static const T& parse(const Value& value, ParameterContext& context);
  /// YAML text that reads back as the same value.
  static std::string to_yaml(const T& value);
};

/// Names of an enumeration's values; specialise `EnumNames<E>::values` as an array or vector of
/// `std::pair<E, const char*>` to use E as a parameter type:
///   template <> struct gxr::EnumNames<Mode> {
///     static constexpr std::pair<Mode, const char*> values[] = {{Mode::Fast, "Fast"},
///     {Mode::Exact, "Exact"}};
///   };
template <class E>
struct EnumNames {
  static_assert(detail::kMissing<E>,
                "gxr does not know the names of this enumeration. To use it as a parameter, "
                "specialize gxr::EnumNames<E> with the names of its values: see 'Parameters' in "
                "docs/extension-reference.md");
  /// Each value and its name in YAML.
  static constexpr std::pair<E, const char*> values[] = {{}};
};

template <>
struct ParameterTraits<bool> {
  static ParameterType type() { return {ParameterType::Kind::Bool, {}, {}, 0, {}}; }
  static bool parse(const Value& v, ParameterContext&) { return detail::parse_bool(v); }
  static std::string to_yaml(bool v) { return detail::yaml_of(v); }
};

template <class T>
struct ParameterTraits<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static ParameterType type() {
    using K = ParameterType::Kind;
    constexpr K kinds[2][4] = {{K::UInt8, K::UInt16, K::UInt32, K::UInt64},
                               {K::Int8, K::Int16, K::Int32, K::Int64}};
    constexpr int log2size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return {kinds[std::is_signed_v<T> ? 1 : 0][log2size], {}, {}, 0, {}};
  }
  static T parse(const Value& v, ParameterContext&) {
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(
          detail::parse_int(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    } else {
      return static_cast<T>(detail::parse_uint(v, std::numeric_limits<T>::max()));
    }
  }
  static std::string to_yaml(T v) {
    if constexpr (std::is_signed_v<T>) {
      return detail::yaml_of(static_cast<std::int64_t>(v));
    } else {
      return detail::yaml_of(static_cast<std::uint64_t>(v));
    }
  }
};

template <>
struct ParameterTraits<float> {
  static ParameterType type() { return {ParameterType::Kind::Float32, {}, {}, 0, {}}; }
  static float parse(const Value& v, ParameterContext&) { return detail::parse_float(v); }
  static std::string to_yaml(float v) { return detail::yaml_of(v); }
};

template <>
struct ParameterTraits<double> {
  static ParameterType type() { return {ParameterType::Kind::Float64, {}, {}, 0, {}}; }
  static double parse(const Value& v, ParameterContext&) { return detail::parse_double(v); }
  static std::string to_yaml(double v) { return detail::yaml_of(v); }
};

template <class T>
struct ParameterTraits<std::complex<T>> {
  static ParameterType type() {
    return {sizeof(T) == 4 ? ParameterType::Kind::Complex64 : ParameterType::Kind::Complex128,
            {},
            {},
            0,
            {}};
  }
  static std::complex<T> parse(const Value& v, ParameterContext&) {
    return static_cast<std::complex<T>>(detail::parse_complex(v));
  }
  static std::string to_yaml(const std::complex<T>& v) {
    const std::string imag = detail::yaml_of(v.imag());
    return detail::yaml_of(v.real()) + (imag.front() == '-' ? "" : "+") + imag + "j";
  }
};

template <>
struct ParameterTraits<std::string> {
  static ParameterType type() { return {ParameterType::Kind::String, {}, {}, 0, {}}; }
  static std::string parse(const Value& v, ParameterContext&) { return detail::parse_string(v); }
  static std::string to_yaml(const std::string& v) { return detail::yaml_of(v); }
};

template <>
struct ParameterTraits<FilePath> {
  static ParameterType type() { return {ParameterType::Kind::File, {}, {}, 0, {}}; }
  static FilePath parse(const Value& v, ParameterContext&) { return {detail::parse_path(v)}; }
  static std::string to_yaml(const FilePath& v) { return detail::yaml_of(v.path); }
};

template <>
struct ParameterTraits<Duration> {
  static ParameterType type() { return {ParameterType::Kind::Duration, {}, {}, 0, {}}; }
  static Duration parse(const Value& v, ParameterContext& context) {
    return detail::parse_duration(v, context);
  }
  static std::string to_yaml(const Duration& v) { return detail::yaml_of(v.nanoseconds); }
};

template <>
struct ParameterTraits<ByteSize> {
  static ParameterType type() { return {ParameterType::Kind::Size, {}, {}, 0, {}}; }
  static ByteSize parse(const Value& v, ParameterContext&) { return detail::parse_byte_size(v); }
  static std::string to_yaml(const ByteSize& v) { return detail::yaml_of(v.bytes) + "B"; }
};

template <class T>
struct ParameterTraits<Handle<T>> {
  static ParameterType type() {
    return {ParameterType::Kind::Handle, std::string(type_name<T>()), {}, 0, {}};
  }
  static Handle<T> parse(const Value& v, ParameterContext& context) {
    return Handle<T>(static_cast<T*>(context.resolve(v)));
  }
  static std::string to_yaml(const Handle<T>&) { return "<Unspecified>"; }
};

template <class T>
struct ParameterTraits<T, std::enable_if_t<std::is_enum_v<T>>> {
  static ParameterType type() {
    ParameterType t{ParameterType::Kind::Enum, std::string(type_name<T>()), {}, 0, {}};
    for (const auto& [value, name] : EnumNames<T>::values) {
      t.choices.push_back({name, {}});
    }
    return t;
  }
  static T parse(const Value& v, ParameterContext&) {
    return std::data(EnumNames<T>::values)[detail::parse_choice(v, type().choices)].first;
  }
  static std::string to_yaml(T v) {
    for (const auto& [value, name] : EnumNames<T>::values) {
      if (value == v) {
        return name;
      }
    }
    return {};
  }
};

namespace detail {

template <class Sequence>
std::string yaml_of_sequence(const Sequence& sequence) {
  std::string text = "[";
  for (const auto& element : sequence) {
    text += text.size() > 1 ? ", " : "";
    text += ParameterTraits<typename Sequence::value_type>::to_yaml(element);
  }
  return text + "]";
}

template <class M>
struct MapTraits {
  using T = typename M::mapped_type;
  static ParameterType type() {
    return {ParameterType::Kind::Map, {}, {ParameterTraits<T>::type()}, 0, {}};
  }
  static M parse(const Value& v, ParameterContext& context) {
    require_map(v);
    M map;
    for (std::size_t i = 0; i < v.size(); ++i) {
      map.emplace(parse_key(v.key(i), v.value(i)), ParameterTraits<T>::parse(v.value(i), context));
    }
    return map;
  }
  static std::string to_yaml(const M& map) {
    std::string text = "{";
    for (const auto& [key, element] : map) {
      text += text.size() > 1 ? ", " : "";
      text += yaml_of_key(key) + ParameterTraits<T>::to_yaml(element);
    }
    return text + "}";
  }
};

}  // namespace detail

template <class T>
struct ParameterTraits<std::vector<T>> {
  static ParameterType type() {
    return {ParameterType::Kind::List, {}, {ParameterTraits<T>::type()}, 0, {}};
  }
  static std::vector<T> parse(const Value& v, ParameterContext& context) {
    detail::require_list(v);
    std::vector<T> list;
    list.reserve(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      list.push_back(ParameterTraits<T>::parse(v.at(i), context));
    }
    return list;
  }
  static std::string to_yaml(const std::vector<T>& v) { return detail::yaml_of_sequence(v); }
};

template <class T, std::size_t N>
struct ParameterTraits<std::array<T, N>> {
  static ParameterType type() {
    return {ParameterType::Kind::Array, {}, {ParameterTraits<T>::type()}, N, {}};
  }
  static std::array<T, N> parse(const Value& v, ParameterContext& context) {
    detail::require_list(v, N, N);
    std::array<T, N> array{};
    for (std::size_t i = 0; i < N; ++i) {
      array[i] = ParameterTraits<T>::parse(v.at(i), context);
    }
    return array;
  }
  static std::string to_yaml(const std::array<T, N>& v) { return detail::yaml_of_sequence(v); }
};

template <class A, class B>
struct ParameterTraits<std::pair<A, B>> {
  static ParameterType type() {
    return {ParameterType::Kind::Pair,
            {},
            {ParameterTraits<A>::type(), ParameterTraits<B>::type()},
            0,
            {}};
  }
  static std::pair<A, B> parse(const Value& v, ParameterContext& context) {
    detail::require_list(v, 2, 2);
    return {ParameterTraits<A>::parse(v.at(0), context),
            ParameterTraits<B>::parse(v.at(1), context)};
  }
  static std::string to_yaml(const std::pair<A, B>& v) {
    return "[" + ParameterTraits<A>::to_yaml(v.first) + ", " +
           ParameterTraits<B>::to_yaml(v.second) + "]";
  }
};

template <class T>
struct ParameterTraits<std::map<std::string, T>> : detail::MapTraits<std::map<std::string, T>> {};
template <class T>
struct ParameterTraits<std::unordered_map<std::string, T>>
    : detail::MapTraits<std::unordered_map<std::string, T>> {};

/// The base of Parameter<T> for all T.
class GXR_API ParameterBase {
 public:
  ParameterBase() = default;
  ParameterBase(const ParameterBase&) = delete;
  ParameterBase& operator=(const ParameterBase&) = delete;
  virtual ~ParameterBase();

  /// Has it a value? A handle that refers to nothing has none.
  [[nodiscard]] virtual bool has_value() const noexcept = 0;
  /// The key in YAML.
  [[nodiscard]] std::string_view key() const noexcept { return key_; }

 private:
  friend class EngineAccess;
  friend class Interface;

  // Reads the value; throws Error.
  virtual void read(const Value& value, ParameterContext& context) = 0;
  // Another parameter of the same type, without key and value.
  [[nodiscard]] virtual std::unique_ptr<ParameterBase> make_another() const = 0;
  // Exchanges values with a parameter of the same type.
  virtual void swap_value(ParameterBase& other) = 0;

  std::string_view key_;
};

/// A parameter of a component: a member that the engine fills from YAML before initialize().
template <class T>
class Parameter final : public ParameterBase {
 public:
  /// Type of the value.
  using value_type = T;

  /// The value. Throws Error(InvalidParameter) when an optional parameter has none.
  [[nodiscard]] const T& get() const {
    if (!value_) {
      detail::throw_unset(key());
    }
    return *value_;
  }
  /// The same as get().
  const T& operator*() const { return get(); }
  /// So that it reads like the value.
  operator const T&() const { return get(); }  // NOLINT(google-explicit-constructor)
  /// Handles: the component itself. Other types: the value.
  auto operator->() const {
    if constexpr (IsHandle<T>::value) {
      return get().get();
    } else {
      return &get();
    }
  }
  /// The value, or an empty optional.
  [[nodiscard]] const std::optional<T>& try_get() const noexcept { return value_; }
  /// Sets the value from the program; before initialize() only, unless the parameter is dynamic.
  void set(T value) { value_ = std::move(value); }

  [[nodiscard]] bool has_value() const noexcept override {
    if constexpr (IsHandle<T>::value) {
      return value_.has_value() && *value_;
    } else {
      return value_.has_value();
    }
  }

 private:
  template <class U>
  struct IsHandle : std::false_type {};
  template <class U>
  struct IsHandle<Handle<U>> : std::true_type {};

  void read(const Value& value, ParameterContext& context) override {
    value_ = ParameterTraits<T>::parse(value, context);
  }
  [[nodiscard]] std::unique_ptr<ParameterBase> make_another() const override {
    return std::make_unique<Parameter>();
  }
  void swap_value(ParameterBase& other) override {
    value_.swap(static_cast<Parameter&>(other).value_);
  }

  std::optional<T> value_;
};

}  // namespace gxr
