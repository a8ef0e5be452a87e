#include "rank_run/rank_session.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "gxr/error.hpp"
#include "rank_run/byte_archive.hpp"

namespace gxr {

template <class A>
void visit_fields(A& archive, RankEnd& end) {
  archive(end.by), archive(end.text), archive(end.is_loss);
}

namespace {

/// Throws Error(InvalidData) when the body has another size.
template <class T>
T read_body(const RankBytes& body) {
  if (body.size() != sizeof(T)) {
    throw Error(ErrorCode::InvalidData, "it sent a frame of a wrong size");
  }
  T value;
  std::memcpy(&value, body.data(), sizeof(T));
  return value;
}

RankBytes bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(const RankBytes& body) {
  return {reinterpret_cast<const char*>(body.data()), body.size()};
}

}  // namespace

RankSession::RankSession(RankTransport& transport, std::vector<RankChannel> channels,
                         RankTrails trails)
    : transport_(transport),
      trails_(std::move(trails)),
      termination_(transport.rank(), transport.ranks(),
                   [&transport](Rank to, const TerminationMessage& message) {
                     transport.send(to, RankFrame::Termination, 0, to_body(message));
                   }),
      is_lost_(transport.ranks()) {
  for (RankChannel& about : channels) {
    Channel& channel = channels_.emplace_back();
    channel.credits = about.credits;
    channel.about = std::move(about);
  }
}

RankSession::~RankSession() = default;

void RankSession::begin() {
  transport_.begin({[this](Rank from, RankFrame kind, std::uint32_t channel, RankBytes body) {
                      hear(from, kind, channel, std::move(body));
                    },
                    [this](Rank rank, const std::string& why) { lose(rank, why); }});
}

void RankSession::attach_run(std::function<void()> interrupt) {
  const std::lock_guard lock(mutex_);
  if (early_end_) {
    interrupt();
  } else {
    interrupt_ = std::move(interrupt);
  }
}

void RankSession::detach_run() {
  const std::lock_guard lock(mutex_);
  interrupt_ = nullptr;
}

// --- channels ----------------------------------------------------------------------------------

bool RankSession::is_open() const { return !termination_.has_ended() && !early_end_; }

RankSession::Outlook RankSession::outlook(std::size_t channel) const {
  const std::lock_guard lock(mutex_);
  return {is_open(), channels_[channel].credits};
}

void RankSession::send(std::size_t channel, RankBytes message) {
  const std::lock_guard lock(mutex_);
  Channel& sending = channels_[channel];
  --sending.credits;
  termination_.count_sent();
  transport_.send(sending.about.to, RankFrame::Message, static_cast<std::uint32_t>(channel),
                  std::move(message));
}

RankSession::Arrivals RankSession::arrivals(std::size_t channel) const {
  const std::lock_guard lock(mutex_);
  return {is_open(), channels_[channel].arrived.size()};
}

std::optional<RankBytes> RankSession::take(std::size_t channel) {
  const std::lock_guard lock(mutex_);
  Channel& receiving = channels_[channel];
  if (receiving.arrived.empty()) {
    return std::nullopt;
  }
  std::optional<RankBytes> message(std::move(receiving.arrived.front()));
  receiving.arrived.pop_front();
  const std::uint64_t credits = 1;
  termination_.count_sent();
  transport_.send(receiving.about.from, RankFrame::Credit, static_cast<std::uint32_t>(channel),
                  to_body(credits));
  return message;
}

void RankSession::watch(std::size_t channel, const Component* term) {
  const std::lock_guard lock(mutex_);
  channels_[channel].term = term;
}

void RankSession::tell(Channel& channel) {
  if (channel.term != nullptr) {
    channel.term->context().notify(*channel.term);
  }
}

/// Nothing more comes or goes: what waits for it hears that.
void RankSession::close_channels() {
  for (Channel& channel : channels_) {
    tell(channel);
  }
  events_.fetch_add(1, std::memory_order_release);
  changed_.notify_all();
}

// --- what other ranks send ---------------------------------------------------------------------

void RankSession::hear(Rank from, RankFrame kind, std::uint32_t channel, RankBytes body) {
  const std::lock_guard lock(mutex_);
  take_in(from, kind, channel, std::move(body));
}

void RankSession::take_in(Rank from, RankFrame kind, std::uint32_t number, RankBytes body) {
  switch (kind) {
    case RankFrame::Message: {
      Channel& channel = channel_of(number, from, false);
      channel.arrived.push_back(std::move(body));
      termination_.count_received();
      tell(channel);
      break;
    }
    case RankFrame::Credit: {
      Channel& channel = channel_of(number, from, true);
      channel.credits += read_body<std::uint64_t>(body);
      termination_.count_received();
      tell(channel);
      break;
    }
    case RankFrame::Termination:
      termination_.receive(from, read_body<TerminationMessage>(body));
      if (termination_.has_ended()) {
        close_channels();
      }
      return;
    case RankFrame::EndRun:
      note_end(from_bytes<RankEnd>(text_of(body)));
      return;
    case RankFrame::Report:
      reports_[from] = text_of(body);
      changed_.notify_all();
      return;
    case RankFrame::Done:
      done_ = read_body<std::int32_t>(body);
      changed_.notify_all();
      return;
    case RankFrame::Bye:
      return;
    case RankFrame::Question:
    case RankFrame::Change: {
      RankQuestion question{from, number, kind == RankFrame::Change, text_of(body)};
      if (responder_) {
        responder_(std::move(question));
      } else {
        answer(question, {});
      }
      return;
    }
    case RankFrame::Answer:
      if (const auto asked = asked_.find(number); asked != asked_.end()) {
        asked->second = text_of(body);
        changed_.notify_all();
      }
      return;
  }
  note_event();
}

/// Behind the notification.
void RankSession::note_event() {
  events_.fetch_add(1, std::memory_order_release);
  if (has_left_) {
    rest_now();  // nobody takes it any more
  }
}

RankSession::Channel& RankSession::channel_of(std::uint32_t number, Rank from, bool is_sender) {
  if (number < channels_.size()) {
    Channel& channel = channels_[number];
    const RankChannel& about = channel.about;
    if ((is_sender ? about.to : about.from) == from &&
        (is_sender ? about.from : about.to) == rank()) {
      return channel;
    }
  }
  throw Error(ErrorCode::InvalidData, "it sent a message of a channel that it does not have");
}

void RankSession::lose(Rank rank, const std::string& why) {
  const std::lock_guard lock(mutex_);
  is_lost_[rank] = true;
  lost_.push_back({rank, why, true});
  changed_.notify_all();
  if (!done_) {
    note_end({rank, why, true});
  }
}

// --- questions ---------------------------------------------------------------------------------

std::optional<std::string> RankSession::ask(Rank rank, const std::string& text, bool changes,
                                            std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (is_lost_[rank] || (changes && !is_open())) {
    return std::nullopt;
  }
  const std::uint32_t number = ++questions_;
  asked_[number];
  if (changes) {
    // A change wakes its rank, so it counts like a message.
    const bool rested = termination_.is_at_rest();
    termination_.begin_work();
    termination_.count_sent();
    transport_.send(rank, RankFrame::Change, number, bytes_of(text));
    if (rested) {
      rest_now();
    }
  } else {
    transport_.send(rank, RankFrame::Question, number, bytes_of(text));
  }
  changed_.wait_for(lock, patience,
                    [&] { return asked_[number] || is_lost_[rank] || (changes && !is_open()); });
  return std::move(asked_.extract(number).mapped());
}

std::map<Rank, std::optional<std::string>> RankSession::ask_others(const std::string& text,
                                                                   const Patience& patience) {
  std::unique_lock lock(mutex_);
  std::map<Rank, std::uint32_t> numbers;
  for (Rank other = 0; other < ranks(); ++other) {
    if (other != rank()) {
      numbers[other] = ++questions_;
      asked_[questions_];
      transport_.send(other, RankFrame::Question, questions_, bytes_of(text));
    }
  }
  const auto has_answered = [this](const auto& each) {
    return is_lost_[each.first] || asked_[each.second].has_value();
  };
  changed_.wait_for(lock, patience.for_silent,
                    [&] { return std::ranges::all_of(numbers, has_answered); });
  changed_.wait_for(lock, patience.usual - patience.for_silent, [&] {
    return std::ranges::all_of(numbers, [&](const auto& each) {
      return has_answered(each) ||
             std::ranges::find(patience.silent, each.first) != patience.silent.end();
    });
  });
  std::map<Rank, std::optional<std::string>> answers;
  for (const auto& [other, number] : numbers) {
    answers[other] = std::move(asked_.extract(number).mapped());
  }
  return answers;
}

void RankSession::set_responder(std::function<void(RankQuestion)> responder) {
  const std::lock_guard lock(mutex_);
  responder_ = std::move(responder);
}

void RankSession::respond(const RankQuestion& question, const std::string& answer) {
  const std::lock_guard lock(mutex_);
  this->answer(question, answer);
}

/// A change has arrived once it was made.
void RankSession::answer(const RankQuestion& question, const std::string& text) {
  if (question.changes) {
    termination_.count_received();
    for (Channel& channel : channels_) {
      tell(channel);
    }
    note_event();
  }
  transport_.send(question.from, RankFrame::Answer, question.number, bytes_of(text));
}

// --- rest and end ------------------------------------------------------------------------------

void RankSession::rest(std::uint64_t events) noexcept {
  const std::lock_guard lock(mutex_);
  if (events_.load(std::memory_order_relaxed) == events) {
    rest_now();
  }
}

void RankSession::rest_now() {
  if (is_open()) {
    termination_.rest();
    if (termination_.has_ended()) {
      close_channels();
    }
  }
}

void RankSession::begin_work() noexcept {
  const std::lock_guard lock(mutex_);
  if (!has_left_) {
    termination_.begin_work();
  }
}

void RankSession::count_finished(std::size_t finished, std::size_t all) noexcept {
  const std::lock_guard lock(mutex_);
  finished_ = finished;
  all_ = all;
}

std::pair<std::uint64_t, std::uint64_t> RankSession::finished() const {
  const std::lock_guard lock(mutex_);
  return {finished_, all_};
}

void RankSession::leave() {
  const std::lock_guard lock(mutex_);
  has_left_ = true;
  rest_now();
}

void RankSession::end_all(const RankEnd& end) {
  const std::lock_guard lock(mutex_);
  if (is_open()) {
    transport_.send_to_all(RankFrame::EndRun, bytes_of(to_bytes(end)));
    note_end(end);
  }
}

void RankSession::note_end(const RankEnd& end) {
  if (early_end_ || termination_.has_ended()) {
    return;
  }
  early_end_ = end;
  close_channels();
  if (const auto interrupt = std::exchange(interrupt_, nullptr)) {
    interrupt();
  }
}

void RankSession::wait_for_end() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !is_open(); });
}

