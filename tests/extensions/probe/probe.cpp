#include <string>
#include <vector>

#include <gxr/gxr.hpp>

namespace probe {

/// Logs every call, takes and publishes as told, and fails when asked to.
class Probe final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(receivers_, "receivers", "Queues to take from").default_value({});
    interface.parameter(transmitters_, "transmitters", "Queues to publish on").default_value({});
    interface.parameter(take_, "take", "Messages to take from each receiver in a tick")
        .default_value(1);
    interface.parameter(publish_, "publish", "Messages to publish on each transmitter in a tick")
        .default_value(1);
    interface.parameter(interrupt_at_, "interrupt_at", "Tick that interrupts the application")
        .default_value(0);
    interface.parameter(stop_term_, "stop_term", "Term to switch off after `stop_after` ticks")
        .optional();
    interface.parameter(stop_after_, "stop_after", "See stop_term").default_value(1);
  }

  void initialize() override { log_info("initialize"); }
  void deinitialize() override { log_info("deinitialize"); }
  void start() override { log_info("start"); }
  void stop() override { log_info("stop"); }

  void tick() override {
    std::string text = "tick " + std::to_string(execution_count()) + " at " +
                       std::to_string(execution_timestamp() / 1'000'000) + " ms";
    for (const auto& receiver : *receivers_) {
      text += ", took " + std::to_string(take_from(*receiver));
    }
    for (const auto& transmitter : *transmitters_) {
      for (int i = 0; i < *publish_; ++i) {
        gxr::Message message = context().new_message();
        message.add<std::int64_t>("number", ++number_);
        transmitter->publish(std::move(message));
      }
    }
    log_info(text);
    if (execution_count() == *interrupt_at_) {
      context().interrupt();
    }
    if (stop_term_.has_value() && execution_count() == *stop_after_) {
      stop_term_->disable_tick();
    }
  }

 private:
  int take_from(gxr::Receiver& receiver) const {
    int taken = 0;
    while (taken < *take_ && receiver.size() > 0) {
      receiver.receive();
      ++taken;
    }
    return taken;
  }

  gxr::Parameter<std::vector<gxr::Handle<gxr::Receiver>>> receivers_;
  gxr::Parameter<std::vector<gxr::Handle<gxr::Transmitter>>> transmitters_;
  gxr::Parameter<int> take_;
  gxr::Parameter<int> publish_;
  gxr::Parameter<std::int64_t> interrupt_at_;
  gxr::Parameter<gxr::Handle<gxr::BooleanSchedulingTerm>> stop_term_;
  gxr::Parameter<std::int64_t> stop_after_;
  std::int64_t number_ = 0;
};

}  // namespace probe

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<probe::Probe>("Logs every call of the scheduler");
}
