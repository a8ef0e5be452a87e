#include "gather.hpp"

#include <limits>

namespace gxr {

void Gather::declare(Interface& interface) {
  interface.output(sink_, "sink", "All messages, one source after the other");
  interface
      .parameter(sources_, "sources", "Receivers to take messages from",
                 "Left out or empty: all receivers of the entity, in the order of the components. "
                 "(GXF has this parameter, too, but always takes all.)")
      .optional();
  interface
      .parameter(tick_source_limit_, "tick_source_limit",
                 "Messages to take from each receiver in one tick", "0: all that are there.")
      .default_value(0)
      .minimum(0)
      .unit("messages");
}

void Gather::start() {
  inputs_.clear();
  if (const auto& sources = sources_.try_get()) {
    for (const Handle<Receiver>& source : *sources) {
      inputs_.push_back(source.get());
    }
  }
  if (!inputs_.empty()) {
    return;
  }
  for (Component* component : context().siblings(*this)) {
    if (auto* receiver = dynamic_cast<Receiver*>(component)) {
      inputs_.push_back(receiver);
    }
  }
}

void Gather::tick() {
  for (Receiver* input : inputs_) {
    drain(*input);
  }
}

void Gather::drain(Receiver& source) {
  const std::int64_t limit =
      *tick_source_limit_ > 0 ? *tick_source_limit_ : std::numeric_limits<std::int64_t>::max();
  for (std::int64_t taken = 0; taken < limit; ++taken) {
    Message message = source.pop();
    if (!message) {
      return;
    }
    sink_->publish(std::move(message));
  }
}

}  // namespace gxr
