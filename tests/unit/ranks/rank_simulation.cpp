#include "ranks/rank_simulation.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

#include "gxr/error.hpp"

namespace gxr::test {
namespace {

constexpr std::uint32_t kMaxCapacity = 4;
constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Less than `bound`, which is greater than 0 and has at most 32 bits.
  std::uint32_t below(std::uint64_t bound) {
    return static_cast<std::uint32_t>(((engine_() >> 32) * bound) >> 32);
  }
  bool one_in(std::uint32_t count) { return below(count) == 0; }

 private:
  std::mt19937_64 engine_;
};

/// Things that will happen in any order. Each is as likely as its lane's weight says.
template <typename Thing>
class Lane {
 public:
  void add(const Thing& thing) { things_.push_back(thing); }
  Thing take(Random& random) {
    const std::size_t index = random.below(things_.size());
    const Thing thing = things_[index];
    things_[index] = things_.back();
    things_.pop_back();
    return thing;
  }
  [[nodiscard]] bool is_empty() const { return things_.empty(); }
  [[nodiscard]] std::size_t size() const { return things_.size(); }
  [[nodiscard]] std::uint64_t likeliness() const { return weight_ * things_.size(); }
  void set_weight(std::uint64_t weight) { weight_ = weight; }

 private:
  std::vector<Thing> things_;
  std::uint64_t weight_ = 1;
};

struct Link {
  Rank from = 0;
  Rank to = 0;
  std::uint32_t credits = 0;
  std::uint32_t arrived = 0;                       // messages that wait in the receiver
  std::array<std::uint32_t, kMaxCapacity> hops{};  // that these still have before them
  std::uint32_t takes = kUnlimited;                // so many more before it is full for ever
};

struct Output {
  std::uint32_t link = 0;
  std::uint32_t hops = 0;
};

struct Frame {
  std::uint32_t link = 0;
  std::uint32_t hops = 0;
  bool is_credit = false;
};

struct Timer {
  Rank rank = 0;
  std::uint32_t hops = 0;
};

struct Control {
  Rank from = 0;
  Rank to = 0;
  TerminationMessage message;
};

struct RankState {
  std::vector<std::uint32_t> outgoing;  // links
  std::vector<std::uint32_t> incoming;
  std::vector<Output> outputs;  // messages that wait for credits
  std::uint32_t own = 0;        // messages that its source can create at once
  std::uint32_t timers = 0;     // armed
  std::uint32_t outside = 0;    // events that will come
  bool waits_outside = false;   // it was not told that no more come
  bool works = false;
  bool is_slow = false;
  bool has_ended = false;
};

class Simulation {
 public:
  Simulation(Rank ranks, std::uint64_t seed, Load load, Fault fault);

  Outcome run();

 private:
  // How the application is made.
  void make_random();
  void make_streams();
  void make_token();
  void connect(Rank from, Rank to, std::uint32_t capacity);
  void give_sources();
  void draw_weights();

  // What happens.
  void step();
  void work(Lane<Rank>& workers);
  void fire_timer();
  void outside_event();
  void change();
  void deliver_frame(Lane<Frame>& frames);
  void deliver_control(Lane<Control>& controls);

  // What a rank does.
  bool act(Rank rank);
  bool send_output(Rank rank);
  bool take_message(Rank rank);
  void create(Rank rank, std::uint32_t hops);
  void send(Rank from, const Frame& frame);
  void arm(Rank rank, std::uint32_t hops);
  void wake(Rank rank);
  void rest(Rank rank);

  // What is so.
  [[nodiscard]] bool can_act(Rank rank) const;
  [[nodiscard]] bool is_quiet() const;
  void look_for_end(Rank rank);
  void look_for_missed_end();
  [[nodiscard]] std::string activity() const;

  Random random_;
  const Rank ranks_;
  const Load load_;
  const Fault fault_;
  std::vector<Link> links_;
  std::vector<RankState> states_;
  std::vector<FaultyTermination> terminations_;
  std::uint32_t hops_ = 0;         // of a new message
  std::uint32_t timer_share_ = 0;  // one message in so many arms a timer; 0: none
  Rank ended_ = 0;
  Outcome outcome_;

