#pragma once

#include <string>

namespace gxr::media {

/// Where the system shows its cameras.
struct CameraFolders {
  std::string devices = "/dev";
  std::string facts = "/sys/class/video4linux";
};

/// The cameras of this machine: "/dev/video0 (USB Camera), /dev/video2"; or that it has none.
std::string cameras_text(const CameraFolders& folders = {});

/// Why a camera cannot be opened, by an error number of the system, and what to do.
std::string camera_problem(const std::string& device, int error, const CameraFolders& folders = {});

/// Is this a device that V4L2 takes pictures from, and that this user may open? Throws Error
/// (NotFound, InputOutput or InvalidParameter), which names the cameras that there are.
void require_camera(const std::string& device, const CameraFolders& folders = {});

}  // namespace gxr::media
