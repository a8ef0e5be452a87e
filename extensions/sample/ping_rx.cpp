#include "ping_rx.hpp"

namespace gxr::sample {

void PingRx::declare(Interface& interface) {
  interface.input(signal_, "signal", "Messages to take, one per tick");
}

void PingRx::tick() { signal_.receive(); }

}  // namespace gxr::sample
