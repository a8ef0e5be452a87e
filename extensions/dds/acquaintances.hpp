#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "dds/transport.hpp"

namespace gxr::dds {

/// The other ends that an end of a topic has found: it tells why those that it could meet do not
/// meet it, once for each. Thread-safe.
class Acquaintances final : public EndpointListener {
 public:
  using Warn = std::function<void(const std::string&)>;

  /// `own`: the end whose others these are; its guid does not matter.
  Acquaintances(Endpoint own, Warn warn);

  void on_endpoint(const Endpoint& endpoint, bool is_there) override;

  /// For people; those that have gone are still known.
  [[nodiscard]] std::string called(const Guid& guid) const;

 private:
  [[nodiscard]] std::string objection(const Endpoint& other) const;

  const Endpoint own_;
  const Warn warn_;
  mutable std::mutex mutex_;
  std::map<Guid, std::string> called_;
  std::atomic<std::size_t> warnings_{0};
};

/// Do their partitions let them meet? Names may have '*' and '?' in them.
[[nodiscard]] bool share_partition(const Qualities& a, const Qualities& b);

}  // namespace gxr::dds
