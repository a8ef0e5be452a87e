#include "image/format_converter.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "gxr/kernels/convert.hpp"
#include "image/limits.hpp"
#include "image/resize.hpp"

namespace gxr::image {
namespace {

struct Format {
  std::string_view name;
  ElementType type;
  std::int64_t channels;  ///< 0: any
};

constexpr std::array<Format, 5> kFormats{{
    {"uint8", ElementType::UInt8, 0},
    {"uint16", ElementType::UInt16, 0},
    {"float32", ElementType::Float32, 0},
    {"rgb888", ElementType::UInt8, 3},
    {"rgba8888", ElementType::UInt8, 4},
}};

const Format& format_of(const std::string& name) {
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(),
                                   [&](const Format& format) { return format.name == name; });
  if (found == kFormats.end()) {
    throw Error(ErrorCode::NotSupported, "data type '" + name +
                                             "' is not supported: use uint8, uint16, float32, "
                                             "rgb888 or rgba8888");
  }
  return *found;
}

/// The next multiple of 256, the alignment of scratch memory.
std::size_t aligned(std::size_t bytes) {
  constexpr std::size_t kAlignment = 256;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::string to_text(const std::vector<int>& list) {
  std::string text = "[";
  for (const int value : list) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(value);
  }
  return text + "]";
}

}  // namespace

/// Where each step of one conversion writes: the last one into the result, those before into
/// scratch memory.
class FormatConverter::Steps {
 public:
  Steps(int count, const Work& work, std::array<std::byte*, 2> scratch, const KernelPlace* place)
      : gpu(place), remaining_(count), result_(work.result), scratch_(scratch) {}

  template <class T>
  kernels::ImageView<T> next(const ImageShape& shape) {
    if (--remaining_ == 0) {
      return view_as<T>(result_, shape);
    }
    // Both kinds of scratch memory are aligned for every sample type.
    std::byte* const memory = scratch_[static_cast<std::size_t>(remaining_) % 2];
    return kernels::packed_view(reinterpret_cast<T*>(memory), shape.width, shape.height,
                                shape.channels);
  }

  const KernelPlace* const gpu;  ///< who takes the steps; nullptr: the CPU

 private:
  int remaining_;
  Tensor& result_;
  std::array<std::byte*, 2> scratch_;
};

void FormatConverter::declare(Interface& interface) {
  CapturableOperator::declare(interface);
  interface.parameter(in_dtype_, "in_dtype", "Data type that the input must have; empty: any")
      .choices({{"", "any of the others"},
                {"uint8", "8-bit integers"},
                {"uint16", "16-bit integers (not in Holoscan)"},
                {"float32", "32-bit floating point"},
                {"rgb888", "uint8 with 3 channels"},
                {"rgba8888", "uint8 with 4 channels"}})
      .default_value("");
  interface.parameter(out_dtype_, "out_dtype", "Data type of the result")
      .choices({{"uint8", "8-bit integers, channels as they are"},
                {"uint16", "16-bit integers, channels as they are (not in Holoscan)"},
                {"float32", "32-bit floating point, channels as they are"},
                {"rgb888", "uint8 with 3 channels: a fourth one is dropped"},
                {"rgba8888", "uint8 with 4 channels: alpha_value fills a missing fourth"}});
  interface.parameter(scale_min_, "scale_min", "Floating-point value that stands for an integer's 0")
      .default_value(0.0F);
  interface
      .parameter(scale_max_, "scale_max", "Floating-point value that stands for an integer's full scale")
      .description("Used between integers and float32 only; values outside are clipped to integers' range.")
      .default_value(1.0F);
  interface.parameter(alpha_value_, "alpha_value", "Alpha of all pixels where the channel is added")
      .default_value(255);
  interface.parameter(resize_width_, "resize_width", "Width of the result; 0: not resized")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface.parameter(resize_height_, "resize_height", "Height of the result; 0: not resized")
      .description("As in Holoscan, width and height take effect only together.")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface.parameter(resize_mode_, "resize_mode", "Interpolation, numbered as in NPP")
      .choices(
          {{"0", "the default: area where the picture gets smaller, else linear (Holoscan: cubic)"},
           {"1", "nearest neighbour"},
           {"2", "linear"},
           {"8", "area (NPP: super sampling)"}})
      .default_value(0);
  interface
      .parameter(out_channel_order_, "out_channel_order",
                 "Channel c of the result is channel order[c]; empty: unchanged")
      .description("One entry per channel of the result, for example [2, 1, 0], which makes BGR of RGB.")
      .range(0, 3)
      .default_value({});
}

