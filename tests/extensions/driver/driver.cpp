#include "driver.hpp"

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<driver::Source>("Publishes messages with given times");
  extension.add<driver::Sink>("Logs the messages that it takes");
  extension.add<driver::TensorSource>("Publishes tensors");
  extension.add<driver::TensorSink>("Keeps tensors for a while");
  extension.add<driver::ClockMover>("Moves a SyntheticClock");
  extension.add<driver::AsyncWorker>("Sets an AsynchronousSchedulingTerm from a thread");
  extension.add<driver::TargetSetter>("Sets target times");
  extension.add<driver::TreeParent>("Sets a BTSchedulingTerm");
  extension.add<driver::VaultReader>("Takes messages out of a Vault on a thread");
  extension.add<driver::Toggle>("Switches terms off and on");
  extension.add<driver::Sleeper>("Sleeps on a clock");
  extension.add<driver::Sampler>("Gives samples to a Metric");
}
