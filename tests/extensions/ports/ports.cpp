#include <gxr/gxr.hpp>
#include <gxr/multimedia/video_buffer.hpp>

namespace ports {

/// Publishes one empty message in each tick, whatever its port declares.
template <class T = gxr::AnyMessage>
class Source : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override { declare_port(interface); }
  void tick() override { out_.publish(context().new_message()); }

 protected:
  gxr::PortDeclaration declare_port(gxr::Interface& interface) {
    return interface.output(out_, "out", "Messages");
  }

 private:
  gxr::Output<T> out_;
};

template <class T = gxr::AnyMessage>
class Sink : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override { declare_port(interface); }
  void tick() override { static_cast<void>(in_.receive()); }

 protected:
  gxr::PortDeclaration declare_port(gxr::Interface& interface) {
    return interface.input(in_, "in", "Messages");
  }

 private:
  gxr::Input<T> in_;
};

using gxr::ElementType;
using gxr::Tensor;
using gxr::VideoBuffer;
using gxr::VideoFormat;

class AnySource : public Source<> {};
class AnySink : public Sink<> {};

/// Points of three numbers.
class PointSource : public Source<Tensor> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).named("points").elements({ElementType::Float32}).dimensions({-1, 3});
  }
};

class ByteSink : public Sink<Tensor> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).elements({ElementType::UInt8, ElementType::Int8});
  }
};

class PictureSink : public Sink<VideoBuffer> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).formats({VideoFormat::Rgb, VideoFormat::Bgr});
  }
};

class GraySource : public Source<VideoBuffer> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).formats({VideoFormat::Gray});
  }
};

/// A picture of any format, and perhaps more.
class CameraSource : public Source<VideoBuffer> {
 public:
  void declare(gxr::Interface& interface) override { declare_port(interface).other_parts(); }
};

/// Several parts, one of which may be missing.
class ScanSink : public Sink<> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface)
        .part<Tensor>("points")
        .elements({ElementType::Float32, ElementType::Float64})
        .dimensions({-1, 3})
        .part<Tensor>("colors")
        .elements({ElementType::UInt8})
        .optional_part();
  }
};

/// One of two parts.
class ViewSink : public Sink<Tensor> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).rank(3).or_part<VideoBuffer>().formats({VideoFormat::Gray});
  }
};

class ViewSource : public Source<Tensor> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).rank(3).or_part<VideoBuffer>().formats({VideoFormat::Rgb});
  }
};

class PlaneSource : public Source<Tensor> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).named("points").dimensions({-1, 2});
  }
};

class CubeSource : public Source<Tensor> {
 public:
  void declare(gxr::Interface& interface) override { declare_port(interface).rank(3); }
};

class ColorSource : public Source<> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).part<Tensor>("points").part<Tensor>("colors").elements(
        {ElementType::Float32});
  }
};

/// May send points, and does not always.
class MaybeSource : public Source<Tensor> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).named("points").optional_part();
  }
};

/// publish() adds that part.
class TimeSink : public Sink<> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).part<gxr::Timestamp>("timestamp");
  }
};

// Pictures of one kind each.

class GreySink : public Sink<Tensor> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).elements({ElementType::UInt8}).dimensions({-1, -1, 1});
  }
};

class DeepSink : public Sink<Tensor> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).elements({ElementType::UInt16});
  }
};

class AlphaSink : public Sink<Tensor> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).dimensions({-1, -1, 4});
  }
};

class Nv12Sink : public Sink<VideoBuffer> {
 public:
  void declare(gxr::Interface& interface) override {
    declare_port(interface).formats({VideoFormat::Nv12, VideoFormat::Nv12Bt709});
  }
};

/// Sends on what it gets, without saying so.
class Secret : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages");
    interface.output(out_, "out", "The same");
  }
  void tick() override { out_.publish(in_.receive()); }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
};

}  // namespace ports

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<ports::AnySource>("Sends anything");
  extension.add<ports::AnySink>("Takes anything");
  extension.add<ports::PointSource>("Sends points");
  extension.add<ports::GreySink>("Takes grey pictures");
  extension.add<ports::DeepSink>("Takes pictures of 16 bits");
  extension.add<ports::AlphaSink>("Takes pictures of four channels");
  extension.add<ports::Nv12Sink>("Takes pictures of NV12");
  extension.add<ports::PlaneSource>("Sends points of two numbers");
  extension.add<ports::CubeSource>("Sends tensors of three dimensions");
  extension.add<ports::ColorSource>("Sends points with colors that are no bytes");
  extension.add<ports::GraySource>("Sends gray pictures");
  extension.add<ports::CameraSource>("Sends pictures and perhaps more");
  extension.add<ports::ByteSink>("Takes bytes");
  extension.add<ports::PictureSink>("Takes pictures in color")
      .alias("nvidia::gxf::PortsPictureSink");
  extension.add<ports::ScanSink>("Takes points, with colors or without");
  extension.add<ports::ViewSink>("Takes a tensor or a gray picture");
  extension.add<ports::ViewSource>("Sends tensors or pictures in color");
  extension.add<ports::MaybeSource>("Sends points now and then");
  extension.add<ports::TimeSink>("Takes what has a time");
  extension.add<ports::Secret>("Sends on what it gets");
}
