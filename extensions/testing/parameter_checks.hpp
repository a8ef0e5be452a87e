#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gxr/gxr.hpp"
#include "parameter_types.hpp"

namespace gxr::testing {

/// A component with parameters of some types, none of which must be set, that fails in
/// initialize() when they do not have the values that its parameter `expect` gives: a map from a
/// parameter's key to its value as YAML text on one line, as `gxr expand` would write it.
class ParameterCheck : public Component {
 protected:
  void declare_expectation(Interface& interface);
  /// Throws Error(InvalidParameter) for an expectation of a parameter that the component lacks.
  void require_known(const std::vector<std::string_view>& keys) const;
  /// Throws Error(InvalidParameter) when `key` is expected to have another value.
  void require(std::string_view key, const std::string& value) const;

 private:
  Parameter<std::map<std::string, std::string>> expect_;
};

/// Declares and checks the parameters that Derived::each_parameter(visit) shows, by calls
/// visit(member, key, headline).
template <class Derived>
class ParameterCheckOf : public ParameterCheck {
 public:
  void declare(Interface& interface) override {
    derived().each_parameter([&](auto& member, std::string_view key, std::string_view headline) {
      interface.parameter(member, key, headline).optional();
    });
    declare_expectation(interface);
  }
  void initialize() override {
    std::vector<std::string_view> keys;
    derived().each_parameter([&](const auto& member, std::string_view key, std::string_view) {
      keys.push_back(key);
      require(key, text_of(member));
    });
    require_known(keys);
  }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }

  template <class T>
  static std::string text_of(const Parameter<T>& parameter) {
    return parameter.has_value() ? ParameterTraits<T>::to_yaml(parameter.get()) : "<unset>";
  }
  static std::string text_of(const Parameter<std::string>& parameter) {
    return parameter.has_value() ? parameter.get() : "<unset>";
  }
  template <class T>
  static std::string text_of(const Parameter<Handle<T>>& parameter) {
    return parameter.has_value() ? parameter->full_name() : "<unset>";
  }
  template <class T>
  static std::string text_of(const Parameter<std::vector<Handle<T>>>& parameter) {
    std::string text = "[";
    for (const Handle<T>& handle : parameter.try_get().value_or(std::vector<Handle<T>>())) {
      text += (text.size() > 1 ? ", " : "") + (handle ? handle->full_name() : "<Unspecified>");
    }
    return text + "]";
  }
};

/// Scalars.
class LoadParameterFromYamlTest final : public ParameterCheckOf<LoadParameterFromYamlTest> {
 public:
  template <class Visit>
  void each_parameter(Visit&& visit) {
    visit(bool_, "checked_bool", "true or false");
    visit(int8_, "checked_int8", "An integer of 8 bits");
    visit(int16_, "checked_int16", "An integer of 16 bits");
    visit(int32_, "checked_int32", "An integer of 32 bits");
    visit(int64_, "checked_int64", "An integer of 64 bits");
    visit(uint8_, "checked_uint8", "An integer of 8 bits without sign");
    visit(uint16_, "checked_uint16", "An integer of 16 bits without sign");
    visit(uint32_, "checked_uint32", "An integer of 32 bits without sign");
    visit(uint64_, "checked_uint64", "An integer of 64 bits without sign");
    visit(float_, "checked_float", "A number of single precision");
    visit(double_, "checked_double", "A number of double precision");
    visit(string_, "checked_string", "Text");
    visit(path_, "checked_path", "Path of a file");
    visit(duration_, "checked_duration", "A duration or a frequency, in ns");
    visit(size_, "checked_size", "An amount of memory, in bytes");
  }

 private:
  Parameter<bool> bool_;
  Parameter<std::int8_t> int8_;
  Parameter<std::int16_t> int16_;
  Parameter<std::int32_t> int32_;
  Parameter<std::int64_t> int64_;
  Parameter<std::uint8_t> uint8_;
  Parameter<std::uint16_t> uint16_;
  Parameter<std::uint32_t> uint32_;
  Parameter<std::uint64_t> uint64_;
  Parameter<float> float_;
  Parameter<double> double_;
  Parameter<std::string> string_;
  Parameter<FilePath> path_;
  Parameter<Duration> duration_;
  Parameter<ByteSize> size_;
};

