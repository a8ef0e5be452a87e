#pragma once

#include <thread>

#include <gxr/gxr.hpp>

#include "doorbell.hpp"

namespace guide {

/// Opens the door when it rings; a thread of its own rings.
class Porter final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(bell_, "bell", "The doorbell of this entity");
    interface.parameter(visitors_, "visitors", "How often it rings").default_value(3).minimum(0);
  }

  void start() override {
    street_ = std::thread([this] {
      for (std::int32_t i = 0; i < *visitors_; ++i) {
        bell_->ring();
      }
      bell_->remove();
    });
  }
  void tick() override { log_info("visitor " + std::to_string(execution_count())); }
  void stop() override { street_.join(); }

 private:
  gxr::Parameter<gxr::Handle<Doorbell>> bell_;
  gxr::Parameter<std::int32_t> visitors_;
  std::thread street_;
};

}  // namespace guide
