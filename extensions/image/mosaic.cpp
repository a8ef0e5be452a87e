#include "image/mosaic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#include "image/gpu_tick.hpp"
#include "image/limits.hpp"
#include "image/message_parts.hpp"
#include "image/picture_parameters.hpp"
#include "image/resize.hpp"

namespace gxr::image {
namespace {

/// The largest size of the picture's proportions that fits into the cell; at least a pixel.
ImageShape fitted(const ImageShape& picture, const ImageShape& cell) {
  const double scale =
      std::min(static_cast<double>(cell.width) / static_cast<double>(picture.width),
               static_cast<double>(cell.height) / static_cast<double>(picture.height));
  const auto side = [&](std::int64_t of_picture, std::int64_t of_cell) {
    return std::clamp<std::int64_t>(std::llround(static_cast<double>(of_picture) * scale), 1,
                                    of_cell);
  };
  return {side(picture.height, cell.height), side(picture.width, cell.width), picture.channels};
}

void require_like_first(const InputImage& image, const InputImage& first) {
  if (image.shape.channels != first.shape.channels || image.type() != first.type()) {
    throw_wrong_image(image, "channels and elements like those of '" + std::string(first.port) +
                                 "', " + describe(first.shape, first.type()));
  }
}

}  // namespace

void Mosaic::declare(Interface& interface) {
  interface.parameter(inputs_, "inputs", "Receivers of messages with a picture, one for each cell",
                      "The first is at the top left, the next ones follow to the right. A tick "
                      "takes one message of each.");
  sends_pictures(interface.output(out_, "out", "Transmitter of messages with all pictures in one"));
  declare_pool(interface, pool_);
  interface
      .parameter(columns_, "columns", "Pictures beside each other",
                 "0: as many as make the mosaic about square: 2 for two to four pictures, 3 for "
                 "five to nine.")
      .range(0, 256)
      .default_value(0);
  interface
      .parameter(cell_width_, "cell_width", "Width of the place of a picture",
                 "0: that of the first input's picture.")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface
      .parameter(cell_height_, "cell_height", "Height of the place of a picture",
                 "0: that of the first input's picture.")
      .unit("pixels")
      .range(0, kMaxSide)
      .default_value(0);
  interface
      .parameter(in_tensor_name_, "in_tensor_name",
                 "Tensor or VideoBuffer to read; empty: each message's first")
      .default_value("");
  declare_out_tensor_name(interface, out_tensor_name_,
                          "Empty: the name of what was read from the first input.");
  out_part_.declare(interface);
}

void Mosaic::initialize() {
  if (inputs_->empty()) {
    throw Error(ErrorCode::InvalidParameter, "no 'inputs': nothing to put side by side");
  }
  for (const Handle<Receiver>& input : inputs_.get()) {
    if (!input) {
      throw Error(ErrorCode::InvalidParameter, "one of 'inputs' is <Unspecified>");
    }
  }
}

Mosaic::Grid Mosaic::grid_for(const InputImage& first) const {
  const auto pictures = static_cast<std::int64_t>(inputs_->size());
  const auto square =
      static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(pictures))));
  const std::int64_t columns = columns_.get() == 0 ? square : columns_.get();
  const Grid grid{
      columns,
      (pictures + columns - 1) / columns,
      {cell_height_.get() == 0 ? first.shape.height : cell_height_.get(),
       cell_width_.get() == 0 ? first.shape.width : cell_width_.get(), first.shape.channels}};
  const std::int64_t width = grid.columns * grid.cell.width;
  const std::int64_t height = grid.rows * grid.cell.height;
  if (width > kMaxSide || height > kMaxSide || width * height > kMaxPixels) {
    throw Error(ErrorCode::InvalidParameter,
                "the mosaic would have " + std::to_string(width) + " x " + std::to_string(height) +
                    " pixels (width x height), more than pictures may have; set 'cell_width' and "
                    "'cell_height'");
  }
  return grid;
}

void Mosaic::place(const InputImage& image, const Grid& grid, std::int64_t cell, Tensor& result,
                   const ImageShape& shape) {
  const ImageShape size = fitted(image.shape, grid.cell);
  const std::int64_t left =
      cell % grid.columns * grid.cell.width + (grid.cell.width - size.width) / 2;
  const std::int64_t top =
      cell / grid.columns * grid.cell.height + (grid.cell.height - size.height) / 2;
  visit_image(image, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    const auto all = view_as<T>(result, shape);
    const kernels::ImageView<T> part{all.row(top) + left * shape.channels, size.width, size.height,
                                     shape.channels, all.row_stride};
    resize_picture<T>(in, part, ResizeMode::Area);
  });
}

void Mosaic::tick() {
  // All are received before anything is refused: a message belongs to those of its tick.
  std::vector<Message> messages;
  for (const Handle<Receiver>& input : inputs_.get()) {
    messages.push_back(input->receive());
  }
  std::vector<InputImage> images;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    images.push_back(find_image(messages[i], in_tensor_name_.get(), (*inputs_)[i]->name()));
    refuse_raw_picture(images.back(), kScalingMixes);
    require_like_first(images.back(), images.front());
  }
  const InputImage& first = images.front();
  const Grid grid = grid_for(first);
  const ImageShape shape{grid.rows * grid.cell.height, grid.columns * grid.cell.width,
                         grid.cell.channels};
  Message output = context().new_message();
  Tensor result;
  allocate_image(result, pool_.get().get(), nullptr, shape, first.type());
  std::memset(result.pointer(), 0, result.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    Tensor copy;
    place(reachable(images[i], nullptr, copy), grid, static_cast<std::int64_t>(i), result, shape);
  }
  out_part_.add(output, out_tensor_name_.get().empty() ? first.name : out_tensor_name_.get(),
                std::move(result));
  pass_on(messages.front(), first, Geometry::Changed, output);
  out_.publish(std::move(output));
}

}  // namespace gxr::image