/// What a declaration says beyond the type: defaults, ranges, choices, names of enumerations.
class RegisterParameterInterfaceTest final
    : public ParameterCheckOf<RegisterParameterInterfaceTest> {
 public:
  void declare(Interface& interface) override;
  template <class Visit>
  void each_parameter(Visit&& visit) {
    visit(with_default_, "checked_with_default", "Has a default");
    visit(in_range_, "checked_in_range", "Has a least and a greatest value");
    visit(choice_, "checked_choice", "Is one of some words");
    visit(policy_, "checked_policy", "Is one name of an enumeration");
    visit(dynamic_, "checked_dynamic", "May change while the application runs");
  }

 private:
  Parameter<std::int64_t> with_default_;
  Parameter<double> in_range_;
  Parameter<std::string> choice_;
  Parameter<PeriodicSchedulingPolicy> policy_;
  Parameter<std::int64_t> dynamic_;
};

/// Lists, also of lists.
class VectorParameterTest final : public ParameterCheckOf<VectorParameterTest> {
 public:
  template <class Visit>
  void each_parameter(Visit&& visit) {
    visit(bools_, "checked_bools", "A list of true and false");
    visit(int32s_, "checked_int32s", "A list of integers");
    visit(uint64s_, "checked_uint64s", "A list of integers without sign");
    visit(doubles_, "checked_doubles", "A list of numbers");
    visit(strings_, "checked_strings", "A list of texts");
    visit(matrix_, "checked_matrix", "A list of lists of numbers");
    visit(cube_, "checked_cube", "A list of lists of lists of integers");
  }

 private:
  Parameter<std::vector<bool>> bools_;
  Parameter<std::vector<std::int32_t>> int32s_;
  Parameter<std::vector<std::uint64_t>> uint64s_;
  Parameter<std::vector<double>> doubles_;
  Parameter<std::vector<std::string>> strings_;
  Parameter<std::vector<std::vector<double>>> matrix_;
  Parameter<std::vector<std::vector<std::vector<std::int32_t>>>> cube_;
};

/// Lists of bounded length.
class FixedVectorParameterTest final : public ParameterCheckOf<FixedVectorParameterTest> {
 public:
  template <class Visit>
  void each_parameter(Visit&& visit) {
    visit(int32s_, "checked_int32s", "At most 4 integers");
    visit(doubles_, "checked_doubles", "At most 3 numbers");
    visit(strings_, "checked_strings", "At most 2 texts");
    visit(matrix_, "checked_matrix", "At most 2 lists of at most 3 numbers");
  }

 private:
  Parameter<FixedVector<std::int32_t, 4>> int32s_;
  Parameter<FixedVector<double, 3>> doubles_;
  Parameter<FixedVector<std::string, 2>> strings_;
  Parameter<FixedVector<FixedVector<double, 3>, 2>> matrix_;
};

/// The containers of the standard library, and complex numbers.
class StdParameterTest final : public ParameterCheckOf<StdParameterTest> {
 public:
  template <class Visit>
  void each_parameter(Visit&& visit) {
    visit(array_, "checked_array", "Exactly 3 integers");
    visit(nested_array_, "checked_nested_array", "2 times 2 numbers");
    visit(pair_, "checked_pair", "A text and a number");
    visit(map_, "checked_map", "Texts and their integers");
    visit(unordered_map_, "checked_unordered_map", "Texts and their lists of numbers");
    visit(complex64_, "checked_complex64", "A complex number of single precision");
    visit(complex128_, "checked_complex128", "A complex number of double precision");
  }

 private:
  Parameter<std::array<std::int32_t, 3>> array_;
  Parameter<std::array<std::array<double, 2>, 2>> nested_array_;
  Parameter<std::pair<std::string, double>> pair_;
  Parameter<std::map<std::string, std::int64_t>> map_;
  Parameter<std::unordered_map<std::string, std::vector<double>>> unordered_map_;
  Parameter<std::complex<float>> complex64_;
  Parameter<std::complex<double>> complex128_;
};

/// Handles to other components; expected by their full names, "entity/name".
class TestHandleParameter final : public ParameterCheckOf<TestHandleParameter> {
 public:
  template <class Visit>
  void each_parameter(Visit&& visit) {
    visit(handle_, "checked_handle", "Any component");
    visit(receiver_, "checked_receiver", "A receiver");
    visit(handles_, "checked_handles", "Any components");
  }

 private:
  Parameter<Handle<Component>> handle_;
  Parameter<Handle<Receiver>> receiver_;
  Parameter<std::vector<Handle<Component>>> handles_;
};

/// YAML that is not looked into.
class TestGxfParameterSetFromYamlNode final
    : public ParameterCheckOf<TestGxfParameterSetFromYamlNode> {
 public:
  template <class Visit>
  void each_parameter(Visit&& visit) {
    visit(node_, "checked_node", "Anything");
    visit(nodes_, "checked_nodes", "A list of anything");
  }

 private:
  Parameter<YamlNode> node_;
  Parameter<std::vector<YamlNode>> nodes_;
};

}  // namespace gxr::testing
