#include "quantiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gxr {
namespace {

// Values below 2^kBits have a bucket each; above, each power of two has 2^kBits buckets.
constexpr unsigned kBits = 7;
constexpr std::size_t kBuckets = (64 - kBits + 1) << kBits;

std::size_t bucket_of(std::uint64_t value) noexcept {
  if (value < (1U << kBits)) {
    return value;
  }
  const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - kBits;
  return (std::size_t{shift + 1} << kBits) + ((value >> shift) & ((1U << kBits) - 1));
}

/// The greatest value of a bucket.
std::uint64_t end_of(std::size_t bucket) noexcept {
  if (bucket < (1U << kBits)) {
    return bucket;
  }
  const std::size_t shift = (bucket >> kBits) - 1;
  const std::uint64_t mantissa = (bucket & ((1U << kBits) - 1)) + (1U << kBits);
  return ((mantissa + 1) << shift) - 1;
}

}  // namespace

void Quantiles::add(std::int64_t value) {
  const std::int64_t sample = std::max<std::int64_t>(value, 0);
  ++count_;
  sum_ += sample;
  maximum_ = std::max(maximum_, sample);
  if (histogram_.empty() && samples_.size() == kExact) {
    spill();
  }
  if (histogram_.empty()) {
    samples_.push_back(sample);
  } else {
    ++histogram_[bucket_of(static_cast<std::uint64_t>(sample))];
  }
}

void Quantiles::spill() {
  histogram_.resize(kBuckets);
  for (const std::int64_t sample : samples_) {
    ++histogram_[bucket_of(static_cast<std::uint64_t>(sample))];
  }
  samples_ = {};
}

std::int64_t Quantiles::quantile(double fraction) const {
  if (count_ == 0) {
    return 0;
  }
  const double wanted = std::ceil(fraction * static_cast<double>(count_));
  const std::uint64_t rank =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::max(wanted, 1.0)), 1, count_);
  if (histogram_.empty()) {
    std::vector<std::int64_t> sorted = samples_;
    const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(sorted.begin(), nth, sorted.end());
    return *nth;
  }
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < histogram_.size(); ++bucket) {
    seen += histogram_[bucket];
    if (seen >= rank) {
      return std::min(static_cast<std::int64_t>(end_of(bucket)), maximum_);
    }
  }
  return maximum_;
}

}  // namespace gxr
