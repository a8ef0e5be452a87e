#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gxr/gxr.hpp"
#include "gxr/unchecked_output.hpp"

namespace gxr {

/// Passes messages of several receivers on together, when their times of acquisition are close
/// enough to each other.
class Synchronization final : public Codelet, public MessageAccount {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  [[nodiscard]] std::vector<Discard> discards() const override;
  void stop() override { output_.finish(*this); }

 private:
  /// The message of an input that fits those of the others.
  struct Match {
    std::size_t index = 0;     ///< in its queue; those before have no partner
    std::int64_t partner = 0;  ///< time of the others' latest message, from which those are too far
  };
  /// The first message of each input, so that all of them fit; empty when there are none yet.
  [[nodiscard]] std::optional<std::vector<Match>> find_match(std::int64_t latest) const;
  /// Takes the oldest message of an input, further than the threshold from that time of a partner.
  void discard(Receiver& input, std::int64_t partner);

  Parameter<std::vector<Handle<Receiver>>> inputs_;
  Parameter<std::vector<Handle<Transmitter>>> outputs_;
  Parameter<std::int64_t> sync_threshold_;
  std::uint64_t passed_ = 0;     // sets, one message of each input
  std::uint64_t discarded_ = 0;  // messages
  std::int64_t nearest_miss_ = 0;
  UncheckedOutput output_;
};

}  // namespace gxr
