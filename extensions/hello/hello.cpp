#include <gxr/gxr.hpp>

namespace hello {

class Greeter : public gxr::Codelet {
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<std::string> greeting_;
  gxr::Parameter<std::int64_t> every_;

 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages to greet");
    interface.output(out_, "out", "The same messages");
    interface.parameter(greeting_, "greeting", "What to say").default_value("Hello");
    interface.parameter(every_, "every", "Greet one in so many").default_value(1).minimum(1);
    interface.passes_messages();
  }

  void tick() override {
    if (execution_count() % every_ == 0) {
      log_info(*greeting_ + ", message " + std::to_string(execution_count()) + "!");
    }
    out_.publish(in_.receive());
  }
};

}  // namespace hello

extern "C" void gxr_extension(gxr::Extension& e) { e.add<hello::Greeter>("Greets messages"); }
