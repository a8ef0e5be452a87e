// CPU -> GPU -> CPU by hand: a WHILE loop on the GPU adds 1 to messages that one thread of the CPU
// feeds through a ring of page-locked slots and takes from another. Both sides spin. What
// bridge/bridge.yaml does as an application.
//
//   bridge_bench [--bytes 4096,4194304] [--slots 4] [--scale 1.0] [--idle-us 0] [--timeout-s 10]
//
// One JSON object per line, for each size and shape of the loop: messages a second with the ring
// kept full (measure "rate"), and latency with one in flight ("latency"). Ends with 1 when a
// message is lost, doubled, wrong or late. Every wait is bounded: on the host, and on the device.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "bridge/cuda_objects.cuh"
#include "bridge/latency.hpp"
#include "bridge/loop.cuh"
#include "bridge/marks.hpp"
#include "bridge/options.hpp"
#include "bridge/ring.cuh"

namespace {

using by_hand::Ring;
using by_hand::Shape;
using by_hand::Word;

/// Up to here kernels reach into the host's memory; larger messages are copied.
constexpr std::int64_t kMappedBytes = 65'536;

struct Options {
  std::vector<std::int64_t> bytes = {4096, 4'194'304};
  Word slots = 4;
  double scale = 1.0;
  std::int64_t idle_us = 0;
  double timeout_s = 10.0;
};

struct Run {
  Word total;
  Word in_flight;
  std::int64_t idle_us;
  std::int64_t end;  ///< host's deadline, ns
};

struct Figures {
  std::vector<std::int64_t> ns;  ///< of each message after the first ones
  double seconds = 0;            ///< that these took together
};

void idle(std::int64_t us) {
  for (const std::int64_t until = bridge::now_ns() + us * 1000; bridge::now_ns() < until;) {
  }
}

[[noreturn]] void fail(Word number, const std::string& what) {
  throw std::runtime_error("message " + std::to_string(number) + " " + what);
}

/// Feeds and takes until all have arrived.
class Ends {
 public:
  Ends(Ring& ring, const Run& run) : ring_(ring), run_(run), sent_at_(ring.slots()) {}

  Figures run() {
    for (unsigned spins = 0; taken_ < run_.total; ++spins) {
      if (sent_ < run_.total && sent_ - taken_ < run_.in_flight) {
        send();
      }
      if (ring_.has_arrived(taken_ + 1)) {
        take();
      } else if (spins % 1024 == 1023 && bridge::now_ns() > run_.end) {
        fail(taken_ + 1, "did not come back in time");
      }
    }
    return std::move(figures_);
  }

 private:
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(ring_.count()); }

  void send() {
    const Word number = sent_ + 1;
    bridge::write_marks(ring_.message(number), count(), static_cast<std::int32_t>(number));
    idle(run_.idle_us);
    sent_at_[number % ring_.slots()] = bridge::now_ns();
    ring_.send(number);
    sent_ = number;
  }

  void take() {
    const std::int64_t now = bridge::now_ns();
    const Word number = ++taken_;
    if (!bridge::has_marks(ring_.result(number), count(), static_cast<std::int32_t>(number) + 1)) {
      fail(number, "came back wrong");
    }
    if (number == bridge::kWarmUp) {
      warm_ = now;
    } else if (number > bridge::kWarmUp) {
      figures_.ns.push_back(now - sent_at_[number % ring_.slots()]);
      figures_.seconds = static_cast<double>(now - warm_) * 1e-9;
    }
  }

  Ring& ring_;
  Run run_;
  std::vector<std::int64_t> sent_at_;
  Figures figures_;
  Word sent_ = 0;
  Word taken_ = 0;
  std::int64_t warm_ = 0;
};

/// The loop has ended when it returns; else the process ends, since nothing of it can be freed.
void wait_for_end(Ring& ring, const by_hand::Stream& stream, std::int64_t end) {
  bool asked = false;
  while (!stream.is_done()) {
    if (bridge::now_ns() > end) {
      if (asked) {
        std::fprintf(stderr, "the loop did not end after it was asked to\n");
        std::fflush(stdout);
        _exit(1);
      }
      ring.stop();
      asked = true;
      end = bridge::now_ns() + 5'000'000'000;
    }
    std::this_thread::yield();
  }
}

