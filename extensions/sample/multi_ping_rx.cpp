#include "multi_ping_rx.hpp"

namespace gxr::sample {

void MultiPingRx::declare(Interface& interface) {
  interface.parameter(receivers_, "receivers", "Receivers to take one message per tick from",
                      "Those that have none are passed over.");
}

void MultiPingRx::tick() {
  for (const Handle<Receiver>& receiver : *receivers_) {
    if (receiver) {
      static_cast<void>(receiver->pop());
    }
  }
}

}  // namespace gxr::sample
