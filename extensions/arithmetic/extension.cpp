// Whole numbers: the smallest operators that run on the CPU and as parts of CUDA graphs.

#include "arithmetic/numbers.hpp"
#include "arithmetic/operators.hpp"
#include "arithmetic/sensor.hpp"
#include "gxr/gxr.hpp"

extern "C" void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::arithmetic;
  extension.add<Numbers>("Publishes tensors full of 1, 2, ...");
  extension.add<Sensor>("Produces a tensor of 1, 2, ... once per period");
  extension.add<Add>("Adds a number to each element");
  extension.add<Multiply>("Multiplies each element");
  extension.add<Sum>("Adds up to four tensors, element by element");
  extension.add<Check>("Fails unless tensors hold what they should");
}
