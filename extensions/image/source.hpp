#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/known_length.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduling_term.hpp"
#include "image/gpu_tick.hpp"
#include "image/out_part.hpp"
#include "image/picture_reader.hpp"
#include "image/placement.hpp"
#include "image/tensor_image.hpp"

namespace gxr {
namespace image {

enum class TestPattern : std::uint8_t { ColorBars, ZonePlate, Noise };
enum class SampleType : std::uint8_t { Auto, UInt8, UInt16, Float32 };
enum class ChannelChoice : std::uint8_t { Rgb, AsIs };

/// Publishes pictures from files, or a test pattern.
class Source final : public Codelet, public ShapeInference, public KnownLength {
 public:
  void declare(Interface& interface) override;
  /// As the first picture is.
  void infer(ShapeContext& context) override;
  void initialize() override;
  void tick() override;
  void stop() override;
  /// Its `count`, unless files may have fewer pictures: their pages are known when they were read.
  [[nodiscard]] std::optional<std::uint64_t> ticks_in_run() const override;

 private:
  using Scratch = std::vector<std::byte>;

  void declare_pictures(Interface& interface);
  void declare_stream(Interface& interface);
  void check_end() const;
  void require_few_pixels() const;
  [[nodiscard]] bool from_files() const { return !path_.get().path.empty(); }
  /// Is there an end to the pictures?
  [[nodiscard]] bool ends() const;
  /// Has the last picture been published?
  [[nodiscard]] bool is_done() const;
  void skip_read_picture();
  [[nodiscard]] ElementType type_for(ElementType own) const;
  [[nodiscard]] ImageShape shape_for(const PictureFormat& own) const;

  /// Draws the same pattern on the other device and compares.
  void verify(const Tensor& tensor, const GpuTick* gpu);
  void fill(Tensor& tensor, const GpuTick* gpu);
  void fill_from_file(Tensor& tensor, const GpuTick* gpu);
  PictureReader& open_next(const std::string& file);
  void read_file(const std::string& file, Tensor& tensor, const GpuTick* gpu);
  void fill_from_pattern(Tensor& tensor, const GpuTick* gpu, Allocator* pool) const;
  template <class T>
  void fade(kernels::ImageView<T> rgb, const GpuTick* gpu) const;
  template <class T>
  void draw(kernels::ImageView<T> rgb, const GpuTick* gpu) const;
  template <class Own, class Out>
  void decode(PictureReader& reader, kernels::ImageView<Out> out);
  void publish(Message message);

  Parameter<FilePath> path_;
  Parameter<TestPattern> pattern_;
  Parameter<std::int32_t> width_;
  Parameter<std::int32_t> height_;
  Parameter<std::uint64_t> seed_;
  Parameter<std::uint64_t> fade_;
  Parameter<std::uint64_t> count_;
  Parameter<bool> repeat_;
  Parameter<double> frame_rate_;
  Parameter<SampleType> element_type_;
  Parameter<ChannelChoice> channels_;
  Parameter<std::string> out_tensor_name_;
  OutPart out_part_;
  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<Handle<BooleanSchedulingTerm>> boolean_scheduling_term_;
  Placement placement_;

  std::vector<std::string> files_;
  std::size_t file_ = 0;                   ///< number of the file that is read or comes next
  std::unique_ptr<PictureReader> reader_;  ///< of a file with pictures that are not read yet
  std::uint64_t published_ = 0;            ///< also the sequence number of the next one
  // Between file and tensor where types or channels differ; kept, so that a sequence allocates
  // once.
  std::array<Scratch, 2> scratch_;
};

}  // namespace image

template <>
struct EnumNames<image::TestPattern> {
  static constexpr std::pair<image::TestPattern, const char*> values[] = {
      {image::TestPattern::ColorBars, "ColorBars"},
      {image::TestPattern::ZonePlate, "ZonePlate"},
      {image::TestPattern::Noise, "Noise"},
  };
};

template <>
struct EnumNames<image::SampleType> {
  static constexpr std::pair<image::SampleType, const char*> values[] = {
      {image::SampleType::Auto, "auto"},
      {image::SampleType::UInt8, "uint8"},
      {image::SampleType::UInt16, "uint16"},
      {image::SampleType::Float32, "float32"},
  };
};

template <>
struct EnumNames<image::ChannelChoice> {
  static constexpr std::pair<image::ChannelChoice, const char*> values[] = {
      {image::ChannelChoice::Rgb, "rgb"},
      {image::ChannelChoice::AsIs, "as_is"},
  };
};

}  // namespace gxr
