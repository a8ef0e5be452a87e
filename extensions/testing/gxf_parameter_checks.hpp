#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gxr/gxr.hpp"
#include "parameter_types.hpp"

/// GXF's own checkers of parameters, with GXF's keys and types. The values that GXF compares them
/// with are compared here, too, where they are known; the types are checked of all. The checkers
/// without `gxf` compare any parameters with any values.
namespace gxr::testing::gxf {

/// Scalars and YAML text, of fixed values.
class LoadParameterFromYamlTest final : public Component {
 public:
  void declare(Interface& interface) override;
  void initialize() override;

 private:
  Parameter<bool> fact_;
  Parameter<bool> rumor_;
  Parameter<std::int32_t> forty_two_;
  Parameter<std::int32_t> minus_one_;
  Parameter<std::string> some_text_;
  Parameter<std::string> more_;
};

/// The numbers from 0 to 15.
class FixedVectorParameterTest final : public Component {
 public:
  void declare(Interface& interface) override;
  void initialize() override;

 private:
  Parameter<FixedVector<std::uint8_t, 16>> fixed_vector_stack_;
};

/// Parameters that are mandatory or optional, with defaults and without.
class RegisterParameterInterfaceTest final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<std::int64_t> mandatory_no_default_;
  Parameter<std::int64_t> mandatory_with_default_;
  Parameter<std::int64_t> optional_no_default_;
  Parameter<std::uint64_t> optional_with_default_;
  Parameter<std::string> std_string_text_;
  Parameter<bool> bool_default_;
  Parameter<double> double_default_;
  Parameter<std::complex<float>> complex64_;
  Parameter<std::complex<double>> complex128_;
  Parameter<std::vector<std::string>> custom_parameter_;
};

/// The containers of the standard library, and complex numbers.
class StdParameterTest final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  using Point = std::array<double, 2>;
  using Rank2 = std::vector<std::vector<std::uint64_t>>;

  Parameter<std::vector<std::int32_t>> integers_;
  Parameter<std::vector<std::uint8_t>> my_unsigned_int8_;
  Parameter<std::vector<std::string>> strings_;
  Parameter<std::vector<std::vector<double>>> my_doubles_;
  Parameter<std::vector<std::pair<Point, Point>>> segments_;
  Parameter<Rank2> rank_2_vector_;
  Parameter<std::vector<Rank2>> rank_3_vector_;
  Parameter<std::vector<double>> vector_of_float_;
  Parameter<std::array<std::int32_t, 2>> rank_1_array_;
  Parameter<std::array<std::array<std::uint64_t, 2>, 1>> rank_2_array_;
  Parameter<std::unordered_map<std::string, std::int32_t>> string_to_int_map_;
  Parameter<std::unordered_map<std::string, std::vector<double>>> string_to_vector_map_;
  Parameter<std::complex<float>> complex64_;
  Parameter<std::complex<double>> complex128_;
  Parameter<std::vector<Handle<Allocator>>> vector_of_handles_;
  Parameter<std::array<Handle<Allocator>, 2>> array_of_two_handles_;
};

/// Lists, and lists of lists.
class VectorParameterTest final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<std::vector<double>> five_64_bit_floats_;
  Parameter<std::vector<std::int64_t>> five_64_bit_ints_;
  Parameter<std::vector<std::uint64_t>> five_64_bit_unsigned_ints_;
  Parameter<std::vector<std::int32_t>> five_32_bit_ints_;
  Parameter<std::vector<std::vector<double>>> six_64_bit_float_2d_;
  Parameter<std::vector<std::vector<std::int64_t>>> six_64_bit_int_2d_;
  Parameter<std::vector<std::vector<std::uint64_t>>> six_64_bit_uint_2d_;
  Parameter<std::vector<std::vector<std::int32_t>>> six_32_bit_int_2d_;
};

/// A handle to one of the allocators of its entity: the one that is called `pool`.
class TestHandleParameter final : public Component {
 public:
  void declare(Interface& interface) override;
  void initialize() override;

 private:
  Parameter<Handle<Allocator>> pool_;
};

/// A parameter of each type, a list of it, and a list of lists.
class TestGxfParameterSetFromYamlNode final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  template <class T>
  struct Family {
    Parameter<T> one;
    Parameter<std::vector<T>> list;
    Parameter<std::vector<std::vector<T>>> table;
  };
  struct Keys {
    const char* one;
    const char* list;
    const char* table;
  };
  /// `in_lists`: GXF is known to have the lists, too.
  template <class T>
  static void declare_family(Interface& interface, Family<T>& family, const Keys& keys,
                             bool in_lists);

  Family<bool> bool_;
  Family<std::int8_t> int8_;
  Family<std::int16_t> int16_;
  Family<std::int32_t> int32_;
  Family<std::int64_t> int64_;
  Family<std::uint8_t> uint8_;
  Family<std::uint16_t> uint16_;
  Family<std::uint32_t> uint32_;
  Family<std::uint64_t> uint64_;
  Family<float> float_;
  Family<double> double_;
  Family<std::string> string_;
  Family<std::complex<float>> complex64_;
  Family<std::complex<double>> complex128_;
  Parameter<Handle<Allocator>> handle_;
  Parameter<std::vector<Handle<Allocator>>> vector_handle_;
};

}  // namespace gxr::testing::gxf
