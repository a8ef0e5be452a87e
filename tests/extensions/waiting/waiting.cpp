#include "waiting.hpp"

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Child>("Starts a program and ends it");
  extension.add<test::Hanging>("Never returns from one of its calls");
  extension.add<test::Punctual>("Measures how late the scheduler hears of events");
}
