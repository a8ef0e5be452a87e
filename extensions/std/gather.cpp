#include "gather.hpp"

#include <algorithm>
#include <string>

namespace gxr {

void Gather::declare(Interface& interface) {
  interface.output(sink_, "sink", "All messages, one source after the other");
  interface.passes_messages();
  interface.takes_all_messages("sources");
  interface.publishes_all_messages("sink", "tick_source_limit");
  interface
      .parameter(sources_, "sources", "Receivers to take messages from",
                 "Left out or empty: all receivers of the entity, in the order of the components. "
                 "GXF always takes all, and so does --compat gxf.")
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
  static const std::vector<Handle<Receiver>> kNone;
  const auto& sources = sources_.try_get();
  const std::vector<Handle<Receiver>>& listed = sources ? *sources : kNone;
  if (listed.empty() || context().compat_gxf()) {
    find_inputs();
    warn_of_unlisted(listed);
    return;
  }
  for (const Handle<Receiver>& source : listed) {
    if (source) {
      inputs_.push_back(source.get());
    }
  }
}

void Gather::find_inputs() {
  for (Component* component : context().siblings(*this)) {
    if (auto* receiver = dynamic_cast<Receiver*>(component)) {
      inputs_.push_back(receiver);
    }
  }
}

void Gather::warn_of_unlisted(const std::vector<Handle<Receiver>>& listed) const {
  if (listed.empty()) {
    return;
  }
  std::string names;
  for (const Receiver* input : inputs_) {
    const bool is_listed = std::any_of(listed.begin(), listed.end(),
                                       [&](const auto& source) { return source.get() == input; });
    names += is_listed ? "" : (names.empty() ? "'" : ", '") + input->full_name() + "'";
  }
  if (!names.empty()) {
    log_warning("takes messages from " + names + " as well, although 'sources' does not list " +
                "them: GXF takes from all receivers of the entity");
  }
}

void Gather::tick() {
  for (Receiver* input : inputs_) {
    drain(*input);
  }
}

/// A mailbox gives its newest message again and again, so what is there now is counted first.
void Gather::drain(Receiver& source) {
  const std::size_t there = source.size();
  const auto limit = static_cast<std::size_t>(*tick_source_limit_);
  const std::size_t count = *tick_source_limit_ > 0 ? std::min(there, limit) : there;
  for (std::size_t taken = 0; taken < count; ++taken) {
    Message message = source.pop();
    if (!message) {
      return;
    }
    sink_.publish(std::move(message));
  }
}

}  // namespace gxr
