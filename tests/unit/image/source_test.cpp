#include "image/source.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.hpp"
#include "image/picture_sequence.hpp"
#include "tests/unit/image/picture_samples.hpp"
#include "tests/unit/image/rig.hpp"
#include "tests/unit/image/scratch_folder.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

namespace {

using Bytes = std::vector<std::uint8_t>;

std::string write_grey(const ScratchFolder& folder, const std::string& name, std::uint8_t value) {
  const Bytes samples{value, value};
  write_picture(folder / name, FileFormat::Png, kernels::packed_view(samples.data(), 2, 1, 1), 6);
  return folder / name;
}

}  // namespace

TEST_CASE("find_pictures: file, folder, pattern", "[image]") {
  const ScratchFolder folder;
  for (const char* name : {"f10.png", "f9.PNG", "f1.ppm", "notes.txt", "g1.png"}) {
    static_cast<void>(folder.file(name, "x"));
  }
  std::filesystem::create_directory(folder / "sub.png");
  using Names = std::vector<std::string>;
  CHECK(find_pictures(folder / "notes.txt") == Names{folder / "notes.txt"});
  CHECK(find_pictures(folder.path()) ==
        Names{folder / "f1.ppm", folder / "f9.PNG", folder / "f10.png", folder / "g1.png"});
  CHECK(find_pictures(folder / "f*") ==
        Names{folder / "f1.ppm", folder / "f9.PNG", folder / "f10.png"});
  CHECK_THROWS_WITH(find_pictures(folder / "h*"),
                    EndsWith("h*: no file matches in " +
                             std::filesystem::path(folder / "h*").parent_path().string()));
  CHECK_THROWS_WITH(find_pictures(folder / "none.png"),
                    EndsWith("none.png: No such file or directory"));
  std::filesystem::create_directory(folder / "empty");
  CHECK_THROWS_WITH(find_pictures(folder / "empty"), ContainsSubstring("no picture (.png"));
}

TEST_CASE("find_pictures: a file whose name looks like a pattern is that file", "[image]") {
  const ScratchFolder folder;
  const std::string path = folder.file("a[1].png", "x");
  CHECK(find_pictures(path) == std::vector<std::string>{path});
}

TEST_CASE("Source publishes patterns with time and sequence, then ends its entity", "[image]") {
  Rig rig;
  auto& term = rig.harness().add<BooleanSchedulingTerm>("op/more");
  auto& source = rig.add<image::Source>({{"out", "out"},
                                         {"pool", "pool"},
                                         {"width", "16"},
                                         {"height", "8"},
                                         {"count", "2"},
                                         {"frame_rate", "50"},
                                         {"boolean_scheduling_term", "more"}});
  CHECK(source.ticks_in_run() == 2);
  const Message first = rig.tick(source, 1000);
  CHECK(first.get<Tensor>("image").shape() == Shape{8, 16, 3});
  CHECK(first.get<Tensor>().element_type() == ElementType::UInt8);
  CHECK(first.sequence() == 0);
  CHECK(first.get<Timestamp>("timestamp").pubtime == 1000);
  CHECK(term.tick_enabled());
  const Message second = rig.tick(source, 2000);
  CHECK(second.sequence() == 1);
  CHECK(second.source_time() == 20'000'000);
  CHECK(second.get<Timestamp>("timestamp").acqtime == 20'000'000);
  CHECK(values<std::uint8_t>(second.get<Tensor>()) != values<std::uint8_t>(first.get<Tensor>()));
  CHECK_FALSE(term.tick_enabled());
  CHECK_FALSE(rig.tick(source));
}

TEST_CASE("Source: pattern, element type, name and clock time can be chosen", "[image]") {
  Rig rig;
  auto& source = rig.add<image::Source>({{"out", "out"},
                                         {"pool", "pool"},
                                         {"pattern", "ColorBars"},
                                         {"width", "8"},
                                         {"height", "1"},
                                         {"element_type", "float32"},
                                         {"frame_rate", "0"},
                                         {"out_tensor_name", "bars"}});
  const Message message = rig.tick(source, 123);
  const auto bars = values<float>(message.get<Tensor>("bars"));
  CHECK(bars[0] == 0.75F);
  CHECK(bars[7 * 3] == 0.0F);
  CHECK(message.source_time() == 123);
}

TEST_CASE("Source: noise repeats for its seed", "[image]") {
  const auto noise = [](const char* seed) {
    Rig rig;
    auto& source = rig.add<image::Source>({{"out", "out"},
                                           {"pool", "pool"},
                                           {"pattern", "Noise"},
                                           {"width", "8"},
                                           {"height", "8"},
                                           {"seed", seed}});
    return values<std::uint8_t>(rig.tick(source).get<Tensor>());
  };
  CHECK(noise("1") == noise("1"));
  CHECK(noise("1") != noise("2"));
}

TEST_CASE("Source: a fade goes from bright to dark and back", "[image]") {
  Rig rig;
  auto& source = rig.add<image::Source>({{"out", "out"},
                                         {"pool", "pool"},
                                         {"pattern", "ColorBars"},
                                         {"width", "8"},
                                         {"height", "1"},
                                         {"element_type", "float32"},
                                         {"fade", "4"}});
  const auto white = [&] { return values<float>(rig.tick(source).get<Tensor>()).front(); };
  CHECK(white() == 0.75F);
  CHECK(white() == 0.75F * (0.5F + 1.0F / 64.0F));
  CHECK(white() == 0.75F / 32.0F);
  CHECK(white() == 0.75F * (0.5F + 1.0F / 64.0F));
  CHECK(white() == 0.75F);
}

