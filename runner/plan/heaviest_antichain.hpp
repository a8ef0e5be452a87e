#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace gxr {

/// The greatest sum of weights of elements no two of which are ordered. `before` is a strict
/// partial order of the indices. Dilworth's theorem with weights: it is the sum of all weights less
/// the greatest flow from elements to those after them (Dinic's algorithm). Time grows with the
/// square of the number of elements and more.
std::uint64_t heaviest_antichain(const std::vector<std::uint64_t>& weights,
                                 const std::function<bool(std::size_t, std::size_t)>& before);

}  // namespace gxr
