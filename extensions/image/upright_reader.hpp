#pragma once

#include <memory>
#include <vector>

#include "image/picture_reader.hpp"

namespace gxr::image {

/// The pictures of another reader, turned and mirrored as their orientation() asks: 1 is upright, 2
/// mirrored, 3 upside down, 4 both; 5 to 8 are the same with rows and columns exchanged.
class UprightReader final : public PictureReader {
 public:
  explicit UprightReader(std::unique_ptr<PictureReader> stored);

  [[nodiscard]] const PictureFormat& format() const override { return format_; }
  void read(void* first_row, std::ptrdiff_t row_stride) override;
  [[nodiscard]] bool has_next() const override { return stored_->has_next(); }
  void next() override;

 private:
  void take_format();

  std::unique_ptr<PictureReader> stored_;
  PictureFormat format_;
  std::vector<std::byte> scratch_;  // the picture as it is stored
};

}  // namespace gxr::image