void FormatConverter::initialize() {
  CapturableOperator::initialize();
  check_parameters();
  if ((resize_width_.get() > 0) != (resize_height_.get() > 0)) {
    log_warning(
        "resize_width and resize_height take effect only together; pictures keep their size");
  }
}

void FormatConverter::check_parameters() const {
  if (!(scale_min_.get() < scale_max_.get())) {
    throw Error(ErrorCode::InvalidParameter, "scale_min must be less than scale_max");
  }
}

void FormatConverter::check_input(const InputImage& input) const {
  if (in_dtype_.get().empty()) {
    return;
  }
  const Format& wanted = format_of(in_dtype_.get());
  if (input.type() != wanted.type ||
      (wanted.channels != 0 && input.shape.channels != wanted.channels)) {
    throw_wrong_image(input, std::string(wanted.name) + " (in_dtype)");
  }
}

std::int64_t FormatConverter::channels_for(const InputImage& input) const {
  const Format& format = format_of(out_dtype_.get());
  if (format.channels != 0 && input.shape.channels < 3) {
    throw_wrong_image(input, "3 or 4 channels for out_dtype " + std::string(format.name));
  }
  return format.channels != 0 ? format.channels : input.shape.channels;
}

void FormatConverter::check_order(std::int64_t channels) const {
  const std::vector<int>& order = out_channel_order_.get();
  const bool fits = std::all_of(order.begin(), order.end(),
                                [&](int channel) { return channel >= 0 && channel < channels; });
  if (!order.empty() && (order.size() != static_cast<std::size_t>(channels) || !fits)) {
    throw Error(ErrorCode::InvalidParameter,
                "out_channel_order " + to_text(order) + " does not fit a result of " +
                    std::to_string(channels) + (channels == 1 ? " channel" : " channels"));
  }
}

FormatConverter::Plan FormatConverter::plan_for(const InputImage& input) const {
  check_input(input);
  ImageShape shape = resizes()
                         ? scaled_shape(input.shape, resize_width_.get(), resize_height_.get())
                         : input.shape;
  shape.channels = channels_for(input);
  check_order(shape.channels);
  if (resizes()) {
    refuse_raw_picture(input, kScalingMixes);
  }
  const ElementType type = format_of(out_dtype_.get()).type;
  const bool new_alpha = shape.channels != input.shape.channels;
  const bool new_order = !out_channel_order_.get().empty();
  // Without any other step the elements are "converted" to their own type, which is the copy.
  const bool new_type = type != input.type() || !(resizes() || new_alpha || new_order);
  return {shape, type, resizes(), new_type, new_alpha, new_order};
}

CapturableOperator::TensorForm FormatConverter::result_form(const InputImage& input) const {
  const Plan plan = plan_for(input);
  return {tensor_shape(plan.shape), plan.type};
}

FormatConverter::ScratchSizes FormatConverter::scratch_sizes(const InputImage& input,
                                                             const Plan& plan) {
  ScratchSizes sizes{};
  ImageShape shape = input.shape;
  ElementType type = input.type();
  int remaining = plan.steps();
  const auto end_step = [&] {
    if (--remaining > 0) {
      std::size_t& size = sizes[static_cast<std::size_t>(remaining) % 2];
      const auto elements = static_cast<std::size_t>(shape.height * shape.width * shape.channels);
      size = std::max(size, elements * size_of(type));
    }
  };
  if (plan.new_size) {
    shape.height = plan.shape.height;
    shape.width = plan.shape.width;
    end_step();
  }
  if (plan.new_type) {
    type = plan.type;
    end_step();
  }
  if (plan.new_alpha) {
    shape.channels = plan.shape.channels;
    end_step();
  }
  return sizes;
}

std::size_t FormatConverter::scratch_bytes(const InputImage& input) const {
  const ScratchSizes sizes = scratch_sizes(input, plan_for(input));
  return aligned(sizes[0]) + sizes[1];
}

