// CPU -> GPU 0 -> GPU 1 -> CPU by hand: a WHILE loop on each GPU adds 1 to messages. One thread of
// the CPU feeds the first loop, copies its results to the second GPU, and takes the results of that
// one. It spins. What the application of peers.py does with gxr.
//
//   peer_bench [--bytes 4096,4194304] [--slots 4] [--messages 2000] [--timeout-s 10]
//
// One JSON object per line, for each size and shape of the loops: messages a second with the rings
// kept full (measure "rate"), and latency with one in flight ("latency"). Ends with 1 when a
// message is lost, wrong or late, with 77 on a machine with one GPU.

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "bridge/cuda_objects.cuh"
#include "bridge/latency.hpp"
#include "bridge/loop.cuh"
#include "bridge/marks.hpp"
#include "bridge/options.hpp"

namespace {

using by_hand::check;
using by_hand::DeviceMemory;
using by_hand::PinnedMemory;
using by_hand::Shape;
using by_hand::Stream;
using by_hand::Word;

constexpr int kSkipped = 77;

struct Options {
  std::vector<std::int64_t> bytes = {4096, 4'194'304};
  Word slots = 4;
  Word messages = 2000;
  double timeout_s = 10.0;
};

void use(int device) { check(cudaSetDevice(device), "cudaSetDevice"); }

Word load(const PinnedMemory<Word>& word) {
  return std::atomic_ref<Word>(*word.data()).load(std::memory_order_acquire);
}

/// A loop on one GPU with its rings there.
class Half {
 public:
  Half(int device, std::size_t count, const Options& options, Shape shape, Word total)
      : in(count * options.slots),
        out(count * options.slots),
        device_(device),
        fed_(1),
        published_(1),
        state_(1),
        loop_({fed_.data(), published_.on_device(), state_.data(), in.data(), out.data(),
               static_cast<std::int64_t>(count), options.slots, total,
               static_cast<std::uint64_t>(options.timeout_s * 1e9)},
              shape, stream_) {}

  void launch() const {
    use(device_);
    loop_.launch();
  }
  [[nodiscard]] Word published() const { return load(published_); }
  /// Message `number` is there when the copy before it on the stream is done.
  void ring(const by_hand::StreamWrites& writes, const Stream& stream, Word number) const {
    writes.write(stream, fed_.data(), number);
  }
  [[nodiscard]] bool has_ended() const { return stream_.is_done(); }

  DeviceMemory<std::int32_t> in;
  DeviceMemory<std::int32_t> out;

 private:
  int device_;
  DeviceMemory<Word> fed_;
  PinnedMemory<Word> published_;
  DeviceMemory<by_hand::LoopState> state_;
  Stream stream_;
  by_hand::Loop loop_;
};

/// Something of one GPU.
template <class T>
class On {
 public:
  template <class... Arguments>
  explicit On(int device, Arguments&&... arguments)
      : value_((use(device), T(std::forward<Arguments>(arguments)...))) {}
  T* operator->() { return &value_; }
  T& operator*() { return value_; }

 private:
  T value_;
};

struct Figures {
  std::vector<std::int64_t> ns;
  double seconds = 0;
};

class Pair {
 public:
  Pair(std::size_t count, const Options& options, Shape shape, Word total)
      : count_(count),
        slots_(options.slots),
        total_(total),
        first_(0, 0, count, options, shape, total),
        copy_in_(0),
        second_(1, 1, count, options, shape, total),
        between_(1),
        copy_out_(1),
        messages_(count * options.slots),
        results_(count * options.slots),
        copied_(1),
        sent_at_(options.slots) {}

  Figures run(Word in_flight, std::int64_t end) {
    first_->launch();
    second_->launch();
    for (unsigned spins = 0; taken_ < total_; ++spins) {
      if (sent_ < total_ && sent_ - taken_ < in_flight) {
        send();
      }
      pass_on();
      if (load(copied_) > taken_) {
        take();
      } else if (spins % 1024 == 1023 && bridge::now_ns() > end) {
        std::fprintf(stderr, "message %llu did not come back in time\n",
                     static_cast<unsigned long long>(taken_ + 1));
        std::fflush(stdout);
        _exit(1);  // the loops may still run: nothing of them can be freed
      }
    }
    while (!first_->has_ended() || !second_->has_ended()) {
    }
    return std::move(figures_);
  }

 private:
  [[nodiscard]] std::size_t offset(Word number) const { return (number - 1) % slots_ * count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(std::int32_t); }

  void send() {
    const Word number = ++sent_;
    bridge::write_marks(messages_.data() + offset(number), count_,
                        static_cast<std::int32_t>(number));
    sent_at_[number % slots_] = bridge::now_ns();
    use(0);
    check(cudaMemcpyAsync(first_->in.data() + offset(number), messages_.data() + offset(number),
                          bytes(), cudaMemcpyHostToDevice, copy_in_->get()),
          "cudaMemcpyAsync");
    first_->ring(writes_, *copy_in_, number);
  }

