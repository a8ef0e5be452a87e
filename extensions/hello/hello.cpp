#include <gxr/gxr.hpp>

namespace hello {

/// Says something about the messages that pass.
class Greeter : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages to greet");
    interface.output(out_, "out", "The same messages");
    interface.parameter(greeting_, "greeting", "What to say").default_value("Hello");
    interface.parameter(every_, "every", "Greet one message in so many")
        .default_value(1)
        .minimum(1);
  }

  void tick() override {
    gxr::Message message = in_->receive();
    if (execution_count() % *every_ == 0) {
      log_info(*greeting_ + ", message " + std::to_string(execution_count()) + "!");
    }
    out_->publish(std::move(message));
  }

 private:
  gxr::Parameter<gxr::Handle<gxr::Receiver>> in_;
  gxr::Parameter<gxr::Handle<gxr::Transmitter>> out_;
  gxr::Parameter<std::string> greeting_;
  gxr::Parameter<std::int64_t> every_;
};

}  // namespace hello

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<hello::Greeter>("Greets the messages that pass");
}
