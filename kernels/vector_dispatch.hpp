#pragma once

/// The one place that chooses between instruction sets at run time.
///
/// Row functions are plain loops that the compiler vectorises. `run_vectorized<f>(args...)` runs a
/// copy of f compiled for AVX2 and FMA where the processor has them, and f as compiled for the
/// baseline elsewhere. Multiplications and additions are fused only where the source says std::fma,
/// so both copies give the same bits. No indirect functions (ifunc) are involved: it works under
/// sanitizers and in static libraries.

namespace gxr::kernels {

#if defined(__x86_64__) && defined(__GNUC__)

inline bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

template <auto Function, class... Args>
[[gnu::target("avx2,fma"), gnu::flatten, gnu::noinline]] void run_avx2(Args... args) {
  Function(args...);
}

template <auto Function, class... Args>
void run_vectorized(Args... args) {
  if (has_avx2()) {
    run_avx2<Function>(args...);
    return;
  }
  Function(args...);
}

#else

template <auto Function, class... Args>
void run_vectorized(Args... args) {
  Function(args...);
}

#endif

}  // namespace gxr::kernels
