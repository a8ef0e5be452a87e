#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dds/acquaintances.hpp"
#include "dds/bad_samples.hpp"
#include "dds/sample_queue.hpp"
#include "dds/topic_parameters.hpp"
#include "dds/transport.hpp"
#include "gxr/codelet.hpp"
#include "gxr/driven_terms.hpp"
#include "gxr/known_length.hpp"
#include "gxr/metric.hpp"
#include "gxr/port.hpp"

namespace gxr::dds {

/// Publishes what comes on a topic. The entity waits by an asynchronous term, so no thread waits.
class Subscriber final : public Codelet, public KnownLength, private ReaderListener {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void start() override;
  void tick() override;
  void stop() override;
  void deinitialize() override;
  /// Its `count`.
  [[nodiscard]] std::optional<std::uint64_t> ticks_in_run() const override;

 private:
  void on_data() override { queue_.fill(); }
  void on_deadline_missed(std::uint32_t count) override;
  void on_matched(std::uint32_t count) override;
  void on_bad_sample(const Guid& writer, const std::string& reason);

  void publish(SampleQueue::Entry entry);
  [[nodiscard]] bool fill_message(Message& message, SampleQueue::Entry& entry);
  void note_loss(const SampleQueue::Entry& entry);
  void report() const;

  Output<> out_;
  TopicParameters topic_;
  Parameter<std::uint64_t> count_;
  Parameter<Handle<Metric>> lost_;
  Parameter<Handle<AsynchronousSchedulingTerm>> term_;

  std::shared_ptr<Participation> participation_;
  std::optional<Acquaintances> acquaintances_;
  std::unique_ptr<Reader> reader_;
  SampleQueue queue_;
  std::atomic<std::uint64_t> missed_{0};  // deadlines
  BadSamples bad_;
  std::uint64_t published_ = 0;
  std::uint64_t shared_ = 0;  // of these, came in shared memory
  bool lost_any_ = false;
};

}  // namespace gxr::dds
