#pragma once

#include <cstdint>
#include <utility>

#include <gxr/gxr.hpp>

namespace guide {

/// Publishes the numbers from `from` to 1, and then has finished.
class Countdown final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "Numbers").named("number");
    interface.parameter(from_, "from", "First number").default_value(3).minimum(0);
    interface.parameter(term_, "term", "Ends this entity; of the same entity");
  }

  void start() override {
    next_ = *from_;
    if (next_ == 0) {
      term_->disable_tick();  // not even one tick
    }
  }

  void tick() override {
    gxr::Message message = context().new_message();
    message.add<std::int32_t>("number", next_);
    out_.publish(std::move(message), execution_timestamp());
    if (--next_ == 0) {
      term_->disable_tick();
    }
  }

 private:
  gxr::Output<std::int32_t> out_;
  gxr::Parameter<std::int32_t> from_;
  gxr::Parameter<gxr::Handle<gxr::BooleanSchedulingTerm>> term_;
  std::int32_t next_ = 0;
};

}  // namespace guide