  Lane<Rank> fast_workers_;
  Lane<Rank> slow_workers_;
  Lane<Timer> timers_;
  Lane<Rank> outside_;
  Lane<Rank> changes_;
  Lane<Frame> fast_frames_;
  Lane<Frame> slow_frames_;
  Lane<Control> fast_controls_;
  Lane<Control> slow_controls_;
};

Simulation::Simulation(Rank ranks, std::uint64_t seed, Load load, Fault fault)
    : random_(seed), ranks_(ranks), load_(load), fault_(fault), states_(ranks) {
  terminations_.reserve(ranks);
  for (Rank rank = 0; rank < ranks; ++rank) {
    terminations_.emplace_back(
        rank, ranks,
        [this, rank](Rank to, const TerminationMessage& message) {
          ++outcome_.control_messages;
          (random_.one_in(4) ? slow_controls_ : fast_controls_).add({rank, to, message});
        },
        fault);
  }
  switch (load) {
    case Load::Random:
      make_random();
      break;
    case Load::Stream:
      make_streams();
      break;
    case Load::Token:
      make_token();
      break;
  }
  for (Rank rank = 0; rank < ranks; ++rank) {
    wake(rank);
  }
}

void Simulation::make_random() {
  if (ranks_ > 1 && random_.one_in(8)) {
    make_token();
    hops_ = random_.below(64);
  } else {
    const std::uint32_t direction = random_.below(4);
    const std::uint32_t most_links = 1 + random_.below(3);
    const std::uint32_t full_share = 1U << (2 + random_.below(6));
    for (Rank rank = 0; rank < ranks_; ++rank) {
      for (std::uint32_t i = random_.below(most_links + 1); i > 0 && ranks_ > 1; --i) {
        Rank to = (rank + 1 + random_.below(ranks_ - 1)) % ranks_;
        if (direction < 2) {  // no cycles
          const Rank behind = direction == 0 ? rank : ranks_ - 1 - rank;
          if (behind + 1 == ranks_) {
            break;
          }
          to = behind + 1 + random_.below(ranks_ - 1 - behind);
          to = direction == 0 ? to : ranks_ - 1 - to;
        }
        connect(rank, to, 1 + random_.below(kMaxCapacity));
        if (direction % 2 == 1 && random_.one_in(full_share)) {
          links_.back().takes = random_.below(4);
        }
      }
    }
    hops_ = random_.below(6);
    give_sources();
  }
  for (std::uint32_t i = random_.one_in(2) ? random_.below(8) : 0; i > 0; --i) {
    changes_.add(0);
  }
  draw_weights();
}

void Simulation::give_sources() {
  const std::uint32_t share = 1 + random_.below(std::min(16U, 1 + ranks_ / 4));
  const std::uint32_t timer_share = 1 + random_.below(4);
  const std::uint32_t outside_share = 1 + random_.below(4);
  timer_share_ = random_.one_in(2) ? 0 : 1 + random_.below(8);
  for (RankState& state : states_) {
    state.is_slow = random_.one_in(4);
    if (!random_.one_in(share)) {
      continue;
    }
    const Rank rank = static_cast<Rank>(&state - states_.data());
    state.own = random_.below(6 + 32 / ranks_);
    if (random_.one_in(timer_share)) {
      for (std::uint32_t i = random_.below(4); i > 0; --i) {
        arm(rank, hops_);
      }
    }
    if (random_.one_in(outside_share)) {
      state.waits_outside = true;
      state.outside = random_.below(3);
      outside_.add(rank);
    }
  }
}

/// Mean delays may differ by a factor of 32.
void Simulation::draw_weights() {
  const auto draw = [&](auto& lane) { lane.set_weight(std::uint64_t{1} << random_.below(6)); };
  draw(fast_workers_);
  draw(slow_workers_);
  draw(timers_);
  draw(outside_);
  draw(fast_frames_);
  draw(slow_frames_);
  draw(fast_controls_);
  draw(slow_controls_);
  changes_.set_weight(random_.one_in(4) ? 1 : 0);
}

void Simulation::make_streams() {
  constexpr Rank kLine = 8;
  hops_ = kLine;
  for (Rank rank = 0; rank < ranks_; ++rank) {
    if (rank % kLine == 0) {
      for (int i = 0; i < 100; ++i) {
        arm(rank, hops_);
      }
    } else {
      connect(rank - 1, rank, kMaxCapacity);
    }
  }
}

void Simulation::make_token() {
  for (Rank rank = 0; rank < ranks_; ++rank) {
    connect(rank, (rank + 1) % ranks_, 1);
  }
  states_[random_.below(ranks_)].own = 1;
  hops_ = 1000;
}

void Simulation::connect(Rank from, Rank to, std::uint32_t capacity) {
  const auto link = static_cast<std::uint32_t>(links_.size());
  links_.push_back({.from = from, .to = to, .credits = capacity});
  states_[from].outgoing.push_back(link);
  states_[to].incoming.push_back(link);
}

Outcome Simulation::run() {
  try {
    while (ended_ < ranks_ && outcome_.violation.empty()) {
      step();
    }
  } catch (const Error& error) {
    outcome_.violation = std::string("refused: ") + error.what();
  }
  outcome_.waves = terminations_[0].waves();
  if (outcome_.violation.empty() &&
      (!fast_controls_.is_empty() || !slow_controls_.is_empty() ||
       outcome_.control_messages != (2 * std::uint64_t{outcome_.waves} + 1) * (ranks_ - 1))) {
    outcome_.violation = "other than two messages a wave and rank, and the end";
  }
  outcome_.is_deadlock = std::any_of(links_.begin(), links_.end(),
                                     [](const Link& link) { return link.arrived > 0; }) ||
                         std::any_of(states_.begin(), states_.end(),
                                     [](const RankState& state) { return !state.outputs.empty(); });
  return outcome_;
}

void Simulation::step() {
  if (load_ == Load::Random && random_.one_in(256)) {
    draw_weights();
  }
  const std::uint64_t total = fast_workers_.likeliness() + slow_workers_.likeliness() +
                              timers_.likeliness() + outside_.likeliness() + changes_.likeliness() +
                              fast_frames_.likeliness() + slow_frames_.likeliness() +
                              fast_controls_.likeliness() + slow_controls_.likeliness();
  if (total == changes_.likeliness()) {
    outcome_.violation = "the end is missed: nothing is under way, and not all ranks know it";
    return;
  }
  std::uint64_t left = random_.below(total);
  const auto is_next = [&](const auto& lane) {
    const bool is_this = left < lane.likeliness();
    left -= is_this ? 0 : lane.likeliness();
    return is_this;
  };
  if (is_next(fast_controls_)) {
    deliver_control(fast_controls_);
  } else if (is_next(slow_controls_)) {
    deliver_control(slow_controls_);
  } else if (is_next(fast_workers_)) {
    work(fast_workers_);
  } else if (is_next(slow_workers_)) {
    work(slow_workers_);
  } else if (is_next(fast_frames_)) {
    deliver_frame(fast_frames_);
  } else if (is_next(slow_frames_)) {
    deliver_frame(slow_frames_);
  } else if (is_next(timers_)) {
    fire_timer();
  } else if (is_next(outside_)) {
    outside_event();
  } else {
    change();
  }
}

void Simulation::work(Lane<Rank>& workers) {
  const Rank rank = workers.take(random_);
  if (act(rank)) {
    workers.add(rank);
  } else {
    states_[rank].works = false;
    rest(rank);
  }
}

void Simulation::fire_timer() {
  const Timer timer = timers_.take(random_);
  --states_[timer.rank].timers;
  create(timer.rank, timer.hops);
  terminations_[timer.rank].begin_work();
  wake(timer.rank);
}

void Simulation::outside_event() {
  const Rank rank = outside_.take(random_);
  RankState& state = states_[rank];
  if (state.outside > 0) {
    --state.outside;
    ++state.own;
    outside_.add(rank);
  } else {
    state.waits_outside = false;
  }
  terminations_[rank].begin_work();
  wake(rank);
}

/// A user sets a parameter, and the entity that has it works. It is refused after the end.
void Simulation::change() {
  Rank rank = changes_.take(random_);
  if (fault_ == Fault::ChangesAnywhere) {
    rank = random_.below(ranks_);
  }
  if (!states_[rank].has_ended) {
    ++states_[rank].own;
    outcome_.control_after_end = 0;
    terminations_[rank].begin_work();
    wake(rank);
  }
}

void Simulation::deliver_frame(Lane<Frame>& frames) {
  const Frame frame = frames.take(random_);
  Link& link = links_[frame.link];
  const Rank to = frame.is_credit ? link.from : link.to;
  if (frame.is_credit) {
    ++link.credits;
  } else {
    link.hops[link.arrived++] = frame.hops;
  }
  terminations_[to].count_received(frame.is_credit);
  wake(to);
}

void Simulation::deliver_control(Lane<Control>& controls) {
  const Control control = controls.take(random_);
  outcome_.control_after_end = is_quiet() ? outcome_.control_after_end + 1 : 0;
  terminations_[control.to].receive(control.from, control.message);
  look_for_end(control.to);
  look_for_missed_end();
}

/// Does one thing that the rank can do now, if there is any.
bool Simulation::act(Rank rank) {
  RankState& state = states_[rank];
  if (!state.outputs.empty()) {
    return send_output(rank);
  }
  const bool own_first = state.own > 0 && random_.one_in(2);
  if (!own_first && take_message(rank)) {
    return true;
  }
  if (state.own == 0) {
    return false;
  }
  --state.own;
  create(rank, hops_);
  return true;
}

bool Simulation::send_output(Rank rank) {
  std::vector<Output>& outputs = states_[rank].outputs;
  for (Output& output : outputs) {
    if (links_[output.link].credits > 0) {
      --links_[output.link].credits;
      ++outcome_.messages;
      send(rank, {output.link, output.hops, false});
      output = outputs.back();
      outputs.pop_back();
      return true;
    }
  }
  return false;
}

bool Simulation::take_message(Rank rank) {
  const std::vector<std::uint32_t>& incoming = states_[rank].incoming;
  const std::uint32_t first = incoming.empty() ? 0 : random_.below(incoming.size());
  for (std::size_t i = 0; i < incoming.size(); ++i) {
    const std::uint32_t index = incoming[(first + i) % incoming.size()];
    Link& link = links_[index];
    if (link.arrived == 0 || link.takes == 0) {
      continue;
    }
    link.takes -= link.takes == kUnlimited ? 0 : 1;
    const std::uint32_t hops = link.hops[--link.arrived];
    send(rank, {index, 0, true});
    for (int copies = hops == 0 ? 0 : (load_ == Load::Random && random_.one_in(8) ? 2 : 1);
         copies > 0; --copies) {
      if (timer_share_ > 0 && random_.one_in(timer_share_)) {
        arm(rank, hops - 1);
      } else {
        create(rank, hops - 1);
      }
    }
    return true;
  }
  return false;
}

void Simulation::create(Rank rank, std::uint32_t hops) {
  RankState& state = states_[rank];
  if (!state.outgoing.empty()) {
    state.outputs.push_back({state.outgoing[random_.below(state.outgoing.size())], hops});
  }
}

void Simulation::send(Rank from, const Frame& frame) {
  terminations_[from].count_sent(frame.is_credit);
  ++outcome_.frames;
  (random_.one_in(4) ? slow_frames_ : fast_frames_).add(frame);
}

void Simulation::arm(Rank rank, std::uint32_t hops) {
  ++states_[rank].timers;
  timers_.add({rank, hops});
}

void Simulation::wake(Rank rank) {
  RankState& state = states_[rank];
  if (!state.works) {
    state.works = true;
    (state.is_slow ? slow_workers_ : fast_workers_).add(rank);
  }
}

/// The rank has found nothing to do.
void Simulation::rest(Rank rank) {
  const RankState& state = states_[rank];
  if ((state.timers == 0 || fault_ == Fault::RestsWithTimer) &&
      (!state.waits_outside || fault_ == Fault::RestsWithOutside)) {
    terminations_[rank].rest();
    look_for_end(rank);
  }
}

bool Simulation::can_act(Rank rank) const {
  const RankState& state = states_[rank];
  if (state.timers > 0 || state.waits_outside) {
    return true;
  }
  if (!state.outputs.empty()) {
    return std::any_of(state.outputs.begin(), state.outputs.end(),
                       [&](const Output& output) { return links_[output.link].credits > 0; });
  }
  return state.own > 0 ||
         std::any_of(state.incoming.begin(), state.incoming.end(), [&](std::uint32_t link) {
           return links_[link].arrived > 0 && links_[link].takes > 0;
         });
}

/// Nothing happens any more, except that users make changes.
bool Simulation::is_quiet() const {
  return fast_workers_.is_empty() && slow_workers_.is_empty() && timers_.is_empty() &&
         outside_.is_empty() && fast_frames_.is_empty() && slow_frames_.is_empty();
}

void Simulation::look_for_end(Rank rank) {
  RankState& state = states_[rank];
  if (state.has_ended || !terminations_[rank].has_ended()) {
    return;
  }
  state.has_ended = true;
  ++ended_;
  bool is_end = is_quiet();
  for (Rank other = 0; ended_ == 1 && is_end && other < ranks_; ++other) {
    is_end = !can_act(other);
  }
  if (!is_end) {
    outcome_.violation =
        "rank " + std::to_string(rank) + " says that the run has ended: " + activity();
  }
}

void Simulation::look_for_missed_end() {
  if (outcome_.control_after_end >= 7 * (std::uint64_t{ranks_} - 1) && ended_ < ranks_) {
    outcome_.violation = "the end is missed: " + std::to_string(outcome_.control_after_end) +
                         " messages came since nothing can run";
  }
}

std::string Simulation::activity() const {
  return std::to_string(fast_workers_.size() + slow_workers_.size()) + " ranks work, " +
         std::to_string(fast_frames_.size() + slow_frames_.size()) + " frames are under way, " +
         std::to_string(timers_.size()) + " timers are armed, " + std::to_string(outside_.size()) +
         " ranks wait for events from outside";
}

}  // namespace

Outcome simulate(Rank ranks, std::uint64_t seed, Load load, Fault fault) {
  return Simulation(ranks, seed, load, fault).run();
}

}  // namespace gxr::test
