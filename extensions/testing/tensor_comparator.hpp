#pragma once

#include <cstdint>
#include <utility>

#include "gxr/gxr.hpp"

namespace gxr::testing {

enum class CompareTimestamp : std::uint8_t { PubtimeOnly, AcqtimeOnly, PubtimeAndAcqtime, None };

/// Takes a message from each of two receivers per tick and fails when their tensors, elements and
/// names included, or timestamps differ.
class TensorComparator final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  void compare_timestamps(const Message& expected, const Message& actual) const;

  Input<> expected_;
  Input<> actual_;
  Parameter<CompareTimestamp> compare_timestamp_;
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
