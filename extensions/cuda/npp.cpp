#include "npp.hpp"

#include "no_device.hpp"

namespace gxr::cuda {

void NppiSet::declare(Interface& interface) {
  interface.parameter(rows_, "rows", "Height of the pictures").minimum(1).unit("pixels");
  interface.parameter(columns_, "columns", "Width of the pictures").minimum(1).unit("pixels");
  interface.parameter(channels_, "channels", "Numbers of each pixel").minimum(1);
  interface.parameter(pool_, "pool", "Gives memory for the pictures");
  interface.parameter(value_, "value", "The colour, a number for each channel");
  interface.output(out_, "out", "A picture per tick");
}

void NppiSet::initialize() { fail_without_device(*this); }
void NppiSet::tick() { fail_without_device(*this); }

void NppiMulC::declare(Interface& interface) {
  interface.input(in_, "in", "Pictures, one per tick");
  interface.parameter(factor_, "factor", "A factor for each channel");
  interface.parameter(pool_, "pool", "Gives memory for the products");
  interface.output(out_, "out", "The products");
}

void NppiMulC::initialize() { fail_without_device(*this); }
void NppiMulC::tick() { fail_without_device(*this); }

}  // namespace gxr::cuda
