#include "image/source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <numbers>
#include <optional>

#include "gxr/kernels/convert.hpp"
#include "gxr/kernels/patterns.hpp"
#include "gxr/kernels/white_balance.hpp"
#include "gxr/timestamp.hpp"
#include "gxr/verify.hpp"
#include "image/limits.hpp"
#include "image/picture_sequence.hpp"

namespace gxr::image {
namespace {

constexpr float kBarLevel = 0.75F;              // of full scale, as in broadcast test signals
constexpr double kCyclesPerFrame = 1.0 / 32.0;  // of the zone plate's rings
constexpr double kDarkest = 1.0 / 32.0;         // of a fade

/// Memory of `scratch` as a picture. Comes from operator new, so it is aligned for every sample
/// type.
template <class T>
kernels::ImageView<T> scratch_view(std::vector<std::byte>& scratch, const ImageShape& shape) {
  scratch.resize(static_cast<std::size_t>(shape.height * shape.width * shape.channels) * sizeof(T));
  return kernels::packed_view(reinterpret_cast<T*>(scratch.data()), shape.width, shape.height,
                              shape.channels);
}

/// Spreads grey over three channels; drops alpha.
template <class T>
void make_rgb(kernels::ImageView<T> in, kernels::ImageView<T> rgb) {
  constexpr int grey[] = {0, 0, 0};
  if (in.channels == 4) {
    kernels::drop_alpha(in, rgb);
  } else {
    kernels::permute_channels(in, rgb, grey);
  }
}

template <class T>
void draw_zone_plate_on_device(kernels::ImageView<T> rgb, std::uint64_t frame, const GpuTick& gpu) {
  Tensor workspace = gpu.scratch(gpu.kernels().zone_plate_workspace_bytes(rgb.width, rgb.height));
  gpu.kernels<T>().draw_zone_plate(rgb, frame, kCyclesPerFrame, workspace.pointer(), gpu.stream());
}

/// Factor on picture number `frame` of a fade over `period` pictures.
float fade_gain(std::uint64_t frame, std::uint64_t period) {
  const double turns = static_cast<double>(frame % period) / static_cast<double>(period);
  const double wave = 0.5 + 0.5 * std::cos(2.0 * std::numbers::pi * turns);
  return static_cast<float>(kDarkest + (1.0 - kDarkest) * wave);
}

std::int64_t frame_time(std::uint64_t sequence, double frame_rate) {
  return std::llround(static_cast<double>(sequence) * 1e9 / frame_rate);
}

}  // namespace

void Source::declare(Interface& interface) {
  sends_pictures(interface.output(out_, "out", "Transmitter of messages with one picture each"));
  interface.parameter(pool_, "pool", "Allocator of the pictures' memory")
      .description("One block per message in flight; every message takes a fresh one.");
  declare_pictures(interface);
  declare_stream(interface);
  placement_.declare(
      interface,
      "gpu: patterns are drawn there, pictures from files copied there. cpu or auto: "
      "on the CPU.");
}

void Source::declare_pictures(Interface& interface) {
  interface.parameter(path_, "path", "A picture (PNG, JPEG, TIFF, PPM, PGM), a folder, or a pattern with * or ?")
      .description(
          "A folder or pattern gives its pictures in natural order (9 before 10), a TIFF file each "
          "of its pages. Empty: the test pattern.")
      .default_value({});
  interface.parameter(pattern_, "pattern", "Test picture when there is no path")
      .description(
          "ColorBars: eight vertical bars. ZonePlate: rings that move outwards, finer towards the "
          "border. "
          "Noise: uniform, from the seed.")
      .default_value(TestPattern::ZonePlate);
  interface.parameter(width_, "width", "Width of the test picture")
      .unit("pixels")
      .range(1, kMaxSide)
      .default_value(640);
  interface.parameter(height_, "height", "Height of the test picture")
      .unit("pixels")
      .range(1, kMaxSide)
      .default_value(480);
  interface.parameter(seed_, "seed", "Start of the pattern Noise's random numbers")
      .default_value(0);
  interface.parameter(fade_, "fade", "Pictures from bright to dark and back; 0: all are bright")
      .description("Values are multiplied by a cosine between 1 and 1/32.")
      .default_value(0);
  interface.parameter(element_type_, "element_type", "Type of the samples")
      .description("auto: uint8, or uint16 for files with more than 8 bits.")
      .default_value(SampleType::Auto);
  interface.parameter(channels_, "channels", "Channels of pictures from files")
      .description(
          "rgb: grey is spread over three channels, alpha dropped. as_is: as in the file, 1 to 4.")
      .default_value(ChannelChoice::Rgb);
}

void Source::declare_stream(Interface& interface) {
  interface.parameter(count_, "count", "Most pictures to publish; 0: all files, or a pattern without end")
      .default_value(0);
  interface.parameter(repeat_, "repeat", "Begin again with the first file after the last")
      .default_value(false);
  interface.parameter(frame_rate_, "frame_rate", "Pictures per second in the messages' timestamps")
      .description(
          "Does not slow the source down (a PeriodicSchedulingTerm does). 0: timestamps from the "
          "clock.")
      .unit("Hz")
      .range(0.0, 1e9)
      .default_value(30.0);
  interface.parameter(out_tensor_name_, "out_tensor_name", "Name of the picture in the messages")
      .default_value("image");
  out_part_.declare(interface);
  interface
      .parameter(boolean_scheduling_term_, "boolean_scheduling_term",
                 "Term of this entity, switched off after the last picture")
      .description("Needed where the pictures have an end and no CountSchedulingTerm ends the entity.")
      .optional();
}

bool Source::ends() const { return count_.get() != 0 || (from_files() && !repeat_.get()); }

bool Source::is_done() const {
  return (count_.get() != 0 && published_ >= count_.get()) ||
         (from_files() && !repeat_.get() && file_ == files_.size());
}

/// A source that has nothing left and whose entity still ticks would spin for ever.
void Source::check_end() const {
  if (!ends() || boolean_scheduling_term_.has_value()) {
    return;
  }
  const std::vector<Component*> siblings = context().siblings(*this);
  const bool counted = std::any_of(siblings.begin(), siblings.end(), [](const Component* sibling) {
    return dynamic_cast<const CountSchedulingTerm*>(sibling) != nullptr;
  });
  if (!counted) {
    const std::string last = count_.get() == 0   ? "its last picture"
                             : count_.get() == 1 ? "1 picture"
                                                 : std::to_string(count_.get()) + " pictures";
    throw Error(ErrorCode::InvalidParameter,
                "the source ends after " + last +
                    ", but nothing ends its entity: add a BooleanSchedulingTerm and name it in "
                    "'boolean_scheduling_term'");
  }
}

void Source::require_few_pixels() const {
  if (std::int64_t{width_.get()} * height_.get() > kMaxPixels) {
    throw Error(ErrorCode::OutOfRange,
                "width x height is above " + std::to_string(kMaxPixels) + " pixels");
  }
}

void Source::initialize() {
  placement_.initialize(*this);
  if (from_files()) {
    files_ = find_pictures(path_.get().path);
  } else {
    require_few_pixels();
  }
  if (fade_.get() != 0 && from_files() && channels_.get() != ChannelChoice::Rgb) {
    throw Error(ErrorCode::InvalidParameter, "'fade' needs 'channels: rgb'");
  }
  file_ = 0;
  published_ = 0;
  check_end();
}

std::optional<std::uint64_t> Source::ticks_in_run() const {
  const bool has_enough = !from_files() || repeat_.get();
  return has_enough && count_.get() > 0 ? std::optional<std::uint64_t>(count_.get()) : std::nullopt;
}

void Source::stop() {
  reader_.reset();
  placement_.release();
}

ElementType Source::type_for(ElementType own) const {
  switch (element_type_.get()) {
    case SampleType::UInt8:
      return ElementType::UInt8;
    case SampleType::UInt16:
      return ElementType::UInt16;
    case SampleType::Float32:
      return ElementType::Float32;
    case SampleType::Auto:
      break;
  }
  return own;
}

ImageShape Source::shape_for(const PictureFormat& own) const {
  return {own.height, own.width, channels_.get() == ChannelChoice::Rgb ? 3 : own.channels};
}

void Source::infer(ShapeContext& context) {
  PictureFormat first{width_.get(), height_.get(), 3, ElementType::UInt8};
  if (from_files()) {
    first = open_picture(find_pictures(path_.get().path).front())->format();
  } else {
    require_few_pixels();
  }
  if (!out_part_.is_tensor()) {
    return;  // a VideoBuffer has no form of a tensor
  }
  context.set_output(
      out_, {tensor_shape(shape_for(first)), type_for(first.type), 0, out_tensor_name_.get()});
}

/// Reads straight into `out` where the file has its type and channels, else through scratch memory.
template <class Own, class Out>
void Source::decode(PictureReader& reader, kernels::ImageView<Out> out) {
  const PictureFormat& own = reader.format();
  const bool same_channels = own.channels == out.channels;
  kernels::ImageView<Own> target;
  if constexpr (std::is_same_v<Own, Out>) {
    target = out;
  } else {
    target = scratch_view<Own>(scratch_[0], {out.height, out.width, out.channels});
  }
  const kernels::ImageView<Own> decoded =
      same_channels ? target
                    : scratch_view<Own>(scratch_[1], {own.height, own.width, own.channels});
  reader.read(decoded.data, decoded.row_stride);
  if (!same_channels) {
    make_rgb(decoded, target);
  }
  if constexpr (!std::is_same_v<Own, Out>) {
    kernels::convert_elements(kernels::ImageView<const Own>(target), out);
  }
}

/// When memory ends, the file is named: another picture may fit.
void Source::fill_from_file(Tensor& tensor, const GpuTick* gpu) {
  const std::string& file = files_[file_];
  try {
    read_file(file, tensor, gpu);
    skip_read_picture();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::OutOfMemory, file + ": there is not enough memory for this picture");
  } catch (const Error& error) {
    if (error.code() == ErrorCode::OutOfMemory) {
      throw Error(error.code(), file + ": " + error.message());
    }
    throw;
  }
}