std::optional<RankEnd> RankSession::early_end() const {
  const std::lock_guard lock(mutex_);
  return early_end_;
}

Rank RankSession::writer() const {
  return static_cast<Rank>(std::ranges::find(is_lost_, false) - is_lost_.begin());
}

std::optional<RankSession::Reports> RankSession::exchange(const std::string& own,
                                                          std::chrono::milliseconds patience) {
  std::optional<Rank> told;
  std::unique_lock lock(mutex_);
  reports_[rank()] = own;
  for (;;) {
    const Rank now = writer();
    const auto changes = [&] { return done_ || writer() != now; };
    if (now != rank()) {
      if (told != now) {
        told = now;
        transport_.send(now, RankFrame::Report, 0, bytes_of(own));
      }
      const bool is_changed = changed_.wait_for(lock, 2 * patience, changes);
      if (done_) {
        return std::nullopt;
      }
      if (!is_changed) {
        is_lost_[now] = true;
        lost_.push_back({now, "it does not react", false});
      }
      continue;
    }
    const auto is_there = [&] {
      for (Rank other = 0; other < ranks(); ++other) {
        if (!is_lost_[other] && !reports_.contains(other)) {
          return false;
        }
      }
      return true;
    };
    changed_.wait_for(lock, patience, is_there);
    Reports reports{reports_, lost_, {}};
    for (Rank other = 0; other < ranks(); ++other) {
      if (!is_lost_[other] && !reports_.contains(other)) {
        reports.missing.push_back(other);
      }
    }
    return reports;
  }
}

void RankSession::finish(std::int32_t exit_code) {
  const std::lock_guard lock(mutex_);
  done_ = exit_code;
  transport_.send_to_all(RankFrame::Done, to_body(exit_code));
}

std::int32_t RankSession::exit_code() const {
  const std::lock_guard lock(mutex_);
  return done_.value_or(0);
}

}  // namespace gxr
