// Reads any bytes as a picture file, and aborts where a promise of the readers is broken.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "image/limits.hpp"
#include "image/picture_reader.hpp"
#include "promise.hpp"

namespace {

namespace image = gxr::image;
using gxr::fuzz::require;

constexpr std::int64_t kMostPixels = 1 << 20;  // larger ones cost time, and find nothing else
constexpr int kMostPages = 8;

/// A file in memory with a path.
class FileInMemory {
 public:
  FileInMemory(const std::uint8_t* data, std::size_t size)
      : descriptor_(memfd_create("picture", MFD_CLOEXEC)) {
    require(write(descriptor_, data, size) == static_cast<ssize_t>(size), "memory holds the file");
  }
  ~FileInMemory() { close(descriptor_); }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void check_format(const image::PictureFormat& format) {
  require(format.width > 0 && format.width <= image::kMaxSide, "the width is in its range");
  require(format.height > 0 && format.height <= image::kMaxSide, "the height is in its range");
  require(format.width * format.height <= image::kMaxPixels, "there are not too many pixels");
  require(format.channels >= 1 && format.channels <= 4, "there are 1 to 4 channels");
}

/// False: larger than is worth the time.
bool read_picture(image::PictureReader& reader) {
  const image::PictureFormat& format = reader.format();
  check_format(format);
  if (format.width * format.height > kMostPixels) {
    return false;
  }
  const std::size_t row =
      static_cast<std::size_t>(format.width * format.channels) * gxr::size_of(format.type);
  // Rows with a gap, which nobody may touch.
  std::vector<std::uint16_t> memory((row / 2 + 2) * static_cast<std::size_t>(format.height),
                                    0xabab);
  const std::size_t stride = (row / 2 + 2) * 2;
  reader.read(memory.data(), static_cast<std::ptrdiff_t>(stride));
  for (std::int64_t y = 0; y < format.height; ++y) {
    const auto* const end = reinterpret_cast<const std::uint8_t*>(memory.data()) +
                            (static_cast<std::size_t>(y) + 1) * stride;
    require(end[-1] == 0xab && end[-2] == 0xab, "a row ends where the next may not begin yet");
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FileInMemory file(data, size);
  try {
    const auto reader = image::open_picture(file.path());
    for (int page = 0; page < kMostPages && read_picture(*reader) && reader->has_next(); ++page) {
      reader->next();
    }
  } catch (const gxr::Error& error) {
    require(error.message().starts_with(file.path() + ": "), "an error names the file");
    require(
        error.code() == gxr::ErrorCode::InvalidData || error.code() == gxr::ErrorCode::NotSupported,
        "damage has the code InvalidData or NotSupported");
  }
  return 0;
}