Figures measure(Ring& ring, Shape shape, Word in_flight, Word total, const Options& options) {
  const auto budget_ns = static_cast<std::uint64_t>(options.timeout_s * 1e9);
  const by_hand::Stream stream;
  const by_hand::Bridge bridge = ring.begin(total, budget_ns);
  const by_hand::Loop loop(bridge, shape, stream);
  const Run run{total, in_flight, options.idle_us,
                bridge::now_ns() + static_cast<std::int64_t>(budget_ns)};
  loop.launch();
  Figures figures;
  try {
    figures = Ends(ring, run).run();
  } catch (...) {
    wait_for_end(ring, stream, 0);
    throw;
  }
  wait_for_end(ring, stream, run.end);
  const by_hand::LoopState state = ring.state();
  if (state.done != total || state.end != by_hand::LoopEnd::AllDone) {
    fail(state.done + 1, "was never worked on, though all results were there");
  }
  return figures;
}

const char* name_of(Shape shape) {
  return shape == Shape::HeadTail ? "head_tail" : "control_at_end";
}

/// One line; false when something was lost, wrong or late.
bool print(const char* measure_name, Ring& ring, Shape shape, Word in_flight, Word total,
           const Options& options) {
  std::printf(
      "{\"bench\": \"bridge\", \"measure\": \"%s\", \"bytes\": %lld, \"loop\": \"%s\", "
      "\"slots\": %llu, ",
      measure_name, static_cast<long long>(ring.count() * 4), name_of(shape),
      static_cast<unsigned long long>(ring.slots()));
  bool ok = true;
  std::string text;
  try {
    Figures figures = measure(ring, shape, in_flight, total, options);
    text = bridge::figures_json(static_cast<std::int64_t>(figures.ns.size()), figures.seconds,
                                figures.ns);
  } catch (const std::exception& error) {
    ok = false;
    text = std::string("\"error\": \"") + error.what() + "\"";
  }
  std::printf("\"ok\": %s, %s}\n", ok ? "true" : "false", text.c_str());
  std::fflush(stdout);
  return ok;
}

bool measure_size(std::int64_t bytes, const Options& options) {
  const std::int64_t count = bytes / 4;
  std::unique_ptr<Ring> ring;
  if (bytes <= kMappedBytes) {
    ring = std::make_unique<by_hand::MappedRing>(count, options.slots);
  } else {
    ring = std::make_unique<by_hand::CopiedRing>(count, options.slots);
  }
  const double messages = (bytes <= kMappedBytes ? 20'000 : 2'000) * options.scale;
  const Word total = static_cast<Word>(std::max(messages, 64.0)) + bridge::kWarmUp;
  bool ok = true;
  for (const Shape shape : {Shape::HeadTail, Shape::ControlAtEnd}) {
    ok = print("rate", *ring, shape, options.slots, total, options) && ok;
    ok = print("latency", *ring, shape, 1, total, options) && ok;
  }
  return ok;
}

Options parse(int argc, char** argv) {
  Options options;
  by_hand::read_options(argc, argv, [&](const std::string& key, const std::string& value) {
    if (key == "--bytes") {
      options.bytes = by_hand::numbers(value);
    } else if (key == "--slots") {
      options.slots = std::stoull(value);
    } else if (key == "--scale") {
      options.scale = std::stod(value);
    } else if (key == "--idle-us") {
      options.idle_us = std::stoll(value);
    } else if (key == "--timeout-s") {
      options.timeout_s = std::stod(value);
    } else {
      return false;
    }
    return true;
  });
  const bool power_of_two = options.slots != 0 && (options.slots & (options.slots - 1)) == 0;
  const bool sizes = std::ranges::all_of(
      options.bytes, [](std::int64_t bytes) { return bytes >= 8 && bytes % 4 == 0; });
  if (!power_of_two || options.slots > 64 || !sizes || options.timeout_s <= 0) {
    throw std::invalid_argument(
        "slots is a power of two up to 64, bytes a multiple of 4 from 8, timeout-s above 0");
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);  // nothing is loaded while the loop runs
    bool ok = true;
    for (const std::int64_t bytes : options.bytes) {
      ok = measure_size(bytes, options) && ok;
    }
    return ok ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bridge_bench: %s\n", error.what());
    return 1;
  }
}
