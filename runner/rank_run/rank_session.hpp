#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "executors/rest_watch.hpp"
#include "gxr/component.hpp"
#include "internal_api.hpp"
#include "rank_run/rank_trails.hpp"
#include "rank_run/rank_transport.hpp"
#include "ranks/rank_channels.hpp"
#include "ranks/termination.hpp"

namespace gxr {

/// Why all ranks are to end early.
struct RankEnd {
  Rank by = 0;       ///< the rank that wants it
  std::string text;  ///< a lost rank, and why; empty: the report of `by` says the reason
  bool is_loss = false;
};

/// A rank that was lost while the application ran.
struct LostRank {
  Rank rank = 0;
  std::string why;
  bool has_gone = true;  ///< else its process may be there, and not react
};

/// A question of another rank.
struct RankQuestion {
  Rank from = 0;
  std::uint32_t number = 0;
  bool changes = false;  ///< it wants something changed
  std::string text;
};

/// One rank's part of a run over several ranks: the channels of its messages, what it tells the
/// others of how far it is, and how all of them come to one end. Functions are for any thread
/// unless said otherwise.
class GXR_INTERNAL_API RankSession final : public RestWatch {
 public:
  /// `transport` must outlive it.
  RankSession(RankTransport& transport, std::vector<RankChannel> channels, RankTrails trails);
  ~RankSession() override;

  [[nodiscard]] Rank rank() const noexcept { return transport_.rank(); }
  [[nodiscard]] Rank ranks() const noexcept { return transport_.ranks(); }
  /// The entities of this rank's part that stand for other ranks. Call before the run.
  void set_ends(const std::vector<EntityId>& ends) { ends_ = {ends.begin(), ends.end()}; }
  /// Hears what the others send from now on. Throws Error(OutOfMemory).
  void begin();
  /// `interrupt` ends this rank's run in order. It is called once at most, when all are to end
  /// early, at once if that was so before, and not behind detach_run().
  void attach_run(std::function<void()> interrupt);
  void detach_run();

  // channels, for the components that stand for other ranks

  [[nodiscard]] const RankTrails& trails() const noexcept { return trails_; }

  /// What the sending side of a channel can do.
  struct Outlook {
    bool open = false;          ///< the other rank takes messages, or will
    std::uint64_t credits = 0;  ///< messages that may be sent now
  };
  [[nodiscard]] Outlook outlook(std::size_t channel) const;
  /// Sends a message, which takes a credit. Precondition: there is one.
  void send(std::size_t channel, RankBytes message);
  /// Messages that wait on the receiving side, and whether more can come.
  struct Arrivals {
    bool open = false;
    std::size_t messages = 0;
  };
  [[nodiscard]] Arrivals arrivals(std::size_t channel) const;
  /// The oldest message, for which the sender gets a credit. Nothing when there is none.
  std::optional<RankBytes> take(std::size_t channel);
  /// Context::notify is called for `term` when something changes for the channel; nullptr: not any
  /// more.
  void watch(std::size_t channel, const Component* term);

  // RestWatch
  [[nodiscard]] bool is_end(EntityId entity) const noexcept override {
    return ends_.contains(entity);
  }
  [[nodiscard]] std::vector<std::string> other_sources(
      const std::vector<LiveEntity>& own) override {
    return trails_.other_sources(own);
  }
  [[nodiscard]] bool checks_ages() const noexcept override { return trails_.checks_ages(); }
  [[nodiscard]] std::uint64_t events() const noexcept override {
    return events_.load(std::memory_order_acquire);
  }
  bool poll(const std::atomic<bool>& stop, std::int64_t most) override {
    return transport_.poll(stop, most);
  }
  void rest(std::uint64_t events) noexcept override;
  void begin_work() noexcept override;
  void count_finished(std::size_t finished, std::size_t all) noexcept override;
  /// That were counted: entities of this rank that have finished, and all of them.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> finished() const;

  // questions, which have nothing to do with the channels

