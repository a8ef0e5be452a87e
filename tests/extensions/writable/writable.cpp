// A source of small tensors, a codelet that changes them, and one that prints them; one that
// changes pictures.

#include <algorithm>
#include <numeric>
#include <string>

#include "gxr/gxr.hpp"

namespace test {

using gxr::ElementType;
using gxr::Tensor;

/// Publishes a tensor with the numbers 0, 1 and 2, and a number of its own.
class Numbers final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "Three numbers").named("numbers").elements({ElementType::Int32});
    interface.parameter(pool_, "pool", "Gives the tensors their memory");
  }
  void tick() override {
    gxr::Message message = context().new_message();
    auto& numbers = message.add<Tensor>("numbers");
    numbers.allocate<std::int32_t>(**pool_, {3});
    std::iota(numbers.data<std::int32_t>(), numbers.data<std::int32_t>() + 3, 0);
    out_.publish(message);
  }

 private:
  gxr::Output<Tensor> out_;
  gxr::Parameter<gxr::Handle<gxr::Allocator>> pool_;
};

/// Adds to the numbers of the message itself.
class Raise final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Three numbers").named("numbers").elements({ElementType::Int32});
    interface.output(out_, "out", "The same, raised").named("numbers");
    interface.parameter(by_, "by", "What is added").default_value(10);
  }
  void tick() override {
    gxr::Message message = in_.receive();
    auto& numbers = message.make_writable<Tensor>("numbers");
    for (std::uint64_t i = 0; i < numbers.element_count(); ++i) {
      numbers.data<std::int32_t>()[i] += by_;
    }
    out_.publish(message);
  }

 private:
  gxr::Input<Tensor> in_;
  gxr::Output<Tensor> out_;
  gxr::Parameter<std::int32_t> by_;
};

/// Logs the numbers.
class Tell final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Three numbers").named("numbers").elements({ElementType::Int32});
  }
  void tick() override {
    const gxr::Message message = in_.receive();
    const auto& numbers = message.get<Tensor>("numbers");
    std::string text;
    for (std::uint64_t i = 0; i < numbers.element_count(); ++i) {
      text += " " + std::to_string(numbers.data<std::int32_t>()[i]);
    }
    log_info("numbers" + text);
  }

 private:
  gxr::Input<Tensor> in_;
};

/// Makes a picture black, in the message itself.
class Blacken final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "A picture of bytes").named("image");
    interface.output(out_, "out", "A black one").named("image");
  }
  void tick() override {
    gxr::Message message = in_.receive();
    auto& image = message.make_writable<Tensor>("image");
    auto* row = static_cast<char*>(image.pointer());
    for (std::int32_t y = 0; y < image.shape().dimension(0); ++y, row += image.stride(0)) {
      std::fill_n(row, image.stride(1) * static_cast<std::uint64_t>(image.shape().dimension(1)),
                  '\0');
    }
    out_.publish(message);
  }

 private:
  gxr::Input<Tensor> in_;
  gxr::Output<Tensor> out_;
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Numbers>("Publishes the numbers 0, 1 and 2");
  extension.add<test::Raise>("Adds to numbers in place");
  extension.add<test::Tell>("Logs numbers");
  extension.add<test::Blacken>("Makes a picture black in place");
}
