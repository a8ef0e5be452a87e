#include "operators.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "gxr/cuda/data.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/gxr.hpp"
#include "gxr/multimedia/video_buffer.hpp"

namespace gxr::test {

/// An operator whose ports are one number each.
class Operator : public Codelet, public GraphOperator {
 public:
  void tick() override { throw Error(ErrorCode::NotSupported, "runs in a graph only"); }
  [[nodiscard]] GraphTraits graph_traits() const override { return {.repeatable = true}; }

 protected:
  static TensorSpec number(ElementType type = ElementType::Int64) {
    return {Shape{1}, type, size_of(type), {}};
  }
  static const std::int64_t* in(const CaptureContext& context, const Receiver& port) {
    return static_cast<const std::int64_t*>(context.input(port).pointer());
  }
  static std::int64_t* out(const CaptureContext& context, const Transmitter& port) {
    return static_cast<std::int64_t*>(const_cast<void*>(context.output(port).pointer()));
  }
};

class Count final : public Operator {
 public:
  void declare(Interface& interface) override { interface.output(out_, "out", "Numbers"); }
  void infer(ShapeContext& context) override { context.set_output(out_, number()); }
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(), [to = out(context, out_), from = context.iteration()] {
      *to = static_cast<std::int64_t>(*from) + 1;
    });
  }

 private:
  Output<> out_;
};

/// With one input.
class Unary : public Operator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Numbers");
    interface.output(out_, "out", "Numbers");
  }
  void infer(ShapeContext& context) override { context.set_output(out_, number()); }

 protected:
  Input<> in_;
  Output<> out_;
};

class Add final : public Unary {
 public:
  void declare(Interface& interface) override {
    Unary::declare(interface);
    interface.parameter(value_, "value", "What is added").default_value(1).dynamic();
  }
  void capture(CaptureContext& context) override {
    const std::int64_t value = *value_;
    fake::launch(context.stream(), [from = in(context, in_), to = out(context, out_), value] {
      *to = *from + value;
    });
  }

 private:
  Parameter<std::int64_t> value_;
};

class Scale final : public Unary {
 public:
  void declare(Interface& interface) override {
    Unary::declare(interface);
    interface.parameter(factor_, "factor", "By what is multiplied").default_value(1).dynamic();
  }
  void infer(ShapeContext& context) override {
    Unary::infer(context);
    context.set_parameters_to(*factor_);
  }
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(),
                 [from = in(context, in_), to = out(context, out_),
                  factor = context.parameters<std::int64_t>()] { *to = *from * *factor; });
  }

 private:
  Parameter<std::int64_t> factor_;
};

class Urgent final : public Unary {
 public:
  void declare(Interface& interface) override {
    Unary::declare(interface);
    interface.parameter(priority_, "priority", "Priority of its kernels").default_value(0);
    interface.parameter(value_, "value", "What is added").default_value(0).dynamic();
  }
  [[nodiscard]] GraphTraits graph_traits() const override {
    GraphTraits traits;
    traits.priority = *priority_;
    return traits;
  }
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(),
                 [from = in(context, in_), to = out(context, out_), value = *value_] {
                   *to = *from + value + 1000 * fake::traits_of_node().priority;
                 });
  }

 private:
  Parameter<std::int32_t> priority_;
  Parameter<std::int64_t> value_;
};

class Join final : public Operator {
 public:
  void declare(Interface& interface) override {
    interface.input(a_, "a", "Numbers");
    interface.input(b_, "b", "Numbers");
    interface.output(out_, "out", "Sums");
  }
  void infer(ShapeContext& context) override { context.set_output(out_, number()); }
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(), [a = in(context, a_), b = in(context, b_),
                                    to = out(context, out_)] { *to = *a + *b; });
  }

 private:
  Input<> a_;
  Input<> b_;
  Output<> out_;
};

class Less final : public Operator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Numbers");
    interface.output(out_, "out", "1 or 0");
    interface.parameter(than_, "than", "What is greater").default_value(0);
  }
  void infer(ShapeContext& context) override {
    context.set_output(out_, number(ElementType::Int32));
  }
  void capture(CaptureContext& context) override {
    auto* const to = static_cast<std::int32_t*>(const_cast<void*>(context.output(out_).pointer()));
    const std::int64_t than = *than_;
    fake::launch(context.stream(),
                 [from = in(context, in_), to, than] { *to = *from < than ? 1 : 0; });
  }

 private:
  Input<> in_;
  Output<> out_;
  Parameter<std::int64_t> than_;
};

/// Passes numbers on but for one, in its place something happens.
class Passing : public Unary {
 public:
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(),
                 [this, from = in(context, in_), to = out(context, out_)] { pass(*from, *to); });
  }

 protected:
  explicit Passing(std::shared_ptr<Switches> switches) : switches_(std::move(switches)) {}
  virtual void pass(std::int64_t from, std::int64_t& to) = 0;

  std::shared_ptr<Switches> switches_;
};

class Fault final : public Passing {
 public:
  Fault() : Passing(nullptr) {}
  explicit Fault(std::shared_ptr<Switches> switches) : Passing(std::move(switches)) {}

