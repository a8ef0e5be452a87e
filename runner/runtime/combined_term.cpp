#include "runtime/combined_term.hpp"

namespace gxr {

CombinedTerm::CombinedTerm(const SchedulingTermCombiner& combiner)
    : combiner_(combiner), terms_(combiner.terms()) {}

Condition CombinedTerm::check(std::int64_t now) {
  if (terms_.empty()) {
    return {};
  }
  Condition all = terms_.front()->check(now);
  for (std::size_t i = 1; i < terms_.size(); ++i) {
    all = combiner_.combine(all, terms_[i]->check(now));
  }
  return all;
}

void CombinedTerm::on_execute(std::int64_t now) {
  for (SchedulingTerm* term : terms_) {
    term->on_execute(now);
  }
}

void CombinedTerm::events(TermEvents& events) {
  for (SchedulingTerm* term : terms_) {
    term->events(events);
  }
}

std::string CombinedTerm::explain() const {
  std::string text;
  for (const SchedulingTerm* term : terms_) {
    text += (text.empty() ? "" : ", or ") + term->explain();
  }
  return text;
}

}  // namespace gxr
