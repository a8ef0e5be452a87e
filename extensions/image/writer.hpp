#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gxr/codelet.hpp"
#include "gxr/queue.hpp"
#include "image/numbered_path.hpp"
#include "image/picture_writer.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// Writes every picture that arrives to a file of its own.
class Writer final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  [[nodiscard]] std::string next_path() const;
  [[nodiscard]] ElementType file_type(ElementType type) const;
  void write(const std::string& path, const InputImage& image);
  template <class Out>
  void convert_and_write(const std::string& path, const InputImage& image);

  Input<Tensor> in_;
  Parameter<FilePath> path_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::uint64_t> first_number_;
  Parameter<std::int32_t> bit_depth_;
  Parameter<std::int32_t> compression_;

  NumberedPath paths_;
  FileFormat format_ = FileFormat::Png;
  std::uint64_t written_ = 0;
  std::string last_path_;
  std::vector<std::byte> scratch_;  // a picture in the file's element type; kept between pictures
};

}  // namespace gxr::image
