#include "gxr/message.hpp"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "gxr/timestamp.hpp"
#include "runtime/message_pool.hpp"

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

}  // namespace
}  // namespace gxr
