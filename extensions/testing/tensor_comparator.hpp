#pragma once

#include <cstdint>
#include <utility>

#include "gxr/gxr.hpp"
#include "tolerance.hpp"

namespace gxr::testing {

enum class CompareTimestamp : std::uint8_t { PubtimeOnly, AcqtimeOnly, PubtimeAndAcqtime, None };

/// Takes a message from each of two receivers per tick and fails when their tensors, elements and
/// names included, or timestamps differ. Elements may differ by a Tolerance.
class TensorComparator final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  void compare_timestamps(const Message& expected, const Message& actual) const;

  Input<> expected_;
  Input<> actual_;
  Parameter<CompareTimestamp> compare_timestamp_;
  Parameter<double> absolute_tolerance_;
  Parameter<double> relative_tolerance_;
  Parameter<std::uint64_t> ulp_tolerance_;
  Tolerance tolerance_;
};

}  // namespace gxr::testing

template <>
struct gxr::EnumNames<gxr::testing::CompareTimestamp> {
  using E = gxr::testing::CompareTimestamp;
  static constexpr std::pair<E, const char*> values[] = {
      {E::PubtimeOnly, "PubtimeOnly"},
      {E::AcqtimeOnly, "AcqtimeOnly"},
      {E::PubtimeAndAcqtime, "PubtimeAndAcqtime"},
      {E::None, "None"},
  };
};
