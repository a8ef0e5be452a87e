#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace nvidia {
namespace gxf {

/// Extent of a tensor: rank 0 to 8. The same part of a message as gxr::Shape.
class Shape {
 public:
  static constexpr uint32_t kMaxRank = 8;

  Shape() = default;
  // Dimensions behind the eighth are cut.
  Shape(std::initializer_list<int32_t> dimensions) : Shape(dimensions.begin(), dimensions.size()) {}
  Shape(const std::vector<int32_t>& dimensions) : Shape(dimensions.data(), dimensions.size()) {}
  Shape(const std::array<int32_t, kMaxRank>& dimensions, uint32_t rank)
      : Shape(dimensions.data(), rank) {}
  template <std::size_t N, typename = std::enable_if_t<(N < kMaxRank)>>
  Shape(const std::array<int32_t, N>& dimensions) : Shape(dimensions.data(), N) {}

  [[nodiscard]] uint32_t rank() const { return rank_; }
  /// Product of the dimensions; 0 for rank 0.
  [[nodiscard]] uint64_t size() const {
    uint64_t product = rank_ == 0 ? 0 : 1;
    for (uint32_t i = 0; i < rank_; ++i) {
      product *= static_cast<uint64_t>(dimensions_[i]);
    }
    return product;
  }
  /// 1 beyond the rank; 0 for rank 0.
  [[nodiscard]] int32_t dimension(uint32_t index) const {
    return rank_ == 0 ? 0 : index < rank_ ? dimensions_[index] : 1;
  }
  /// Are all dimensions greater than 0?
  [[nodiscard]] bool valid() const {
    return std::all_of(dimensions_.begin(), dimensions_.begin() + rank_,
                       [](int32_t dimension) { return dimension > 0; });
  }

  friend bool operator==(const Shape& a, const Shape& b) {
    return a.rank_ == b.rank_ && a.dimensions_ == b.dimensions_;
  }
  friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

 private:
  Shape(const int32_t* dimensions, std::size_t rank)
      : rank_(static_cast<uint32_t>(std::min<std::size_t>(rank, kMaxRank))) {
    std::copy_n(dimensions, rank_, dimensions_.begin());
  }

  uint32_t rank_ = 0;
  std::array<int32_t, kMaxRank> dimensions_{};  // 0 beyond the rank
};

}  // namespace gxf
}  // namespace nvidia
