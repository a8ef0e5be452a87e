#pragma once

#include "common/type_name.hpp"

#if __has_include(<cuda/std/complex>)
#include <cuda/std/complex>
#else
#include <complex>
#endif

namespace nvidia {
namespace gxf {

// CUDA's where there is CUDA. Both have the same layout.
#if __has_include(<cuda/std/complex>)
using complex64 = cuda::std::complex<float>;
using complex128 = cuda::std::complex<double>;
#else
using complex64 = std::complex<float>;
using complex128 = std::complex<double>;
#endif

}  // namespace gxf

#if __has_include(<cuda/std/complex>)
// As parts of messages they are one type, whatever class a source has for them.
template <>
constexpr const char* TypenameAsString<gxf::complex64>() {
  return "std::complex<float>";
}
template <>
constexpr const char* TypenameAsString<gxf::complex128>() {
  return "std::complex<double>";
}
#endif

}  // namespace nvidia
