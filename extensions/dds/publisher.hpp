#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "dds/acquaintances.hpp"
#include "dds/topic_parameters.hpp"
#include "dds/transport.hpp"
#include "gxr/codelet.hpp"
#include "gxr/port.hpp"

namespace gxr::dds {

/// Publishes messages on a topic.
class Publisher final : public Codelet, private WriterListener {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void start() override;
  void tick() override;
  void stop() override;
  void deinitialize() override;

 private:
  void on_deadline_missed(std::uint32_t count) override;
  void on_matched(std::uint32_t count) override;

  [[nodiscard]] SharedBytes encode(const Message& message) const;
  void report() const;

  Input<> in_;
  TopicParameters topic_;
  Parameter<Duration> lifespan_;
  Parameter<std::int32_t> strength_;
  Parameter<Duration> max_blocking_;
  Parameter<Duration> drain_timeout_;

  std::shared_ptr<Participation> participation_;
  std::optional<Acquaintances> acquaintances_;
  std::unique_ptr<Writer> writer_;
  std::atomic<std::uint32_t> readers_{0};
  std::atomic<std::uint64_t> missed_{0};  // deadlines
  std::uint64_t published_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace gxr::dds