/// The reader that stands at the next picture.
PictureReader& Source::open_next(const std::string& file) {
  if (reader_ == nullptr) {
    reader_ = open_picture(file);
  } else {
    reader_->next();
  }
  return *reader_;
}

/// A file stays open while it has more pictures.
void Source::skip_read_picture() {
  if (reader_->has_next()) {
    return;
  }
  reader_.reset();
  ++file_;
  if (repeat_.get()) {
    file_ %= files_.size();
  }
}

/// Files are read by the CPU, whoever the picture is for.
void Source::read_file(const std::string& file, Tensor& tensor, const GpuTick* gpu) {
  PictureReader& reader = open_next(file);
  const PictureFormat& own = reader.format();
  const ImageShape shape = shape_for(own);
  const ElementType type = type_for(own.type);
  Tensor read;
  Tensor& picture = gpu == nullptr ? tensor : read;
  allocate_image(picture, gpu == nullptr ? pool_.get().get() : nullptr, nullptr, shape, type);
  visit_type(type, [&](auto sample) {
    const auto out = view_as<decltype(sample)>(picture, shape);
    if (own.type == ElementType::UInt16) {
      decode<std::uint16_t>(reader, out);
    } else {
      decode<std::uint8_t>(reader, out);
    }
    fade(out, nullptr);
  });
  if (gpu != nullptr) {
    allocate_image(tensor, pool_.get().get(), gpu, shape, type);
    gpu->upload(picture.pointer(), tensor.pointer(), picture.size());
  }
}

