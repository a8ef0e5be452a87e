#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "internal_api.hpp"
#include "rank_run/mpi_port.hpp"
#include "rank_run/rank_mesh.hpp"
#include "rank_run/rank_transport.hpp"

namespace gxr {

/// Carries messages and credits by MPI, and all other frames by sockets, which tell at once when a
/// rank is gone: MPI does not.
///
/// MPI is polled, for it has no wait that sleeps: by an executor that has nothing else to do, else
/// by a thread, which sleeps longer and longer between its polls while nothing comes.
class GXR_INTERNAL_API MpiTransport final : public RankTransport {
 public:
  /// `sockets`: by rank; that of this one is not used. Throws Error(NotSupported) when MPI has not
  /// enough tags for so many channels.
  MpiTransport(std::unique_ptr<MpiPort> port, std::vector<FileDescriptor> sockets,
               std::size_t channels);
  ~MpiTransport() override;

  [[nodiscard]] Rank rank() const noexcept override { return mesh_.rank(); }
  [[nodiscard]] Rank ranks() const noexcept override { return mesh_.ranks(); }
  [[nodiscard]] Rank rank_of_host() const noexcept override { return rank_of_host_; }
  void begin(Listener listener) override;
  void send(Rank to, RankFrame kind, std::uint32_t channel, RankBytes body) override;
  bool poll(const std::atomic<bool>& stop, std::int64_t most) override;
  void finish(std::chrono::milliseconds patience) noexcept override;

 private:
  using Clock = std::chrono::steady_clock;

  /// A message that is being sent; its bytes stay until it is.
  struct Sending {
    MpiPort::Request request = 0;
    RankBytes body;
  };
  struct Incoming {
    std::uint32_t tag = 0;
    MpiPort::Request request = 0;
    RankBytes body;
  };
  struct Arrived {
    Rank from = 0;
    std::uint32_t tag = 0;
    RankBytes body;
  };

  void run();
  bool poll_once();
  void take_from_mpi();
  void receive_next();
  void take_complete(Rank from);
  void end_sends();
  void lose(Rank rank, const std::string& why);
  void lose_all(const std::string& why);
  [[nodiscard]] bool has_lost_any() const noexcept { return losses_.load() > 0; }
  bool drain(Clock::time_point deadline);
  void pause() noexcept;

  const std::unique_ptr<MpiPort> port_;
  const Rank rank_of_host_;
  const bool shares_cores_;  // more ranks than cores
  Listener listener_;
  std::vector<std::atomic<bool>> is_lost_;  // by rank
  std::atomic<std::uint32_t> losses_{0};

  std::mutex mpi_;  // held for each use of port_, and for what follows
  std::vector<Sending> sending_;
  bool is_dead_ = false;  // MPI has failed: nothing is sent any more
  std::string failure_;   // of a send, to be told

  // Whoever polls holds this, also while it delivers, so that the order stays; it comes before the
  // session's lock, and that before mpi_.
  std::mutex poll_;
  std::vector<std::deque<Incoming>> incoming_;  // by rank
  std::size_t receiving_ = 0;                   // in them
  std::vector<Arrived> arrived_;                // to be delivered
  std::uint32_t turns_ = 0;

  std::atomic<bool> is_polled_{false};  // by an executor, in the last pause of the thread
  std::atomic<bool> is_sending_{false};
  std::atomic<bool> ending_{false};
  std::counting_semaphore<> handed_over_{0};
  std::thread thread_;

  RankMesh mesh_;  // its thread uses the others: it goes first
};

}  // namespace gxr
