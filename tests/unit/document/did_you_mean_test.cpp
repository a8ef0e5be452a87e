#include "catch.hpp"
#include "document/diagnostics.hpp"

using gxr::did_you_mean;

TEST_CASE("the nearest word is suggested, or none", "[document][suggest]") {
  const std::vector<std::string_view> keys = {"capacity", "policy", "signal", "clock", "in", "out"};
  CHECK(did_you_mean("capcity", keys) == "capacity");
  CHECK(did_you_mean("capactiy", keys) == "capacity");
  CHECK(did_you_mean("Capacity", keys) == "capacity");
  CHECK(did_you_mean("polciy", keys) == "policy");
  CHECK(did_you_mean("singal", keys) == "signal");
  CHECK(did_you_mean("colck", keys) == "clock");
  CHECK(did_you_mean("zebra", keys).empty());
  CHECK(did_you_mean("x", keys).empty());
  CHECK(did_you_mean("", keys).empty());
  CHECK(did_you_mean("capacity", {}).empty());
  CHECK(did_you_mean("clock", {"clock"}).empty());
}

TEST_CASE("types are found by their name in another namespace", "[document][suggest]") {
  const std::vector<std::string_view> types = {
      "gxr::DoubleBufferReceiver", "nvidia::gxf::DoubleBufferReceiver",
      "nvidia::gxf::Forward",      "nvidia::gxf::PingTx",
      "nvidia::gxf::PingRx",       "nvidia::gxf::test::StepCount"};
  CHECK(did_you_mean("DoubleBufferReceiver", types) == "gxr::DoubleBufferReceiver");
  CHECK(did_you_mean("nvidia::gxf::DoubleBufferReciever", types) ==
        "nvidia::gxf::DoubleBufferReceiver");
  CHECK(did_you_mean("nvidia::gxf::Foward", types) == "nvidia::gxf::Forward");
  CHECK(did_you_mean("nvidia::gfx::Forward", types) == "nvidia::gxf::Forward");
  CHECK(did_you_mean("nvidia::gxf::forward", types) == "nvidia::gxf::Forward");
  CHECK(did_you_mean("nvidia::gxf::StepCount", types) == "nvidia::gxf::test::StepCount");
  CHECK(did_you_mean("PingTx", types) == "nvidia::gxf::PingTx");
  CHECK(did_you_mean("nvidia::gxf::Camera", types).empty());
}

TEST_CASE("letters in another order are one mistake", "[document][suggest]") {
  const std::vector<std::string_view> types = {"gxr::image::Resize", "gxr::image::Histogram",
                                               "gxr::sample::PingTx", "gxr::sample::PingRx"};
  for (const char* word : {"Rezise", "Resise", "Rseize", "Resze", "Reisze"}) {
    CHECK(did_you_mean("gxr::image::" + std::string(word), types) == "gxr::image::Resize");
  }
  CHECK(did_you_mean("gxr::image::Rezist", types).empty());
  CHECK(did_you_mean("other::image::Rezise", types).empty());
}

TEST_CASE("right words of a name excuse no mistakes in the others", "[document][suggest]") {
  CHECK(did_you_mean("worker_thread_name_id", {"worker_thread_number"}).empty());
  CHECK(did_you_mean("min_block_size", {"max_block_size"}).empty());
  CHECK(did_you_mean("receiver_address", {"transmitter_address"}).empty());
  CHECK(did_you_mean("worker_thread_nubmer", {"worker_thread_number"}) == "worker_thread_number");
  CHECK(did_you_mean("stop_on_deadlok_timeout", {"stop_on_deadlock_timeout"}) ==
        "stop_on_deadlock_timeout");
  CHECK(did_you_mean("max_duration", {"max_duration_ms"}) == "max_duration_ms");
  CHECK(did_you_mean("format_converter", {"format_converter_entity"}) == "format_converter_entity");
  CHECK(did_you_mean("recess_periode", {"recess_period"}) == "recess_period");
}

TEST_CASE("suggestions stay in the namespace and near the word", "[document][suggest]") {
  const std::vector<std::string_view> types = {"gxr::Connection", "gxr::Gather", "gxr::EndOfStream",
                                               "nvidia::gxf::Gather", "gxr::sample::PingTx"};
  CHECK(did_you_mean("vendor::video::FooConnection", types).empty());
  CHECK(did_you_mean("vendor::Connection", types).empty());
  CHECK(did_you_mean("nvidia::isaac::Gather", types).empty());
  CHECK(did_you_mean("gxr::TensorStream", types).empty());
  CHECK(did_you_mean("gxf::Gather", types) == "gxr::Gather");
  CHECK(did_you_mean("gxr::PingTx", types) == "gxr::sample::PingTx");
  CHECK(did_you_mean("gxr::PingTy", types).empty());
}

TEST_CASE("the opposite of a word is never suggested", "[document][suggest]") {
  struct Pair {
    const char* word;
    const char* opposite;
  };
  for (const Pair& pair :
       {Pair{"gxr::sample::PingTx", "gxr::sample::PingRx"}, Pair{"encoder", "decoder"},
        Pair{"mosaic", "demosaic"}, Pair{"distort", "undistort"}, Pair{"in_port", "out_port"},
        Pair{"video::NppiAddC", "video::NppiSubC"}, Pair{"MulC", "DivC"}, Pair{"add", "sub"},
        Pair{"max_size", "min_size"}, Pair{"EncodeAll", "DecodeAll"}, Pair{"lower", "upper"}}) {
    CAPTURE(pair.word);
    CHECK(did_you_mean(pair.word, {pair.opposite}).empty());
    CHECK(did_you_mean(pair.opposite, {pair.word}).empty());
  }
  // The next one is offered, and mistyped words still are.
  CHECK(did_you_mean("PingTx", {"gxr::sample::PingRx", "gxr::sample::PingTx1"}) ==
        "gxr::sample::PingTx1");
  CHECK(did_you_mean("encodr", {"encoder", "decoder"}) == "encoder");
  CHECK(did_you_mean("demosiac", {"mosaic", "demosaic"}) == "demosaic");
  CHECK(did_you_mean("ouput", {"input", "output"}) == "output");
}

TEST_CASE("hostile words cost nothing", "[document][suggest]") {
  const std::string a(5'000'000, 'a');
  std::string b = a;
  b.back() = 'b';
  CHECK(did_you_mean(a, {b}).empty());
}

TEST_CASE("a suggestion is a question", "[document][suggest]") {
  CHECK(gxr::suggestion("capcity", {"capacity"}) == "did you mean 'capacity'?");
  CHECK(gxr::suggestion("zzz", {"capacity"}).empty());
}
