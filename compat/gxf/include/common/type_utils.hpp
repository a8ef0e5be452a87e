#pragma once

#include <type_traits>

namespace nvidia {

template <typename T>
struct TypeIdentity {
  using type = T;
};
template <typename T>
using TypeIdentity_t = typename TypeIdentity<T>::type;

using TrueType = std::true_type;
using FalseType = std::false_type;
template <typename T, T V>
using IntegralConstant = std::integral_constant<T, V>;
template <bool B>
using BoolConstant = std::bool_constant<B>;

template <typename... Ts>
using void_t = std::void_t<Ts...>;

template <bool B, typename T = void>
using EnableIf = std::enable_if<B, T>;
template <bool B, typename T = void>
using EnableIf_t = std::enable_if_t<B, T>;

template <bool B, typename T, typename F>
using Conditional = std::conditional<B, T, F>;
template <bool B, typename T, typename F>
using Conditional_t = std::conditional_t<B, T, F>;

template <typename T>
using RemoveConst_t = std::remove_const_t<T>;
template <typename T>
using RemoveVolatile_t = std::remove_volatile_t<T>;
template <typename T>
using RemoveCV_t = std::remove_cv_t<T>;
template <typename T>
using RemoveReference_t = std::remove_reference_t<T>;
template <typename T>
using RemovePointer_t = std::remove_pointer_t<T>;
template <typename T>
using RemoveExtent_t = std::remove_extent_t<T>;
template <typename T>
using RemoveCVRef_t = std::remove_cv_t<std::remove_reference_t<T>>;
template <typename T>
using AddPointer_t = std::add_pointer_t<T>;
template <typename T>
using AddLvalueReference_t = std::add_lvalue_reference_t<T>;
template <typename T>
using AddRvalueReference_t = std::add_rvalue_reference_t<T>;
template <typename T>
using Decay_t = std::decay_t<T>;

template <typename T, typename U>
constexpr bool IsSame_v = std::is_same_v<T, U>;
template <typename From, typename To>
constexpr bool IsConvertible_v = std::is_convertible_v<From, To>;
template <typename T, typename... Args>
constexpr bool IsConstructible_v = std::is_constructible_v<T, Args...>;
template <typename T>
constexpr bool IsDefaultConstructible_v = std::is_default_constructible_v<T>;
template <typename T>
constexpr bool IsCopyConstructible_v = std::is_copy_constructible_v<T>;
template <typename T>
constexpr bool IsMoveConstructible_v = std::is_move_constructible_v<T>;
template <typename Base, typename Derived>
constexpr bool IsBaseOf_v = std::is_base_of_v<Base, Derived>;
template <typename T>
constexpr bool IsVoid_v = std::is_void_v<T>;
template <typename T>
constexpr bool IsConst_v = std::is_const_v<T>;
template <typename T>
constexpr bool IsReference_v = std::is_reference_v<T>;
template <typename T>
constexpr bool IsLvalueReference_v = std::is_lvalue_reference_v<T>;
template <typename T>
constexpr bool IsRvalueReference_v = std::is_rvalue_reference_v<T>;
template <typename T>
constexpr bool IsPointer_v = std::is_pointer_v<T>;
template <typename T>
constexpr bool IsArray_v = std::is_array_v<T>;
template <typename T>
constexpr bool IsIntegral_v = std::is_integral_v<T>;
template <typename T>
constexpr bool IsFloatingPoint_v = std::is_floating_point_v<T>;
template <typename T>
constexpr bool IsArithmetic_v = std::is_arithmetic_v<T>;
template <typename T>
constexpr bool IsSigned_v = std::is_signed_v<T>;
template <typename T>
constexpr bool IsUnsigned_v = std::is_unsigned_v<T>;
template <typename T>
constexpr bool IsEnum_v = std::is_enum_v<T>;
template <typename T>
constexpr bool IsClass_v = std::is_class_v<T>;
template <typename T>
constexpr bool IsFunction_v = std::is_function_v<T>;
template <typename T>
constexpr bool IsTriviallyCopyable_v = std::is_trivially_copyable_v<T>;

template <typename... Bs>
constexpr bool Conjunction_v = std::conjunction_v<Bs...>;
template <typename... Bs>
constexpr bool Disjunction_v = std::disjunction_v<Bs...>;
template <typename B>
constexpr bool Negation_v = std::negation_v<B>;

}  // namespace nvidia