TEST_CASE("Source: files fade, as RGB", "[image]") {
  const ScratchFolder folder;
  const std::string path = write_grey(folder, "a.png", 200);
  const auto add = [&](Rig& rig, const char* channels) -> image::Source& {
    rig.harness().add<CountSchedulingTerm>("op/count", {{"count", "2"}});
    return rig.add<image::Source>({{"out", "out"},
                                   {"pool", "pool"},
                                   {"path", path},
                                   {"repeat", "true"},
                                   {"fade", "2"},
                                   {"channels", channels}});
  };
  Rig rig;
  auto& source = add(rig, "rgb");
  CHECK(values<std::uint8_t>(rig.tick(source).get<Tensor>()) == Bytes(6, 200));
  CHECK(values<std::uint8_t>(rig.tick(source).get<Tensor>()) == Bytes(6, 6));
  Rig as_is;
  CHECK_THROWS_WITH(add(as_is, "as_is"), ContainsSubstring("'fade' needs 'channels: rgb'"));
}

TEST_CASE("Source: a source with an end needs something that ends its entity", "[image]") {
  Rig rig;
  CHECK_THROWS_WITH(
      rig.add<image::Source>({{"out", "out"}, {"pool", "pool"}, {"count", "3"}}),
      ContainsSubstring("ends after 3 pictures") && ContainsSubstring("'boolean_scheduling_term'"));
  Rig counted;
  counted.harness().add<CountSchedulingTerm>("op/count", {{"count", "5"}});
  auto& source = counted.add<image::Source>({{"out", "out"}, {"pool", "pool"}, {"count", "1"}});
  CHECK(counted.tick(source));
  CHECK_FALSE(counted.tick(source));
}

TEST_CASE("Source: files in natural order, grey made RGB, then the end", "[image]") {
  const ScratchFolder folder;
  write_grey(folder, "f10.png", 10);
  write_grey(folder, "f9.png", 9);
  Rig rig;
  auto& term = rig.harness().add<BooleanSchedulingTerm>("op/more");
  auto& source = rig.add<image::Source>({{"out", "out"},
                                         {"pool", "pool"},
                                         {"path", folder.path()},
                                         {"boolean_scheduling_term", "more"}});
  CHECK(values<std::uint8_t>(rig.tick(source).get<Tensor>()) == Bytes(6, 9));
  CHECK(term.tick_enabled());
  CHECK(values<std::uint8_t>(rig.tick(source).get<Tensor>()) == Bytes(6, 10));
  CHECK_FALSE(term.tick_enabled());
}

TEST_CASE("Source: count limits files, repeat goes round", "[image]") {
  const ScratchFolder folder;
  write_grey(folder, "1.png", 1);
  write_grey(folder, "2.png", 2);
  Rig rig;
  rig.harness().add<CountSchedulingTerm>("op/count", {{"count", "9"}});
  auto& source = rig.add<image::Source>({{"out", "out"},
                                         {"pool", "pool"},
                                         {"path", folder / "*.png"},
                                         {"count", "3"},
                                         {"repeat", "true"},
                                         {"channels", "as_is"}});
  CHECK(values<std::uint8_t>(rig.tick(source).get<Tensor>()) == Bytes(2, 1));
  CHECK(values<std::uint8_t>(rig.tick(source).get<Tensor>()) == Bytes(2, 2));
  CHECK(values<std::uint8_t>(rig.tick(source).get<Tensor>()) == Bytes(2, 1));
  CHECK_FALSE(rig.tick(source));
}

TEST_CASE("Source converts files of any type and channels", "[image]") {
  const ScratchFolder folder;
  const std::vector<std::uint16_t> rgba{65535, 0, 257, 100};
  write_picture(folder / "a.png", FileFormat::Png, kernels::packed_view(rgba.data(), 1, 1, 4), 6);
  const auto read = [&](Rig& rig, const char* type, const char* channels) {
    rig.harness().add<CountSchedulingTerm>("op/count", {{"count", "1"}});
    auto& source = rig.add<image::Source>({{"out", "out"},
                                           {"pool", "pool"},
                                           {"path", folder / "a.png"},
                                           {"element_type", type},
                                           {"channels", channels}});
    return rig.tick(source);
  };
  Rig own;
  CHECK(values<std::uint16_t>(read(own, "auto", "as_is").get<Tensor>()) == rgba);
  Rig bytes;
  CHECK(values<std::uint8_t>(read(bytes, "uint8", "rgb").get<Tensor>()) == Bytes{255, 0, 1});
  Rig words;
  CHECK(values<std::uint16_t>(read(words, "uint16", "rgb").get<Tensor>()) ==
        std::vector<std::uint16_t>{65535, 0, 257});
  Rig floats;
  CHECK(values<float>(read(floats, "float32", "rgb").get<Tensor>())[0] == 1.0F);
}

TEST_CASE("Source names the file that cannot be read", "[image]") {
  const ScratchFolder folder;
  static_cast<void>(folder.file("bad.png", "nothing"));
  Rig rig;
  rig.harness().add<CountSchedulingTerm>("op/count", {{"count", "1"}});
  auto& source =
      rig.add<image::Source>({{"out", "out"}, {"pool", "pool"}, {"path", folder / "bad.png"}});
  CHECK_THROWS_WITH(rig.tick(source),
                    EndsWith("bad.png: not a picture that gxr reads (PNG, JPEG, TIFF, PPM, PGM)"));
  Rig missing;
  CHECK_THROWS_WITH(
      missing.add<image::Source>({{"out", "out"}, {"pool", "pool"}, {"path", folder / "x.png"}}),
      EndsWith("x.png: No such file or directory"));
}