template <class T>
void Source::fade(kernels::ImageView<T> rgb, const GpuTick* gpu) const {
  if (fade_.get() == 0) {
    return;
  }
  std::array<float, 3> gains{};
  gains.fill(fade_gain(published_, fade_.get()));
  if (gpu == nullptr) {
    return kernels::apply_gains<T>(rgb, rgb, gains.data());
  }
  Tensor on_device = gpu->scratch(sizeof(gains));
  gpu->upload(gains.data(), on_device.pointer(), sizeof(gains));
  gpu->kernels<T>().apply_gains(rgb, rgb, static_cast<const float*>(on_device.pointer()),
                                gpu->stream());
}

template <class T>
void Source::draw(kernels::ImageView<T> rgb, const GpuTick* gpu) const {
  switch (pattern_.get()) {
    case TestPattern::ColorBars:
      return gpu == nullptr ? kernels::draw_color_bars(rgb, kBarLevel)
                            : gpu->kernels<T>().draw_color_bars(rgb, kBarLevel, gpu->stream());
    case TestPattern::ZonePlate:
      return gpu == nullptr ? kernels::draw_zone_plate(rgb, published_, kCyclesPerFrame)
                            : draw_zone_plate_on_device(rgb, published_, *gpu);
    case TestPattern::Noise:
      return gpu == nullptr
                 ? kernels::draw_noise(rgb, seed_.get(), published_)
                 : gpu->kernels<T>().draw_noise(rgb, seed_.get(), published_, gpu->stream());
  }
}

