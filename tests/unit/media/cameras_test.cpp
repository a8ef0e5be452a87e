#include "media/cameras.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace {

namespace fs = std::filesystem;
using gxr::media::camera_problem;
using gxr::media::cameras_text;

/// A machine with these devices.
class Machine {
 public:
  Machine(const std::initializer_list<const char*> devices) {
    fs::create_directories(root_ / "dev");
    for (const char* const name : devices) {
      std::ofstream(root_ / "dev" / name) << "";
    }
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() { fs::remove_all(root_); }

  void call(const std::string& device, const std::string& model) const {
    fs::create_directories(root_ / "facts" / device);
    std::ofstream(root_ / "facts" / device / "name") << model << "\n";
  }
  [[nodiscard]] gxr::media::CameraFolders folders() const {
    return {(root_ / "dev").string(), (root_ / "facts").string()};
  }
  [[nodiscard]] std::string device(const std::string& name) const {
    return (root_ / "dev" / name).string();
  }
  /// The text without this machine's own folder.
  [[nodiscard]] std::string tidy(std::string text) const {
    for (std::size_t at = text.find(root_.string()); at != std::string::npos;
         at = text.find(root_.string())) {
      text.erase(at, root_.string().size());
    }
    return text;
  }
  [[nodiscard]] std::string refusal_of(const std::string& path) const {
    try {
      gxr::media::require_camera(path, folders());
    } catch (const gxr::Error& error) {
      return tidy(error.message());
    }
    return "none";
  }

 private:
  fs::path root_ = fs::temp_directory_path() / ("gxr_cameras_test." + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("the cameras of a machine are named in order", "[media][cameras]") {
  const Machine machine{"video10", "video2", "video", "videox", "null", "video0"};
  machine.call("video2", "USB Camera");
  CHECK(machine.tidy(cameras_text(machine.folders())) ==
        "this machine has /dev/video0, /dev/video2 (USB Camera), /dev/video10");
  CHECK(cameras_text({"/nowhere", "/nowhere"}) ==
        "this machine has no camera (no /nowhere/video0)");
}

TEST_CASE("a camera that cannot be used has its reason", "[media][cameras]") {
  const Machine machine{"video0"};
  CHECK(machine.refusal_of(machine.device("video7")) ==
        "/dev/video7: there is no such camera; this machine has /dev/video0");
  CHECK(machine.refusal_of(machine.device("video0")) ==
        "/dev/video0: this is no device; this machine has /dev/video0");
  CHECK(machine.refusal_of("/dev/null") ==
        "/dev/null: this device takes no pictures; this machine has /dev/video0");
  CHECK(machine.refusal_of("video0") ==
        "'uri': write v4l2:// and the path of a camera, such as v4l2:///dev/video0; this machine "
        "has /dev/video0");
  CHECK(machine.refusal_of("") == machine.refusal_of("video0"));
  const auto problem = [&](int error) {
    return machine.tidy(camera_problem("/dev/video0", error, machine.folders()));
  };
  CHECK(problem(EACCES) ==
        "/dev/video0: this user may not use the camera: 'sudo usermod -aG video $USER' lets him, "
        "from the next login on");
  CHECK(problem(EBUSY) ==
        "/dev/video0: another program uses the camera ('fuser /dev/video0' names it); this machine "
        "has /dev/video0");
  CHECK(problem(ENODEV) == problem(ENOENT));
  CHECK(problem(EIO) == "/dev/video0: Input/output error; this machine has /dev/video0");
}