  /// Asks another rank, and waits for its answer; empty: it has no run. Nothing when it does not
  /// answer within `patience`, or is lost. `changes`: the question may wake a rank that is at rest.
  std::optional<std::string> ask(Rank rank, const std::string& text, bool changes,
                                 std::chrono::milliseconds patience);
  /// How long to wait for the answers of all ranks.
  struct Patience {
    std::chrono::milliseconds usual{0};
    std::vector<Rank> silent;                 ///< did not answer before: the time below is enough
    std::chrono::milliseconds for_silent{0};  ///< at most `usual`
  };
  /// Asks all other ranks at once what changes nothing, and waits likewise. By rank.
  std::map<Rank, std::optional<std::string>> ask_others(const std::string& text,
                                                        const Patience& patience);
  /// `responder` takes questions, each of which respond() must answer; it must return at once.
  /// null: there is nobody any more.
  void set_responder(std::function<void(RankQuestion)> responder);
  void respond(const RankQuestion& question, const std::string& answer);

  // the end

  /// This rank's run has ended by itself: nothing is left that it could do.
  void leave();
  /// All ranks are to end early.
  void end_all(const RankEnd& end);
  /// Waits until all ranks have nothing left to do, or one of them ends all.
  void wait_for_end();
  /// What ended all ranks early; nothing when the run has ended by itself.
  [[nodiscard]] std::optional<RankEnd> early_end() const;

  /// The reports of all ranks that are there, if this is the rank that writes: the lowest that is
  /// there. Else nothing, when the writer is done. Waits for reports for `patience` at most. A
  /// writer that is not done after twice as long counts as lost.
  struct Reports {
    std::map<Rank, std::string> texts;
    std::vector<LostRank> lost;  ///< in the order in which they were lost
    std::vector<Rank> missing;   ///< that are there, and have sent none
  };
  std::optional<Reports> exchange(const std::string& own, std::chrono::milliseconds patience);
  /// The writer has written: all ranks may go, with this exit code.
  void finish(std::int32_t exit_code);
  /// That the writer told.
  [[nodiscard]] std::int32_t exit_code() const;

 private:
  struct Channel {
    RankChannel about;
    std::uint64_t credits = 0;
    std::deque<RankBytes> arrived;
    const Component* term = nullptr;
  };

  // with mutex_ held
  void take_in(Rank from, RankFrame kind, std::uint32_t number, RankBytes body);
  Channel& channel_of(std::uint32_t number, Rank from, bool is_sender);
  void tell(Channel& channel);
  void close_channels();
  void note_event();
  void rest_now();
  void answer(const RankQuestion& question, const std::string& text);
  void note_end(const RankEnd& end);
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] Rank writer() const;

  void hear(Rank from, RankFrame kind, std::uint32_t channel, RankBytes body);
  void lose(Rank rank, const std::string& why);

  RankTransport& transport_;
  RankTrails trails_;
  std::unordered_set<EntityId> ends_;
  std::atomic<std::uint64_t> events_{0};

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::vector<Channel> channels_;
  Termination termination_;
  bool has_left_ = false;
  std::function<void()> interrupt_;
  std::uint64_t finished_ = 0;
  std::uint64_t all_ = 0;
  std::optional<RankEnd> early_end_;
  std::vector<LostRank> lost_;
  std::vector<bool> is_lost_;
  std::map<Rank, std::string> reports_;
  std::optional<std::int32_t> done_;
  std::function<void(RankQuestion)> responder_;
  std::uint32_t questions_ = 0;                                // that were asked
  std::map<std::uint32_t, std::optional<std::string>> asked_;  // those that somebody waits for
};

/// Has `interrupt` end a rank's run as long as this lives; nothing without a session.
class AttachedRun {
 public:
  AttachedRun(RankSession* session, std::function<void()> interrupt) : session_(session) {
    if (session_ != nullptr) {
      session_->attach_run(std::move(interrupt));
    }
  }
  AttachedRun(const AttachedRun&) = delete;
  AttachedRun& operator=(const AttachedRun&) = delete;
  ~AttachedRun() {
    if (session_ != nullptr) {
      session_->detach_run();
    }
  }

 private:
  RankSession* const session_;
};

}  // namespace gxr
