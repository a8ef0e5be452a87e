#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr {

/// Passes messages of several receivers on together, when their times of acquisition are close
/// enough to each other.
class Synchronization final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  /// Position of the first message for each input, so that all of them fit; empty when there are
  /// none yet.
  [[nodiscard]] std::optional<std::vector<std::size_t>> find_match(std::int64_t latest) const;

  Parameter<std::vector<Handle<Receiver>>> inputs_;
  Parameter<std::vector<Handle<Transmitter>>> outputs_;
  Parameter<std::int64_t> sync_threshold_;
};

}  // namespace gxr
