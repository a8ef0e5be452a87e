#include "media/cameras.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::media {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDeviceName = "video";

/// Closes the descriptor of a device. -1: it could not be opened.
class OpenDevice {
 public:
  explicit OpenDevice(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)), error_(errno) {}
  OpenDevice(const OpenDevice&) = delete;
  OpenDevice& operator=(const OpenDevice&) = delete;
  ~OpenDevice() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] int error() const { return descriptor_ >= 0 ? 0 : error_; }

 private:
  int descriptor_;
  int error_;
};

/// "video0", "video12", in this order.
std::vector<std::string> names_of_devices(const CameraFolders& folders) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator each(folders.devices, error), end; !error && each != end;
       each.increment(error)) {
    const std::string name = each->path().filename().string();
    const std::string_view number =
        std::string_view(name).substr(std::min(kDeviceName.size(), name.size()));
    if (name.starts_with(kDeviceName) && !number.empty() && std::ranges::all_of(number, is_digit)) {
      names.push_back(name);
    }
  }
  std::ranges::sort(names, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return names;
}

std::string model_of(const std::string& name, const CameraFolders& folders) {
  std::ifstream file(folders.facts + "/" + name + "/name");
  std::string line;
  std::getline(file, line);
  return line.empty() ? line : " (" + line + ")";
}

bool takes_pictures(int descriptor) {
  v4l2_capability facts{};
  if (::ioctl(descriptor, VIDIOC_QUERYCAP, &facts) != 0) {
    return false;
  }
  const auto can =
      (facts.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? facts.device_caps : facts.capabilities;
  return (can & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE)) != 0;
}

}  // namespace

std::string cameras_text(const CameraFolders& folders) {
  std::string text;
  for (const std::string& name : names_of_devices(folders)) {
    text += (text.empty() ? "" : ", ") + folders.devices + "/" + name + model_of(name, folders);
  }
  return text.empty() ? "this machine has no camera (no " + folders.devices + "/video0)"
                      : "this machine has " + text;
}

std::string camera_problem(const std::string& device, int error, const CameraFolders& folders) {
  switch (error) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
      return device + ": there is no such camera; " + cameras_text(folders);
    case EACCES:
    case EPERM:
      return device +
             ": this user may not use the camera: 'sudo usermod -aG video $USER' lets him, from "
             "the next login on";
    case EBUSY:
      return device + ": another program uses the camera ('fuser " + device + "' names it); " +
             cameras_text(folders);
    default:
      return device + ": " + system_error_text(error) + "; " + cameras_text(folders);
  }
}

void require_camera(const std::string& device, const CameraFolders& folders) {
  if (!device.starts_with('/')) {
    throw Error(ErrorCode::InvalidParameter,
                "'uri': write v4l2:// and the path of a camera, such as v4l2:///dev/video0; " +
                    cameras_text(folders));
  }
  struct stat facts {};
  if (::stat(device.c_str(), &facts) != 0) {
    const int error = errno;
    throw Error(error == ENOENT ? ErrorCode::NotFound : ErrorCode::InputOutput,
                camera_problem(device, error, folders));
  }
  if (!S_ISCHR(facts.st_mode)) {
    throw Error(ErrorCode::InputOutput, device + ": this is no device; " + cameras_text(folders));
  }
  const OpenDevice opened(device);
  if (opened.error() != 0) {
    throw Error(ErrorCode::InputOutput, camera_problem(device, opened.error(), folders));
  }
  if (!takes_pictures(opened.descriptor())) {
    throw Error(ErrorCode::InputOutput,
                device + ": this device takes no pictures; " + cameras_text(folders));
  }
}

}  // namespace gxr::media
