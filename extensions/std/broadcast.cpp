#include "broadcast.hpp"

namespace gxr {

void Broadcast::declare(Interface& interface) {
  interface.input(source_, "source", "Messages to hand out");
  interface
      .parameter(mode_, "mode", "Who gets a message",
                 "Broadcast: all transmitters of the entity get the same message, without a copy. "
                 "RoundRobin: they take turns, in the order of the components.")
      .default_value(BroadcastMode::Broadcast);
  interface.passes_each_message("mode", "Broadcast");
}

void Broadcast::start() {
  next_ = 0;
  sinks_.clear();
  for (Component* component : context().siblings(*this)) {
    if (auto* transmitter = dynamic_cast<Transmitter*>(component)) {
      sinks_.push_back(transmitter);
    }
  }
  if (sinks_.empty()) {
    throw Error(ErrorCode::InvalidState,
                "entity '" + entity_name() + "' has no transmitter to hand messages out to");
  }
}

void Broadcast::tick() {
  if (*mode_ == BroadcastMode::Broadcast) {
    publish_to_all(source_->receive_unfinished());
  } else {
    publish_to_next(source_->receive_unfinished());
  }
}

void Broadcast::publish_to_all(Message message) {
  for (std::size_t i = 0; i + 1 < sinks_.size(); ++i) {
    sinks_[i]->publish(message);
  }
  sinks_.back()->publish(std::move(message));
}

void Broadcast::publish_to_next(Message message) {
  sinks_[next_]->publish(std::move(message));
  next_ = (next_ + 1) % sinks_.size();
}

}  // namespace gxr
