#include "gxr/message.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "gxr/timestamp.hpp"
#include "sdk/message_pool.hpp"

namespace gxr {
namespace {

struct Counted {
  explicit Counted(int& live, int number = 0) : live_(live), value(number) { ++live_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --live_; }
  int& live_;
  int value;
};

struct alignas(64) Aligned {
  char bytes[64];
};

struct Throwing {
  Throwing() { throw std::runtime_error("no"); }
};

/// Can be copied, unless it is told to fail.
struct Copied {
  explicit Copied(int& live, int number = 0) : live_(live), value(number) { ++live_; }
  Copied(const Copied& other) : live_(other.live_), value(other.value) {
    if (value < 0) {
      throw std::runtime_error("no copy");
    }
    ++live_;
  }
  Copied& operator=(const Copied&) = delete;
  ~Copied() { --live_; }
  int& live_;
  int value;
};

TEST_CASE("a message keeps typed, named parts in order") {
  MessagePool pool;
  int live = 0;
  Message message = pool.make();
  message.add<Counted>("a", live, 1);
  message.add<Counted>("b", live, 2);
  message.add<Timestamp>("timestamp", Timestamp{3, 4});

  CHECK(message.size() == 3);
  CHECK(message.get<Counted>().value == 1);
  CHECK(message.get<Counted>("b").value == 2);
  CHECK(message.find<Counted>("timestamp") == nullptr);
  CHECK(message.get<Timestamp>("timestamp").acqtime == 4);
  CHECK(message.find<int>() == nullptr);
  CHECK_THROWS_AS(message.get<int>("x"), Error);
  CHECK(message.begin()[1].name == "b");
}

TEST_CASE("parts are destroyed with the last reference, and the block is used again") {
  MessagePool pool;
  int live = 0;
  Message first = pool.make();
  first.add<Counted>("", live);
  first.set_sequence(7);
  Message second = first;
  const auto* block = first.begin();
  first.reset();
  CHECK(live == 1);
  CHECK(pool.outstanding() == 1);
  second.reset();
  CHECK(live == 0);
  CHECK(pool.outstanding() == 0);

  const Message again = pool.make();
  CHECK(again.size() == 0);
  CHECK(again.sequence() == 0);
  CHECK(again.begin() == block);
}

TEST_CASE("large, strictly aligned and many parts go to the heap") {
  MessagePool pool;
  int live = 0;
  Message message = pool.make();
  message.add<std::vector<int>>("", std::size_t{1000}, 5);
  struct Large {
    char bytes[4096];
  };
  message.add<Large>().bytes[4095] = 1;
  CHECK(reinterpret_cast<std::uintptr_t>(&message.add<Aligned>()) % 64 == 0);
  for (int i = 0; i < 20; ++i) {
    message.add<Counted>("part", live, i);
  }
  CHECK(message.size() == 23);
  CHECK(message.get<std::vector<int>>().size() == 1000);
  message.reset();
  CHECK(live == 0);
}

TEST_CASE("a part whose constructor throws leaves no trace") {
  MessagePool pool;
  Message message = pool.make();
  message.add<int>("i", 1);
  CHECK_THROWS_AS(message.add<Throwing>("t"), std::runtime_error);
  CHECK(message.size() == 1);
  CHECK(message.get<int>() == 1);
}

TEST_CASE("a null message is an error, not a crash") {
  Message message;
  CHECK_FALSE(message);
  CHECK(message.size() == 0);
  CHECK(message.find<int>() == nullptr);
  CHECK_THROWS_AS(message.add<int>(), Error);
  CHECK_THROWS_AS(message.set_sequence(1), Error);
}

TEST_CASE("names are one text for the life of the pool") {
  MessagePool pool;
  const std::string_view first = pool.intern("left");
  const std::string_view second = pool.intern(std::string("le") + "ft");
  CHECK(first.data() == second.data());
}

TEST_CASE("threads that make messages use their blocks again, whoever frees them") {
  MessagePool pool;
  const auto exchange = [&] {
    std::vector<Message> made;
    std::thread([&] {
      for (int i = 0; i < 1000; ++i) {
        made.push_back(pool.make());
        made.back().add<Timestamp>("timestamp");
      }
    }).join();
    made.clear();
  };
  // More threads than shelves: later ones share.
  for (int i = 0; i < 200; ++i) {
    exchange();
  }
  CHECK(pool.outstanding() == 0);
  const std::size_t blocks = pool.blocks();
  for (int i = 0; i < 200; ++i) {
    exchange();
  }
  CHECK(pool.blocks() == blocks);
}

TEST_CASE("messages made and freed on other threads come back to the pool") {
  MessagePool pool;
  std::vector<Message> made;
  for (int i = 0; i < 100; ++i) {
    made.push_back(pool.make());
    made.back().add<std::string>("s", "a text that is too long for the small-string buffer");
  }
  std::thread consumer([&] {
    for (Message& message : made) {
      message.reset();
    }
    const Message own = pool.make();
    CHECK(own.size() == 0);
  });
  consumer.join();
  CHECK(pool.outstanding() == 0);
  for (int i = 0; i < 200; ++i) {
    made.push_back(pool.make());
    REQUIRE(made.back().size() == 0);
  }
  made.clear();
}

TEST_CASE("the pool knows who made the messages that are still out") {
  MessagePool pool;
  CHECK(pool.outstanding_by_maker().empty());
  const Message first = pool.make(3);
  { const Message gone = pool.make(4); }
  const Message second = pool.make(3);
  const Message unknown = pool.make();
  const std::map<std::uint32_t, std::size_t> expected = {{3, 2}, {MessagePool::kNobody, 1}};
  CHECK(pool.outstanding_by_maker() == expected);
  CHECK(pool.outstanding() == 3);
}

TEST_CASE("the only holder of a message changes its parts without a copy") {
  MessagePool pool;
  int live = 0;
  Message message = pool.make();
  message.add<Copied>("a", live, 1);
  const Copied* const before = &message.get<Copied>();
  message.make_writable<Copied>().value = 2;
  message.make_writable<Copied>("a").value += 1;
  CHECK(&message.get<Copied>() == before);
  CHECK(before->value == 3);
  CHECK(live == 1);
  CHECK(pool.outstanding() == 1);
  CHECK_THROWS_WITH(message.make_writable<Copied>("b"),
                    Catch::Matchers::ContainsSubstring("named 'b'"));
  CHECK_THROWS_AS(Message().make_writable<Copied>(), Error);
}

TEST_CASE("others do not see what a holder changes, and share the parts that it does not") {
  MessagePool pool;
  int live = 0;
  {
    Message seen = pool.make();
    seen.add<Copied>("a", live, 1);
    seen.add<Copied>("b", live, 2);
    seen.add<Counted>("moved only", live, 3);
    seen.set_sequence(7);
    seen.set_source_time(8);
    Message own = seen;
    own.make_writable<Copied>("b").value = 5;
    CHECK(seen.get<Copied>("b").value == 2);
    CHECK(own.get<Copied>("b").value == 5);
    CHECK(&own.get<Copied>("a") == &seen.get<Copied>("a"));
    CHECK(&own.get<Counted>() == &seen.get<Counted>());
    CHECK(live == 4);
    CHECK(own.sequence() == 7);
    CHECK(own.source_time() == 8);
    CHECK(own.begin()[1].name == "b");
    CHECK_FALSE(own == seen);

    // What is borrowed is copied when it is asked for, also when its lender is held by nobody.
    seen.reset();
    CHECK(live == 3);
    own.make_writable<Copied>("a").value = 9;
    CHECK(own.get<Copied>("a").value == 9);
    CHECK(live == 3);
    CHECK(own.get<Counted>().value == 3);
  }
  CHECK(live == 0);
  CHECK(pool.outstanding() == 0);
}

TEST_CASE("a holder whose parts others borrow changes a copy, too") {
  MessagePool pool;
  int live = 0;
  Message lender = pool.make();
  lender.add<Copied>("a", live, 1);
  lender.add<Copied>("b", live, 1);
  Message borrower = lender;
  borrower.make_writable<Copied>("b");
  CHECK_FALSE(lender.is_only_reference());
  lender.make_writable<Copied>("a").value = 2;
  CHECK(borrower.get<Copied>("a").value == 1);
  CHECK(lender.get<Copied>("a").value == 2);
}

TEST_CASE("only the holder sees what it adds to a message that others hold") {
  MessagePool pool;
  Message seen = pool.make();
  seen.add<int>("a", 1);
  Message own = seen;
  own.add<int>("b", 2);
  own.set_sequence(4);
  own.set_source_time(5);
  CHECK(seen.size() == 1);
  CHECK(seen.sequence() == 0);
  CHECK(seen.source_time() == 0);
  CHECK(own.size() == 2);
  CHECK(own.get<int>("a") == 1);
  CHECK(own.sequence() == 4);
  for (int i = 0; i < 10; ++i) {
    own.add<int>("more", i);
  }
  CHECK(own.size() == 12);
  CHECK(own.get<int>("a") == 1);
}

TEST_CASE("a part that cannot be copied is named, and the message stays as it was") {
  MessagePool pool;
  int live = 0;
  Message seen = pool.make();
  seen.add<Counted>("moved only", live, 1);
  seen.add<Copied>("fails", live, -1);
  seen.add<Copied>("works", live, 2);
  Message own = seen;
  CHECK_THROWS_WITH(own.make_writable<Counted>(),
                    Catch::Matchers::ContainsSubstring("copy_part()"));
  CHECK_THROWS_WITH(own.make_writable<Copied>("fails"), "no copy");
  CHECK(own.get<Copied>("fails").value == -1);
  CHECK(own.make_writable<Copied>("works").value == 2);
  CHECK(live == 4);
  CHECK(seen.get<Counted>().value == 1);
}

TEST_CASE("a message that goes round does not keep those that it came from") {
  MessagePool pool;
  int live = 0;
  Message round = pool.make();
  round.add<Copied>("a", live, 0);
  round.add<Copied>("b", live, 0);
  std::size_t most = 0;
  for (int i = 0; i < 1000; ++i) {
    const Message elsewhere = round;  // as a Broadcast gives it to another entity
    ++round.make_writable<Copied>(i % 2 == 0 ? "a" : "b").value;
    most = std::max(most, pool.outstanding());
  }
  CHECK(round.get<Copied>("a").value == 500);
  CHECK(round.get<Copied>("b").value == 500);
  CHECK(most <= 3);
  CHECK(live <= 4);
}

TEST_CASE("a part is replaced without a copy, and others keep theirs") {
  MessagePool pool;
  Message seen = pool.make();
  seen.add<std::string>("a", "old");
  seen.add<int>("b", 1);
  Message own = seen;
  CHECK(own.replace<std::string>(0, "new") == "new");
  CHECK(seen.get<std::string>() == "old");
  CHECK(own.get<std::string>("a") == "new");
  seen.reset();
  CHECK(own.replace<std::string>(0, "newer") == "newer");
  CHECK_THROWS_AS(own.replace<int>(0, 1), Error);
  CHECK_THROWS_AS(own.replace<int>(2, 1), Error);
}

TEST_CASE("messages share a part until one of them changes it") {
  MessagePool pool;
  int live = 0;
  Message one = pool.make();
  one.add<int>("number", 1);
  one.add<Copied>("a", live, 1);
  Message other = pool.make();
  other.add<int>("number", 2);
  other.share_part(one, 1);
  CHECK(&other.get<Copied>("a") == &one.get<Copied>("a"));
  other.make_writable<Copied>().value = 2;
  CHECK(one.get<Copied>().value == 1);
  one.make_writable<Copied>().value = 3;
  CHECK(other.get<Copied>().value == 2);
  CHECK(live == 2);
  other.share_part(one, 1);
  one.reset();
  CHECK(live == 2);
  other.reset();
  CHECK(live == 0);
  CHECK(pool.outstanding() == 0);

  Message alone = pool.make();
  CHECK_THROWS_AS(alone.share_part(alone, 0), Error);
  CHECK_THROWS_AS(alone.share_part(Message(), 0), Error);
  CHECK_THROWS_AS(Message().share_part(alone, 0), Error);
}

TEST_CASE("a message that its producer shares is changed for all") {
  MessagePool pool;
  int live = 0;
  Message one = pool.make();
  one.add<Copied>("a", live, 1);
  one.share_writable();
  Message other = one;
  other.make_writable<Copied>().value = 2;
  CHECK(one.get<Copied>().value == 2);
  CHECK(other == one);
  CHECK(live == 1);
  one.reset();
  other.reset();
  Message next = pool.make();  // the same memory
  next.add<Copied>("a", live, 1);
  Message copy = next;
  copy.make_writable<Copied>().value = 2;
  CHECK(next.get<Copied>().value == 1);
}

TEST_CASE("a borrowed part that nobody else has is changed in place") {
  MessagePool pool;
  int live = 0;
  Message own = pool.make();
  {
    Message lender = pool.make();
    lender.add<Counted>("moved only", live, 1);
    lender.add<Copied>("a", live, 1);
    own.share_part(lender, 0);
    own.share_part(lender, 1);
    CHECK_THROWS_AS(own.make_writable<Counted>(), Error);
  }
  const Copied* const before = &own.get<Copied>();
  own.make_writable<Copied>().value = 2;
  own.make_writable<Counted>().value = 3;
  CHECK(&own.get<Copied>() == before);
  CHECK(live == 2);
  const Message other = own;
  own.make_writable<Copied>().value = 4;
  CHECK(other.get<Copied>().value == 2);
  CHECK(other.get<Counted>().value == 3);
}

TEST_CASE("a message that its producer shares lends no parts") {
  MessagePool pool;
  int live = 0;
  Message shared = pool.make();
  shared.add<Copied>("a", live, 1);
  shared.add<Counted>("moved only", live, 1);
  shared.share_writable();
  Message other = pool.make();
  other.share_part(shared, 0);
  CHECK_THROWS_AS(other.share_part(shared, 1), Error);
  CHECK(other.size() == 1);
  shared.make_writable<Copied>().value = 2;
  CHECK(other.get<Copied>().value == 1);
  for (int i = 0; i < 10; ++i) {
    shared.add<int>("more", i);
  }
  other.reset();
  shared.reset();
  CHECK(live == 0);
  CHECK(pool.outstanding() == 0);
}

TEST_CASE("containers whose elements can only be moved are parts, too") {
  MessagePool pool;
  Message message = pool.make();
  message.add<std::vector<std::unique_ptr<int>>>("v").push_back(std::make_unique<int>(1));
  Message other = message;
  CHECK_THROWS_AS(other.make_writable<std::vector<std::unique_ptr<int>>>(), Error);
  message.reset();
  CHECK(*other.make_writable<std::vector<std::unique_ptr<int>>>().front() == 1);
}

TEST_CASE("threads that hold one message each change a copy of their own") {
  MessagePool pool;
  constexpr int kThreads = 4;
  for (int round = 0; round < 200; ++round) {
    Message message = pool.make();
    message.add<int>("shared", 1);
    message.add<int>("own", round);
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([own = message, i, round, &right]() mutable {
        own.make_writable<int>("own") += i;
        const Message passed_on = own;
        own.make_writable<int>("own") += 1;
        right += own.get<int>("own") == round + i + 1 && passed_on.get<int>("own") == round + i &&
                         own.get<int>("shared") == 1
                     ? 1
                     : 0;
      });
    }
    message.reset();
    for (std::thread& thread : threads) {
      thread.join();
    }
    REQUIRE(right == kThreads);
    threads.clear();  // and what they captured
    REQUIRE(pool.outstanding() == 0);
  }
}

}  // namespace
}  // namespace gxr
