#include "bright_pixels.hpp"
#include "budget.hpp"
#include "countdown.hpp"
#include "doorbell.hpp"
#include "filter.hpp"
#include "mean.hpp"
#include "porter.hpp"
#include "ramp.hpp"
#include "thermometer.hpp"

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<guide::Filter>("Changes numbers");  // abstract: only handles name it
  extension.add<guide::Offset, guide::Filter>("Adds to every number");
  extension.add<guide::Ramp>("Publishes tensors with rising or falling numbers");
  extension.add<guide::Mean>("Checks the mean of tensors")
      .description("Tensors may be of any rank.");
  extension.add<guide::BrightPixels>("Counts bright pixels");
  extension.add<guide::Doorbell>("One tick for every ring");
  extension.add<guide::Budget>("A number of ticks");
  extension.add<guide::Porter>("Opens the door");
  extension.add<guide::Countdown>("Publishes falling numbers");
  extension.add<guide::Thermometer>("Publishes what a device reads");
  extension.add<guide::Display>("Logs temperatures");
}
