#pragma once

#include <functional>
#include <string>
#include <thread>

#include <gst/gst.h>

#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {

/// A thread that hears what a pipeline says of its state.
class BusWatch {
 public:
  struct Calls {
    std::function<void()> on_end;
    std::function<void()> on_prerolled = [] {};  // it is paused at a picture
    std::function<void(const std::string&, Failing)> on_error;
    std::function<void(const std::string&)> on_warning;
  };

  BusWatch(GstElement* pipeline, Calls calls);
  BusWatch(const BusWatch&) = delete;
  BusWatch& operator=(const BusWatch&) = delete;
  /// Returns when nothing is called any more.
  ~BusWatch();

 private:
  void run();
  void handle(GstMessage* message);

  Owned<GstBus> bus_;
  Calls calls_;
  std::string missing_;  // plug-ins; of the thread
  std::thread thread_;
};

}  // namespace gxr::media