void Source::fill_from_pattern(Tensor& tensor, const GpuTick* gpu, Allocator* pool) const {
  const ImageShape shape{height_.get(), width_.get(), 3};
  const ElementType type = type_for(ElementType::UInt8);
  allocate_image(tensor, pool, gpu, shape, type);
  visit_type(type, [&](auto sample) {
    const auto rgb = view_as<decltype(sample)>(tensor, shape);
    draw(rgb, gpu);
    fade(rgb, gpu);
  });
}

void Source::verify(const Tensor& tensor, const GpuTick* gpu) {
  // The GPU has its own cosine; see draw_zone_plate.
  const bool is_float = tensor.element_type() == ElementType::Float32;
  const bool exact = pattern_.get() != TestPattern::ZonePlate;
  const Tolerance tolerance{.absolute = exact ? 0.0 : is_float ? 1e-5 : 1.0};
  Tensor other;
  if (gpu != nullptr) {
    fill_from_pattern(other, nullptr, nullptr);
    verify_result(*this, out_tensor_name_.get(), {other, tensor, gpu->work()}, tolerance);
  } else {
    const GpuTick gpu_tick(placement_);
    fill_from_pattern(other, &gpu_tick, nullptr);
    verify_result(*this, out_tensor_name_.get(), {tensor, other, gpu_tick.work()}, tolerance);
  }
}

void Source::fill(Tensor& tensor, const GpuTick* gpu) {
  if (from_files()) {
    fill_from_file(tensor, gpu);
  } else {
    fill_from_pattern(tensor, gpu, pool_.get().get());
  }
  if (gpu != nullptr) {
    gpu->check();
  }
}

void Source::publish(Message message) {
  const std::int64_t now = execution_timestamp();
  const std::int64_t time =
      frame_rate_.get() > 0.0 ? frame_time(published_, frame_rate_.get()) : now;
  message.add<Timestamp>("timestamp", Timestamp{now, time});
  message.set_source_time(time);
  message.set_sequence(published_);
  out_.publish(std::move(message));
  ++published_;
}

void Source::tick() {
  if (is_done()) {
    return;  // a CountSchedulingTerm allows more ticks than there are pictures
  }
  std::optional<GpuTick> gpu;
  if (placement_.is_on_gpu(MemoryStorageType::System)) {
    gpu.emplace(placement_);
  }
  Tensor tensor;
  fill(tensor, gpu ? &*gpu : nullptr);
  if (context().verify() && !from_files()) {
    verify(tensor, gpu ? &*gpu : nullptr);
  }
  Message message = context().new_message();
  out_part_.add(message, out_tensor_name_.get(), std::move(tensor));
  publish(std::move(message));
  if (is_done() && boolean_scheduling_term_.has_value()) {
    boolean_scheduling_term_->disable_tick();
  }
}

}  // namespace gxr::image
