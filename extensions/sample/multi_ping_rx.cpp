#include "multi_ping_rx.hpp"

namespace gxr::sample {

void MultiPingRx::declare(Interface& interface) {
  interface.parameter(receivers_, "receivers", "Receivers to take one message per tick from");
}

void MultiPingRx::tick() {
  for (const Handle<Receiver>& receiver : *receivers_) {
    receiver->receive();
  }
}

}  // namespace gxr::sample
