#pragma once

// The host's side of the loop: two rings of page-locked slots, and how their content gets to the
// GPU and back.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "cuda_objects.cuh"
#include "loop.cuh"

namespace by_hand {

/// What is the same for both rings. A message and its result have the same slot, so whoever sends
/// message n must have taken result n - slots.
class Ring {
 public:
  Ring(std::int64_t count, Word slots)
      : count_(count), slots_(slots), in_(size()), out_(size()), published_(1), state_(1) {}
  virtual ~Ring() = default;

  /// For a run: memory of the loop cleared. Nothing may be running.
  virtual Bridge begin(Word total, std::uint64_t budget_ns) {
    state_.clear();
    store(published_, 0);
    return {nullptr,          published_.on_device(),
            state_.data(),    in_.on_device(),
            out_.on_device(), count_,
            slots_,           total,
            budget_ns};
  }
  /// Message `number`, which its slot holds, is ready.
  virtual void send(Word number) = 0;
  /// Can the result `number` be read?
  virtual bool has_arrived(Word number) = 0;
  /// Asks the loop to end.
  virtual void stop() = 0;

  [[nodiscard]] std::int32_t* message(Word number) const { return in_.data() + offset(number); }
  [[nodiscard]] const std::int32_t* result(Word number) const {
    return out_.data() + offset(number);
  }
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  [[nodiscard]] Word slots() const noexcept { return slots_; }
  /// When the loop has ended.
  [[nodiscard]] LoopState state() const {
    LoopState state{};
    check(cudaMemcpy(&state, state_.data(), sizeof state, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return state;
  }

 protected:
  static void store(const PinnedMemory<Word>& word, Word value) {
    std::atomic_ref<Word>(*word.data()).store(value, std::memory_order_release);
  }
  static Word load(const PinnedMemory<Word>& word) {
    return std::atomic_ref<Word>(*word.data()).load(std::memory_order_acquire);
  }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(count_) * slots_; }
  [[nodiscard]] std::int64_t offset(Word number) const {
    return static_cast<std::int64_t>((number - 1) & (slots_ - 1)) * count_;
  }
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(count_) * sizeof(std::int32_t);
  }

  std::int64_t count_;
  Word slots_;
  PinnedMemory<std::int32_t> in_;
  PinnedMemory<std::int32_t> out_;
  PinnedMemory<Word> published_;
  DeviceMemory<LoopState> state_;
};

/// The kernels read and write the host's memory: for small messages.
class MappedRing final : public Ring {
 public:
  MappedRing(std::int64_t count, Word slots) : Ring(count, slots), fed_(1) {}

  Bridge begin(Word total, std::uint64_t budget_ns) override {
    store(fed_, 0);
    Bridge bridge = Ring::begin(total, budget_ns);
    bridge.fed = fed_.on_device();
    return bridge;
  }
  void send(Word number) override { store(fed_, number); }
  bool has_arrived(Word number) override { return load(published_) >= number; }
  void stop() override { store(fed_, kStop); }

 private:
  PinnedMemory<Word> fed_;
};

/// Copies on streams of their own, beside the work; the doorbell lies in device memory and rings in
/// the order of the copies: for large messages.
class CopiedRing final : public Ring {
 public:
  CopiedRing(std::int64_t count, Word slots)
      : Ring(count, slots), device_in_(size()), device_out_(size()), fed_(1), copied_(1), stop_(1) {
    store(stop_, kStop);
  }

  Bridge begin(Word total, std::uint64_t budget_ns) override {
    fed_.clear();
    store(copied_, 0);
    asked_ = 0;
    Bridge bridge = Ring::begin(total, budget_ns);
    bridge.fed = fed_.data();
    bridge.in = device_in_.data();
    bridge.out = device_out_.data();
    return bridge;
  }
  void send(Word number) override {
    check(cudaMemcpyAsync(device_in_.data() + offset(number), message(number), bytes(),
                          cudaMemcpyHostToDevice, copy_in_.get()),
          "cudaMemcpyAsync");
    writes_.write(copy_in_, fed_.data(), number);
  }
  bool has_arrived(Word number) override {
    for (const Word published = load(published_); asked_ < published;) {
      fetch(++asked_);
    }
    return load(copied_) >= number;
  }
  void stop() override {
    check(cudaMemcpyAsync(fed_.data(), stop_.data(), sizeof(Word), cudaMemcpyHostToDevice,
                          copy_in_.get()),
          "cudaMemcpyAsync");
  }

 private:
  void fetch(Word number) {
    check(cudaMemcpyAsync(out_.data() + offset(number), device_out_.data() + offset(number),
                          bytes(), cudaMemcpyDeviceToHost, copy_out_.get()),
          "cudaMemcpyAsync");
    writes_.write(copy_out_, copied_.on_device(), number);
  }

  StreamWrites writes_;
  Stream copy_in_;
  Stream copy_out_;
  DeviceMemory<std::int32_t> device_in_;
  DeviceMemory<std::int32_t> device_out_;
  DeviceMemory<Word> fed_;
  PinnedMemory<Word> copied_;
  PinnedMemory<Word> stop_;
  Word asked_ = 0;  // newest result whose copy was asked for
};

}  // namespace by_hand
