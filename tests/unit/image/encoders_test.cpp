#include "image/encoders.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"

using namespace gxr::image;

namespace {

/// Opens once, for all who wait.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

class Step final : public EncoderTask {
 public:
  Step(std::function<void()> encode, std::function<void()> finish)
      : encode_(std::move(encode)), finish_(std::move(finish)) {}
  void encode() override { encode_(); }
  void finish() override { finish_(); }

 private:
  std::function<void()> encode_;
  std::function<void()> finish_;
};

std::unique_ptr<EncoderTask> step(std::function<void()> encode, std::function<void()> finish) {
  return std::make_unique<Step>(std::move(encode), std::move(finish));
}

[[noreturn]] void fail(const std::string& text) { throw std::runtime_error(text); }

}  // namespace

TEST_CASE("tasks finish in their order, whatever the number of threads", "[image]") {
  for (const std::size_t threads : {1U, 2U, 7U}) {
    Encoders encoders(threads);
    std::vector<int> finished;  // only one thread at a time finishes
    std::vector<int> expected;
    for (int i = 0; i < 100; ++i) {
      expected.push_back(i);
      encoders.add(step([] {}, [&finished, i] { finished.push_back(i); }));
    }
    encoders.wait();
    CHECK(finished == expected);
    CHECK(encoders.finished() == 100);
  }
}

TEST_CASE("a task that is encoded early waits for those before it", "[image]") {
  Encoders encoders(2);
  Gate first;
  Gate second;
  std::vector<int> finished;
  encoders.add(step([&] { first.pass(); }, [&] { finished.push_back(1); }));
  encoders.add(step([&] { second.open(); }, [&] { finished.push_back(2); }));
  second.pass();  // the second thread has begun, though the first has not ended
  CHECK(encoders.finished() == 0);
  first.open();
  encoders.wait();
  CHECK(finished == std::vector<int>{1, 2});
}

TEST_CASE("no more tasks are accepted than the capacity", "[image]") {
  Encoders encoders(1);
  Gate gate;
  std::atomic<int> added{0};
  std::thread adder([&] {
    for (std::size_t i = 0; i < encoders.capacity() + 1; ++i) {
      encoders.add(step([&] { gate.pass(); }, [] {}));
      ++added;
    }
  });
  while (added < static_cast<int>(encoders.capacity())) {
    std::this_thread::yield();
  }
  CHECK(encoders.finished() == 0);
  gate.open();
  adder.join();
  encoders.wait();
  CHECK(encoders.finished() == encoders.capacity() + 1);
}

TEST_CASE("the first task in order that fails is told, and the last", "[image]") {
  Encoders encoders(3);
  Gate first;
  Gate second;
  std::vector<int> finished;
  encoders.add(step([&] { first.pass(); }, [&] { finished.push_back(0); }));
  encoders.add(step([&] { first.pass(), fail("earlier"); }, [&] { finished.push_back(1); }));
  encoders.add(step([&] { second.open(), fail("later"); }, [&] { finished.push_back(2); }));
  encoders.add(step([] {}, [&] { finished.push_back(3); }));
  second.pass();
  first.open();
  CHECK_THROWS_WITH(encoders.wait(), "earlier");
  CHECK_NOTHROW(encoders.wait());  // once
  CHECK(finished == std::vector<int>{0});
  CHECK(encoders.finished() == 1);
}

TEST_CASE("a failure while finishing is told by the next add", "[image]") {
  int finished = 0;
  Encoders encoders(1);
  encoders.add(step([] {}, [] { fail("no room"); }));
  const auto add_many = [&] {
    for (int i = 0; i < 100; ++i) {
      encoders.add(step([] {}, [&] { ++finished; }));
    }
  };
  CHECK_THROWS_WITH(add_many(), "no room");
  CHECK_NOTHROW(encoders.wait());
  CHECK(finished == 0);
  CHECK(encoders.finished() == 0);
}

TEST_CASE("encoders that end give up what waits", "[image]") {
  Gate begun;
  Gate gate;
  std::atomic<int> encoded{0};
  std::thread opener;
  {
    Encoders encoders(1);
    const auto encode = [&] {
      begun.open();
      gate.pass();
      ++encoded;
    };
    encoders.add(step(encode, [] {}));
    encoders.add(step(encode, [] {}));
    begun.pass();
    opener = std::thread([&] { gate.open(); });
  }
  opener.join();
  CHECK(encoded >= 1);
}