ResizeMode FormatConverter::resize_mode(bool smaller) const {
  const int mode = resize_mode_.get();
  if (mode == 1) {
    return ResizeMode::Nearest;
  }
  return mode == 8 || (mode == 0 && smaller) ? ResizeMode::Area : ResizeMode::Bilinear;
}

template <class T>
kernels::ImageView<const T> FormatConverter::resize(kernels::ImageView<const T> in,
                                                    Steps& steps) const {
  const auto out = steps.next<T>({resize_height_.get(), resize_width_.get(), in.channels});
  const bool smaller = out.width < in.width || out.height < in.height;
  const ResizeMode mode = resize_mode(smaller);
  if (const KernelPlace* gpu = steps.gpu; gpu != nullptr) {
    resize_picture(in, out, mode, *gpu);
  } else {
    resize_picture(in, out, mode);
  }
  return out;
}

template <class Out, class In>
kernels::ImageView<const Out> FormatConverter::convert(kernels::ImageView<const In> in,
                                                       Steps& steps) const {
  const auto out = steps.next<Out>({in.height, in.width, in.channels});
  const kernels::ScaleRange range{scale_min_.get(), scale_max_.get()};
  if (const KernelPlace* gpu = steps.gpu; gpu != nullptr) {
    gpu->kernels.of<In>().template convert_to<Out>()(in, out, range, gpu->stream);
  } else {
    kernels::convert_elements(in, out, range);
  }
  return out;
}

template <class T>
kernels::ImageView<const T> FormatConverter::change_alpha(kernels::ImageView<const T> in,
                                                          Steps& steps) const {
  const bool adds = in.channels == 3;
  const auto out = steps.next<T>({in.height, in.width, adds ? 4 : 3});
  const auto alpha = static_cast<T>(alpha_value_.get());
  if (const KernelPlace* gpu = steps.gpu; gpu != nullptr) {
    const TypedDeviceKernels<T>& table = gpu->kernels.of<T>();
    adds ? table.add_alpha(in, out, alpha, gpu->stream) : table.drop_alpha(in, out, gpu->stream);
  } else {
    adds ? kernels::add_alpha(in, out, alpha) : kernels::drop_alpha(in, out);
  }
  return out;
}

template <class T>
void FormatConverter::change_order(kernels::ImageView<const T> in, Steps& steps) const {
  const auto out = steps.next<T>({in.height, in.width, in.channels});
  const int* const order = out_channel_order_.get().data();
  if (const KernelPlace* gpu = steps.gpu; gpu != nullptr) {
    gpu->kernels.of<T>().permute_channels(in, out, order, gpu->stream);
  } else {
    kernels::permute_channels(in, out, order);
  }
}

void FormatConverter::take(const Plan& plan, const Work& work, Steps& steps) const {
  const auto finish = [&](auto image) {
    const auto opaque = plan.new_alpha ? change_alpha(image, steps) : image;
    if (plan.new_order) {
      change_order(opaque, steps);
    }
  };
  visit_image(work.input, [&](auto in) {
    const auto sized = plan.new_size ? resize(in, steps) : in;
    if (!plan.new_type) {
      return finish(sized);
    }
    visit_type(plan.type, [&](auto sample) { finish(convert<decltype(sample)>(sized, steps)); });
  });
}

void FormatConverter::compute_on_host(const Work& work) {
  const Plan plan = plan_for(work.input);
  const ScratchSizes sizes = scratch_sizes(work.input, plan);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    scratch_[i].resize(sizes[i]);
  }
  Steps steps(plan.steps(), work, {scratch_[0].data(), scratch_[1].data()}, nullptr);
  take(plan, work, steps);
}

void FormatConverter::launch(const Work& work, const KernelPlace& place) {
  const Plan plan = plan_for(work.input);
  auto* const scratch = static_cast<std::byte*>(place.scratch);
  const std::size_t first = aligned(scratch_sizes(work.input, plan)[0]);
  Steps steps(plan.steps(), work, {scratch, scratch == nullptr ? nullptr : scratch + first},
              &place);
  take(plan, work, steps);
}

}  // namespace gxr::image
