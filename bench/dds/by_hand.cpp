// A message to another process and back by the C API of Cyclone DDS, as one writes it by hand:
// types by idlc, a waitset, dds_take and dds_write. bench/dds/hop.py runs it beside gxr.
//
//   bench_dds_by_hand pong DOMAIN                 sends back what comes, until it is killed
//   bench_dds_by_hand ping DOMAIN BYTES COUNT     prints the median of the time to there and back,
//   us

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dds/dds.h>

#include "blob.h"
#include "dds/cyclone/configuration.hpp"

namespace {

using Clock = std::chrono::steady_clock;

dds_entity_t check(dds_entity_t result, const char* what) {
  if (result < 0) {
    std::fprintf(stderr, "%s: %s\n", what, dds_strretcode(result));
    std::exit(1);
  }
  return result;
}

/// A writer of one topic and a reader of the other, with the qualities that gxr's ends have.
struct Ends {
  Ends(std::uint32_t domain, const char* write, const char* read) {
    gxr::dds::Membership membership;
    membership.interfaces = {"lo"};
    check(dds_create_domain(domain, gxr::dds::configuration(membership, "").c_str()), "domain");
    const dds_entity_t participant =
        check(dds_create_participant(domain, nullptr, nullptr), "participant");
    dds_qos_t* const qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_MSECS(100));
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 8);
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, 8, DDS_LENGTH_UNLIMITED,
                                DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    const auto topic = [&](const char* name) {
      return check(dds_create_topic(participant, &bench_Blob_desc, name, nullptr, nullptr), name);
    };
    writer = check(dds_create_writer(participant, topic(write), qos, nullptr), "writer");
    reader = check(dds_create_reader(participant, topic(read), qos, nullptr), "reader");
    dds_delete_qos(qos);
    waitset = check(dds_create_waitset(participant), "waitset");
    check(dds_set_status_mask(reader, DDS_DATA_AVAILABLE_STATUS), "mask");
    check(dds_waitset_attach(waitset, reader, 0), "attach");
  }

  /// Waits for the next sample, which must be given back.
  bench_Blob* take() const {
    for (;;) {
      void* sample = nullptr;
      dds_sample_info_t info;
      if (dds_take(reader, &sample, &info, 1, 1) == 1) {
        if (info.valid_data) {
          return static_cast<bench_Blob*>(sample);
        }
        give_back(sample);
      } else {
        dds_waitset_wait(waitset, nullptr, 0, DDS_INFINITY);
      }
    }
  }
  void give_back(void* sample) const { dds_return_loan(reader, &sample, 1); }

  void wait_for_other() const {
    dds_publication_matched_status_t writes{};
    dds_subscription_matched_status_t reads{};
    do {
      dds_sleepfor(DDS_MSECS(10));
      dds_get_publication_matched_status(writer, &writes);
      dds_get_subscription_matched_status(reader, &reads);
    } while (writes.current_count == 0 || reads.current_count == 0);
    dds_sleepfor(DDS_MSECS(200));  // the other side may hear of it a little later
  }

  dds_entity_t writer;
  dds_entity_t reader;
  dds_entity_t waitset;
};

[[noreturn]] void pong(std::uint32_t domain) {
  const Ends ends(domain, "bench_pong", "bench_ping");
  for (;;) {
    bench_Blob* const sample = ends.take();
    check(dds_write(ends.writer, sample), "write");
    ends.give_back(sample);
  }
}

void ping(std::uint32_t domain, std::uint32_t bytes, std::size_t count) {
  const Ends ends(domain, "bench_ping", "bench_pong");
  ends.wait_for_other();
  std::vector<std::uint8_t> memory(bytes, 7);
  bench_Blob sample{};
  sample.data._buffer = memory.data();
  sample.data._length = sample.data._maximum = bytes;
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) {
    const Clock::time_point begin = Clock::now();
    check(dds_write(ends.writer, &sample), "write");
    ends.give_back(ends.take());
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::ranges::sort(times);
  std::printf("%.2f\n", times[times.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "pong") {
    pong(static_cast<std::uint32_t>(std::atoi(argv[2])));
  }
  if (argc == 5 && std::string_view(argv[1]) == "ping") {
    ping(static_cast<std::uint32_t>(std::atoi(argv[2])),
         static_cast<std::uint32_t>(std::atoi(argv[3])),
         static_cast<std::size_t>(std::atoi(argv[4])));
    return 0;
  }
  std::fprintf(stderr, "usage: ping DOMAIN BYTES COUNT | pong DOMAIN\n");
  return 2;
}
