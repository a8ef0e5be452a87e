#include <chrono>

#include <gxr/gxr.hpp>

namespace bench {

/// Passes messages on after keeping the processor busy: a codelet with work to do.
class Burn final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages to pass on");
    interface.output(out_, "out", "The same messages");
    interface.parameter(ns_, "ns", "Time to keep busy for each message")
        .default_value(1000)
        .minimum(0)
        .unit("ns");
  }

  void tick() override {
    gxr::Message message = in_.receive();
    const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(*ns_);
    while (std::chrono::steady_clock::now() < end) {
    }
    out_.publish(std::move(message));
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<std::int64_t> ns_;
};

}  // namespace bench

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<bench::Burn>("Passes messages on after some work");
}