  void pass_on() {
    for (const Word published = first_->published(); passed_ < published;) {
      const Word number = ++passed_;
      use(1);
      check(cudaMemcpyPeerAsync(second_->in.data() + offset(number), 1,
                                first_->out.data() + offset(number), 0, bytes(), between_->get()),
            "cudaMemcpyPeerAsync");
      second_->ring(writes_, *between_, number);
    }
    for (const Word published = second_->published(); fetched_ < published;) {
      const Word number = ++fetched_;
      use(1);
      check(cudaMemcpyAsync(results_.data() + offset(number), second_->out.data() + offset(number),
                            bytes(), cudaMemcpyDeviceToHost, copy_out_->get()),
            "cudaMemcpyAsync");
      writes_.write(*copy_out_, copied_.on_device(), number);
    }
  }

  void take() {
    const std::int64_t now = bridge::now_ns();
    const Word number = ++taken_;
    if (!bridge::has_marks(results_.data() + offset(number), count_,
                           static_cast<std::int32_t>(number) + 2)) {
      std::fprintf(stderr, "message %llu came back wrong\n",
                   static_cast<unsigned long long>(number));
      _exit(1);
    }
    if (number == bridge::kWarmUp) {
      warm_ = now;
    } else if (number > bridge::kWarmUp) {
      figures_.ns.push_back(now - sent_at_[number % slots_]);
      figures_.seconds = static_cast<double>(now - warm_) * 1e-9;
    }
  }

  std::size_t count_;
  Word slots_;
  Word total_;
  On<Half> first_;
  On<Stream> copy_in_;
  On<Half> second_;
  On<Stream> between_;
  On<Stream> copy_out_;
  by_hand::StreamWrites writes_;
  PinnedMemory<std::int32_t> messages_;
  PinnedMemory<std::int32_t> results_;
  PinnedMemory<Word> copied_;
  std::vector<std::int64_t> sent_at_;
  Figures figures_;
  Word sent_ = 0;
  Word passed_ = 0;   // to the second GPU
  Word fetched_ = 0;  // from there
  Word taken_ = 0;
  std::int64_t warm_ = 0;
};

void print(std::int64_t bytes, Shape shape, Word in_flight, const Options& options) {
  const auto count = static_cast<std::size_t>(bytes) / sizeof(std::int32_t);
  const Word total = options.messages + bridge::kWarmUp;
  Pair pair(count, options, shape, total);
  Figures figures =
      pair.run(in_flight, bridge::now_ns() + static_cast<std::int64_t>(options.timeout_s * 1e9));
  std::printf(
      "{\"bench\": \"peers\", \"measure\": \"%s\", \"bytes\": %lld, \"loop\": \"%s\", %s}\n",
      in_flight == 1 ? "latency" : "rate", static_cast<long long>(bytes),
      shape == Shape::HeadTail ? "head_tail" : "control_at_end",
      bridge::figures_json(static_cast<std::int64_t>(figures.ns.size()), figures.seconds,
                           figures.ns)
          .c_str());
  std::fflush(stdout);
}

Options parse(int argc, char** argv) {
  Options options;
  by_hand::read_options(argc, argv, [&](const std::string& key, const std::string& value) {
    if (key == "--bytes") {
      options.bytes = by_hand::numbers(value);
    } else if (key == "--slots") {
      options.slots = std::stoull(value);
    } else if (key == "--messages") {
      options.messages = std::stoull(value);
    } else if (key == "--timeout-s") {
      options.timeout_s = std::stod(value);
    } else {
      return false;
    }
    return true;
  });
  const bool power_of_two = options.slots != 0 && (options.slots & (options.slots - 1)) == 0;
  if (!power_of_two || options.messages == 0) {
    throw std::invalid_argument("slots is a power of two, messages above 0");
  }
  return options;
}

void reach_each_other() {
  for (const int device : {0, 1}) {
    int reaches = 0;
    check(cudaDeviceCanAccessPeer(&reaches, device, 1 - device), "cudaDeviceCanAccessPeer");
    if (reaches != 0) {
      use(device);
      check(cudaDeviceEnablePeerAccess(1 - device, 0), "cudaDeviceEnablePeerAccess");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);  // nothing is loaded while a loop runs
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2) {
      std::fprintf(stderr, "peer_bench: needs two GPUs\n");
      return kSkipped;
    }
    reach_each_other();
    for (const std::int64_t bytes : options.bytes) {
      for (const Shape shape : {Shape::HeadTail, Shape::ControlAtEnd}) {
        print(bytes, shape, options.slots, options);
        print(bytes, shape, 1, options);
      }
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer_bench: %s\n", error.what());
    return 1;
  }
}
