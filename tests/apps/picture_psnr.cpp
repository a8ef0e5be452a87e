#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/kernels/compare.hpp"
#include "image/picture_reader.hpp"

// picture_psnr A B [BORDER]: prints the peak signal-to-noise ratio of two 8-bit pictures in dB.

namespace {

struct Picture {
  gxr::image::PictureFormat format;
  std::vector<std::uint8_t> samples;

  [[nodiscard]] gxr::kernels::ImageView<const std::uint8_t> view() const {
    return gxr::kernels::packed_view(samples.data(), format.width, format.height, format.channels);
  }
};

Picture load(const std::string& path) {
  const auto reader = gxr::image::open_picture(path);
  Picture picture{reader->format(), {}};
  if (picture.format.type != gxr::ElementType::UInt8) {
    throw gxr::Error(path + ": not an 8-bit picture");
  }
  const std::int64_t row = picture.format.width * picture.format.channels;
  picture.samples.resize(static_cast<std::size_t>(row * picture.format.height));
  reader->read(picture.samples.data(), row);
  return picture;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: picture_psnr A B [BORDER]\n", stderr);
    return 2;
  }
  try {
    const std::int64_t border = argc > 3 ? std::atoi(argv[3]) : 0;
    std::printf("%.4f\n", gxr::kernels::psnr(load(argv[1]).view(), load(argv[2]).view(), border));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "picture_psnr: %s\n", error.what());
    return 1;
  }
}