 private:
  void pass(std::int64_t from, std::int64_t& to) override {
    if (static_cast<std::uint64_t>(from) == switches_->fails_at.load()) {
      throw std::runtime_error("an illegal address");
    }
    to = from;
  }
};

class Hang final : public Passing {
 public:
  Hang() : Passing(nullptr) {}
  explicit Hang(std::shared_ptr<Switches> switches) : Passing(std::move(switches)) {}

 private:
  void pass(std::int64_t from, std::int64_t& to) override {
    if (static_cast<std::uint64_t>(from) == switches_->hangs_at.load()) {
      const auto gate = switches_->hangs;
      gate->wait();
      return;  // the memory may be gone
    }
    to = from;
  }
};

/// Passes numbers on. Before it is captured it gives the test what its input is then, less 1000.
class Ready final : public Passing, public CapturePreparation {
 public:
  Ready() : Passing(nullptr) {}
  explicit Ready(std::shared_ptr<Switches> switches) : Passing(std::move(switches)) {}

  void prepare_capture(CaptureContext& context) override {
    fake::launch(context.stream(), [this, from = in(context, in_), to = out(context, out_)] {
      switches_->keep(*from - 1000);
      *to = 77;
    });
  }

 private:
  void pass(std::int64_t from, std::int64_t& to) override { to = from; }
};

/// Gives the numbers to the test, and sends nothing.
class Give final : public Operator {
 public:
  Give() = default;
  explicit Give(std::shared_ptr<Switches> switches) : switches_(std::move(switches)) {}
  void declare(Interface& interface) override { interface.input(in_, "in", "Numbers"); }
  void infer(ShapeContext& context) override { static_cast<void>(context.input(in_)); }
  void capture(CaptureContext& context) override {
    fake::launch(context.stream(), [this, from = in(context, in_)] { switches_->keep(*from); });
  }

 private:
  Input<> in_;
  std::shared_ptr<Switches> switches_;
};

/// On the CPU: sends 1, 2, 3, …
class Feed final : public Codelet {
 public:
  void declare(Interface& interface) override {
    interface.output(out_, "out", "Numbers");
    interface.parameter(pool_, "pool", "Where tensors lie");
    interface.parameter(as_video_, "as_video", "Send pictures instead").default_value(false);
  }
  void start() override { next_ = 1; }
  void tick() override {
    Message message = context().new_message();
    if (*as_video_) {
      message.add<VideoBuffer>().resize(**pool_, VideoFormat::Gray, 8, 1);
      return out_.publish(std::move(message));
    }
    auto& tensor = message.add<Tensor>();
    tensor.allocate(**pool_, Shape{1}, ElementType::Int64);
    std::memcpy(const_cast<void*>(tensor.pointer()), &next_, sizeof next_);
    ++next_;
    out_.publish(std::move(message));
  }

 private:
  Output<> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<bool> as_video_;
  std::int64_t next_ = 1;
};

/// On the CPU: gives the numbers to the test.
class Keep final : public Codelet {
 public:
  Keep() = default;
  explicit Keep(std::shared_ptr<Switches> switches) : switches_(std::move(switches)) {}
  void declare(Interface& interface) override { interface.input(in_, "in", "Numbers"); }
  void tick() override {
    const Message message = in_.receive();
    const DeviceWork work = cuda::work_behind(message);
    if (work && !finish_on_host(work)) {
      throw Error(ErrorCode::Device, "the device was given up");
    }
    DeviceRuntime::get().check();
    std::int64_t number = 0;
    std::memcpy(&number, message.find<Tensor>()->pointer(), sizeof number);
    switches_->keep(number);
  }

 private:
  Input<> in_;
  std::shared_ptr<Switches> switches_;
};

TypeProvider operators(const std::shared_ptr<Switches>& switches) {
  TypeProvider provider = provide_types("operators of the fake device", [](Extension& extension) {
    extension.add<Count>("Counts iterations");
    extension.add<Add>("Adds a value");
    extension.add<Scale>("Multiplies by a factor");
    extension.add<Urgent>("Adds the priority of its kernels");
    extension.add<Join>("Adds two numbers");
    extension.add<Less>("Compares with a number");
    extension.add<Fault>("Fails at a number");
    extension.add<Hang>("Hangs at a number");
    extension.add<Ready>("Prepares its capture");
    extension.add<Give>("Gives numbers away");
    extension.add<Feed>("Sends numbers");
    extension.add<Keep>("Keeps numbers");
  });
  for (ProvidedType& type : provider.types) {
    const std::string& name = type.info.name;
    if (name == "gxr::test::Fault") {
      type.create = [switches] { return std::make_unique<Fault>(switches); };
    } else if (name == "gxr::test::Hang") {
      type.create = [switches] { return std::make_unique<Hang>(switches); };
    } else if (name == "gxr::test::Ready") {
      type.create = [switches] { return std::make_unique<Ready>(switches); };
    } else if (name == "gxr::test::Give") {
      type.create = [switches] { return std::make_unique<Give>(switches); };
    } else if (name == "gxr::test::Keep") {
      type.create = [switches] { return std::make_unique<Keep>(switches); };
    }
  }
  return provider;
}

}  // namespace gxr::test
