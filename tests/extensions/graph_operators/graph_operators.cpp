#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "gxr/device_choice.hpp"
#include "gxr/gxr.hpp"

namespace test {

/// What all of them share: this machine cannot capture, and nothing is computed on the CPU.
class PlannedOnly : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void tick() override { throw gxr::Error(gxr::ErrorCode::NotSupported, "is only planned"); }
  void capture(gxr::CaptureContext&) override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "is only planned");
  }
};

/// Makes a tensor of its input, `factor` times as wide.
class Stage final : public PlannedOnly {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Rows of numbers");
    interface.output(out_, "out", "Rows of numbers");
    interface.parameter(factor_, "factor", "How many times as wide the output is").default_value(1);
    interface.parameter(scratch_, "scratch", "Bytes for intermediate results").default_value(0);
    interface.parameter(answer_, "answer", "What infer() does")
        .default_value("shape")
        .choices({{"shape", "tells the shape"},
                  {"later", "does not know yet"},
                  {"nothing", "forgets the output"},
                  {"ports", "leaves all to the ports"},
                  {"throw", "throws"}});
    interface.parameter(device_, "device", "Where it works").default_value(gxr::DeviceChoice::Auto);
  }
  void infer(gxr::ShapeContext& context) override {
    if (*answer_ == "later") {
      throw gxr::Error(gxr::ErrorCode::NotAvailable, "not known before initialize()");
    }
    if (*answer_ == "throw") {
      throw std::runtime_error("the table is broken");
    }
    if (*answer_ == "ports") {
      return context.set_scratch(*scratch_);
    }
    gxr::TensorSpec spec = context.input(in_);
    if (spec.shape.rank() != 2) {
      throw gxr::Error(gxr::ErrorCode::InvalidArgument,
                       "input 'in' has rows and columns, but " + spec.to_string() + " arrives");
    }
    spec.shape = {spec.shape.dimension(0), spec.shape.dimension(1) * *factor_};
    context.set_scratch(*scratch_);
    if (*answer_ != "nothing") {
      context.set_output(out_, std::move(spec));
    }
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<std::int32_t> factor_;
  gxr::Parameter<std::uint64_t> scratch_;
  gxr::Parameter<std::string> answer_;
  gxr::Parameter<gxr::DeviceChoice> device_;
};

/// Makes a tensor like its input; with parameters for all traits.
class WithTraits final : public PlannedOnly {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Numbers");
    interface.output(out_, "out", "As many numbers");
    interface.parameter(dependent_launch_, "dependent_launch", "Kernels wait for others themselves")
        .default_value(false);
    interface.parameter(repeatable_, "repeatable", "Kernels may run once more")
        .default_value(false);
    interface.parameter(priority_, "priority", "Priority of its kernels").default_value(0);
    interface.parameter(kept_in_l2_, "kept_in_l2", "What the L2 cache keeps")
        .default_value(0)
        .choices({{"0", "nothing"}, {"1", "scratch"}, {"2", "output"}});
    interface.parameter(pass_through_, "pass_through", "Passes its input on while it is off")
        .default_value(false);
  }
  void infer(gxr::ShapeContext& context) override {
    context.set_scratch(1);
    context.set_output(out_, context.input(in_));
  }
  [[nodiscard]] gxr::GraphTraits graph_traits() const override {
    return {*dependent_launch_, *repeatable_, *priority_, static_cast<gxr::KeptInL2>(*kept_in_l2_),
            *pass_through_};
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<bool> dependent_launch_;
  gxr::Parameter<bool> repeatable_;
  gxr::Parameter<std::int32_t> priority_;
  gxr::Parameter<std::int32_t> kept_in_l2_;
  gxr::Parameter<bool> pass_through_;
};

/// Makes one tensor of two that have the same shape.
class Join final : public PlannedOnly {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(first_, "first", "Numbers");
    interface.input(second_, "second", "As many numbers");
    interface.output(out_, "out", "As many numbers");
  }
  void infer(gxr::ShapeContext& context) override {
    const gxr::TensorSpec& first = context.input(first_);
    const gxr::TensorSpec& second = context.input(second_);
    if (!(first.shape == second.shape)) {
      throw gxr::Error(gxr::ErrorCode::InvalidArgument,
                       "inputs 'first' and 'second' differ: " + first.to_string() + " and " +
                           second.to_string());
    }
    context.set_output(out_, first);
  }

 private:
  gxr::Input<> first_;
  gxr::Input<> second_;
  gxr::Output<> out_;
};

/// Makes tensors of nothing.
class Produce final : public PlannedOnly {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "Rows of numbers");
    interface.parameter(rows_, "rows", "Rows").default_value(16);
    interface.parameter(columns_, "columns", "Columns").default_value(64);
  }
  void infer(gxr::ShapeContext& context) override {
    context.set_output(out_, {{*rows_, *columns_}, gxr::ElementType::Float32, 0, {}});
  }

 private:
  gxr::Output<> out_;
  gxr::Parameter<std::int32_t> rows_;
  gxr::Parameter<std::int32_t> columns_;
};

/// Makes one number of a tensor.
class Measure final : public PlannedOnly {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Any tensor");
    interface.output(out_, "out", "A number");
    interface.parameter(real_, "real", "The number is a float32, else an int32")
        .default_value(false);
  }
  void infer(gxr::ShapeContext& context) override {
    static_cast<void>(context.input(in_));
    context.set_output(out_,
                       {{1}, *real_ ? gxr::ElementType::Float32 : gxr::ElementType::Int32, 0, {}});
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<bool> real_;
};

/// Takes tensors and makes nothing of them.
class Absorb final : public PlannedOnly {
 public:
  void declare(gxr::Interface& interface) override { interface.input(in_, "in", "Any tensor"); }
  void infer(gxr::ShapeContext& context) override { static_cast<void>(context.input(in_)); }

 private:
  gxr::Input<> in_;
};

/// A source of the CPU.
class Feed final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override { interface.output(out_, "out", "Messages"); }
  void tick() override { out_.publish(context().new_message()); }

 private:
  gxr::Output<> out_;
};

/// An entity of the CPU in the middle or at the end.
class Check final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages");
    interface.output(out_, "out", "The same messages").optional();
  }
  void tick() override {
    gxr::Message message = in_.receive();
    if (out_) {
      out_.publish(std::move(message));
    }
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
};

}  // namespace test

void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Stage>("One tensor of another");
  extension.add<test::WithTraits>("One tensor of another, with traits");
  extension.add<test::Join>("One tensor of two");
  extension.add<test::Produce>("Tensors of nothing");
  extension.add<test::Measure>("One number of a tensor");
  extension.add<test::Absorb>("The end of tensors");
  extension.add<test::Feed>("Messages from the CPU");
  extension.add<test::Check>("Messages to the CPU, and perhaps back");
}
