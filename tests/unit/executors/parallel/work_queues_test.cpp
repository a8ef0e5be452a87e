#include "executors/parallel/work_queues.hpp"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace gxr {
namespace {

TEST_CASE("one worker gets its jobs in order, and stop ends it") {
  WorkQueues queues({1, 0, false}, [] {});
  for (std::uint32_t i = 0; i < 200; ++i) {
    queues.push(i);
  }
  for (std::uint32_t i = 0; i < 200; ++i) {
    REQUIRE(queues.take(0) == i);
  }
  queues.stop();
  CHECK(queues.take(0) == WorkQueues::kStop);
}

TEST_CASE("a worker that sleeps takes jobs pushed together before those that they lead to") {
  WorkQueues queues({1, 0, false}, [] {});
  std::vector<std::uint32_t> taken;
  std::thread worker([&] {
    for (std::uint32_t job = queues.take(0); job != WorkQueues::kStop; job = queues.take(0)) {
      taken.push_back(job);
      if (job < 100) {
        queues.push_own(0, job + 100);
      }
    }
  });
  std::vector<std::uint32_t> expected;
  for (int round = 0; round < 200; ++round) {
    while (!queues.is_at_rest()) {
      std::this_thread::yield();
    }
    queues.push_together(std::vector<WorkQueues::Job>{
        {3, WorkQueues::kAnyWorker}, {1, WorkQueues::kAnyWorker}, {2, 0}});
    expected.insert(expected.end(), {3, 1, 2, 103, 101, 102});
  }
  while (!queues.is_at_rest()) {
    std::this_thread::yield();
  }
  queues.stop();
  worker.join();
  CHECK(taken == expected);
}

TEST_CASE("the last worker to fall asleep says so") {
  std::atomic<int> rests{0};
  WorkQueues queues({3, 1, false}, [&] { ++rests; });
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (std::uint32_t worker = 0; worker < queues.workers(); ++worker) {
    threads.emplace_back([&, worker] {
      while (queues.take(worker) != WorkQueues::kStop) {
        ++done;
      }
    });
  }
  while (!queues.is_at_rest()) {
    std::this_thread::yield();
  }
  for (std::uint32_t i = 0; i < 1000; ++i) {
    queues.push(i);
  }
  while (!queues.is_at_rest()) {
    std::this_thread::yield();
  }
  CHECK(done == 1000);
  queues.stop();
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(rests >= 1);
}

TEST_CASE("a job that comes while workers look for one, or fall asleep, is taken") {
  for (const std::uint32_t workers : {1U, 2U, 3U}) {
    WorkQueues queues({workers, 0, false}, [] {});
    std::atomic<std::uint32_t> done{0};
    std::vector<std::thread> threads;
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
      threads.emplace_back([&, worker] {
        while (queues.take(worker) != WorkQueues::kStop) {
          ++done;
        }
      });
    }
    for (std::uint32_t i = 0; i < 5000; ++i) {
      queues.push(i);
      while (done.load() == i) {
        std::this_thread::yield();
      }
    }
    CHECK(done == 5000);
    queues.stop();
    for (std::thread& thread : threads) {
      thread.join();
    }
  }
}

TEST_CASE("jobs that are bound to a worker run there only, and strict workers run nothing else") {
  for (const bool strict : {false, true}) {
    WorkQueues queues({2, 2, strict}, [] {});
    std::vector<std::set<std::uint32_t>> seen(queues.workers());
    std::vector<std::thread> threads;
    for (std::uint32_t worker = 0; worker < queues.workers(); ++worker) {
      threads.emplace_back([&, worker] {
        for (std::uint32_t job = queues.take(worker); job != WorkQueues::kStop;
             job = queues.take(worker)) {
          seen[worker].insert(job);
        }
      });
    }
    for (std::uint32_t i = 0; i < 3000; ++i) {
      queues.push(i, i % 3 == 0 ? WorkQueues::kAnyWorker : 1 + i % 3);
    }
    while (!queues.is_at_rest()) {
      std::this_thread::yield();
    }
    queues.stop();
    for (std::thread& thread : threads) {
      thread.join();
    }
    std::size_t all = 0;
    for (std::uint32_t worker = 0; worker < queues.workers(); ++worker) {
      all += seen[worker].size();
      for (const std::uint32_t job : seen[worker]) {
        REQUIRE((job % 3 == 0 ? !strict || worker < 2 : worker == 1 + job % 3));
      }
    }
    CHECK(all == 3000);
  }
}

}  // namespace
}  // namespace gxr
