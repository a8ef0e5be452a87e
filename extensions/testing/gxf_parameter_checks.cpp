#include "gxf_parameter_checks.hpp"

#include <numeric>

#include "differences.hpp"

namespace gxr::testing::gxf {
namespace {

/// The list of three maps as GXF reads it: text in block style.
constexpr const char* kMore =
    "- a: st\n"
    "  b: ee\n"
    "- c: an\n"
    "  d: en\n"
    "- e:\n"
    "    - f: figy\n"
    "      g: g";

}  // namespace

void LoadParameterFromYamlTest::declare(Interface& interface) {
  interface.parameter(fact_, "fact", "Must be true");
  interface.parameter(rumor_, "rumor", "Must be false");
  interface.parameter(forty_two_, "forty_two", "Must be 42");
  interface.parameter(minus_one_, "minus_one", "Must be -1");
  interface.parameter(some_text_, "some_text", "Must be hello");
  interface.parameter(more_, "more", "Must be the YAML text of a list of three maps",
                      "In block style: {a: st, b: ee}, {c: an, d: en}, {e: [{f: figy, g: g}]}.");
}

void LoadParameterFromYamlTest::initialize() {
  Differences differences;
  differences.compare(fact_, true);
  differences.compare(rumor_, false);
  differences.compare(forty_two_, 42);
  differences.compare(minus_one_, -1);
  differences.compare(some_text_, std::string("hello"));
  differences.compare(more_, std::string(kMore));
  differences.throw_if_any();
}

void FixedVectorParameterTest::declare(Interface& interface) {
  interface.parameter(fixed_vector_stack_, "fixed_vector_stack",
                      "Must be the numbers from 0 to 15");
}

void FixedVectorParameterTest::initialize() {
  FixedVector<std::uint8_t, 16> expected{std::vector<std::uint8_t>(16)};
  std::iota(expected.elements.begin(), expected.elements.end(), std::uint8_t{0});
  Differences differences;
  differences.compare(fixed_vector_stack_, expected);
  differences.throw_if_any();
}

void RegisterParameterInterfaceTest::declare(Interface& interface) {
  interface.parameter(mandatory_no_default_, "mandatory_no_default", "Mandatory, without default");
  interface.parameter(mandatory_with_default_, "mandatory_with_default", "Has a default")
      .default_value(3);
  interface.parameter(optional_no_default_, "optional_no_default", "Optional, without default")
      .optional();
  interface.parameter(optional_with_default_, "optional_with_default", "Optional, with a default")
      .optional()
      .default_value(5);
  interface.parameter(std_string_text_, "std_string_text", "A text").default_value("text");
  interface.parameter(bool_default_, "bool_default", "true or false").default_value(true);
  interface.parameter(double_default_, "double_default", "A number").default_value(12345.6789);
  interface.parameter(complex64_, "complex64", "A complex number of single precision")
      .default_value({7.5F, 3.0F});
  interface.parameter(complex128_, "complex128", "A complex number of double precision")
      .default_value({1.234, 5.678});
  interface.parameter(custom_parameter_, "custom_parameter", "Texts");
}

void StdParameterTest::declare(Interface& interface) {
  interface.parameter(integers_, "integers", "Integers");
  interface.parameter(my_unsigned_int8_, "my_unsigned_int8", "Integers of 8 bits without sign");
  interface.parameter(strings_, "strings", "Texts");
  interface.parameter(my_doubles_, "my_doubles", "Lists of numbers");
  interface.parameter(segments_, "segments", "Pairs of points, each two numbers");
  interface.parameter(rank_2_vector_, "rank_2_vector", "Lists of integers");
  interface.parameter(rank_3_vector_, "rank_3_vector", "Lists of lists of integers");
  interface.parameter(vector_of_float_, "vector_of_float", "Numbers");
  interface.parameter(rank_1_array_, "rank_1_array", "Exactly 2 integers");
  interface.parameter(rank_2_array_, "rank_2_array", "Exactly 1 time 2 integers");
  interface.parameter(string_to_int_map_, "string_to_int_map", "Texts and their integers");
  interface.parameter(string_to_vector_map_, "string_to_vector_map",
                      "Texts and their lists of numbers");
  interface.parameter(complex64_, "complex64", "A complex number of single precision");
  interface.parameter(complex128_, "complex128", "A complex number of double precision");
  interface.parameter(vector_of_handles_, "vector_of_handles", "Allocators").optional();
  interface.parameter(array_of_two_handles_, "array_of_two_handles", "Exactly 2 allocators")
      .optional();
}

void VectorParameterTest::declare(Interface& interface) {
  interface.parameter(five_64_bit_floats_, "five_64_bit_floats", "Numbers");
  interface.parameter(five_64_bit_ints_, "five_64_bit_ints", "Integers");
  interface.parameter(five_64_bit_unsigned_ints_, "five_64_bit_unsigned_ints",
                      "Integers without sign");
  interface.parameter(five_32_bit_ints_, "five_32_bit_ints", "Integers of 32 bits");
  interface.parameter(six_64_bit_float_2d_, "six_64_bit_float_2d", "Lists of numbers");
  interface.parameter(six_64_bit_int_2d_, "six_64_bit_int_2d", "Lists of integers");
  interface.parameter(six_64_bit_uint_2d_, "six_64_bit_uint_2d", "Lists of integers without sign");
  interface.parameter(six_32_bit_int_2d_, "six_32_bit_int_2d", "Lists of integers of 32 bits");
}

void TestHandleParameter::declare(Interface& interface) {
  interface.parameter(pool_, "pool", "Must be the allocator 'pool' of its entity",
                      "GXF's entity has another one, 'other_pool'.");
}

void TestHandleParameter::initialize() {
  const Allocator& found = *pool_.get();
  if (found.entity_id() != entity_id() || found.name() != "pool") {
    throw Error(ErrorCode::InvalidParameter, "parameter 'pool' is '" + found.full_name() +
                                                 "', expected '" + entity_name() + "/pool'");
  }
}

template <class T>
void TestGxfParameterSetFromYamlNode::declare_family(Interface& interface, Family<T>& family,
                                                     const Keys& keys, bool in_lists) {
  interface.parameter(family.one, keys.one, "A value");
  const auto declare_list = [&](auto& member, const char* key, const char* headline) {
    auto declaration = interface.parameter(member, key, headline);
    if (!in_lists) {
      declaration.optional();
    }
  };
  declare_list(family.list, keys.list, "A list");
  declare_list(family.table, keys.table, "A list of lists");
}

void TestGxfParameterSetFromYamlNode::declare(Interface& interface) {
  declare_family(interface, bool_, {"bool", "vector_bool", "vector_2d_bool"}, false);
  declare_family(interface, int8_, {"int8", "vector_int8", "vector_2d_int8"}, true);
  declare_family(interface, int16_, {"int16", "vector_int16", "vector_2d_int16"}, true);
  declare_family(interface, int32_, {"int32", "vector_int32", "vector_2d_int32"}, true);
  declare_family(interface, int64_, {"int64", "vector_int64", "vector_2d_int64"}, true);
  declare_family(interface, uint8_, {"uint8", "vector_uint8", "vector_2d_uint8"}, true);
  declare_family(interface, uint16_, {"uint16", "vector_uint16", "vector_2d_uint16"}, true);
  declare_family(interface, uint32_, {"uint32", "vector_uint32", "vector_2d_uint32"}, true);
  declare_family(interface, uint64_, {"uint64", "vector_uint64", "vector_2d_uint64"}, true);
  declare_family(interface, float_, {"float", "vector_float", "vector_2d_float"}, true);
  declare_family(interface, double_, {"double", "vector_double", "vector_2d_double"}, true);
  declare_family(interface, string_, {"string", "vector_string", "vector_2d_string"}, true);
  declare_family(interface, complex64_, {"complex64", "vector_complex64", "vector_2d_complex64"},
                 false);
  declare_family(interface, complex128_,
                 {"complex128", "vector_complex128", "vector_2d_complex128"}, false);
  interface.parameter(handle_, "handle", "An allocator");
  interface.parameter(vector_handle_, "vector_handle", "Allocators");
}

}  // namespace gxr::testing::gxf
