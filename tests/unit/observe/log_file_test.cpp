#include "observe/log_file.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, which goes in the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gxr-log-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string content(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// As the sink of the log does it.
void write(LogFile& file, const std::string& line) {
  if (file.is_full_for(line.size())) {
    REQUIRE(file.rotate().empty());
  }
  REQUIRE(file.append(line) == 0);
}

TEST_CASE("sizes and counts of a rotation") {
  const auto bytes = [](const char* text) {
    const auto rotation = parse_log_rotation(text);
    return rotation ? std::pair(rotation->bytes, rotation->count) : std::pair(std::uint64_t{0}, 0);
  };
  CHECK(bytes("10MB") == std::pair(std::uint64_t{10} << 20, 5));
  CHECK(bytes("512KiB") == std::pair(std::uint64_t{512} << 10, 5));
  CHECK(bytes("0.5 MB,3") == std::pair(std::uint64_t{512} << 10, 3));
  CHECK(bytes("1024B,999") == std::pair(std::uint64_t{1024}, 999));
  for (const char* wrong : {"", "10", "10XB", "-1MB", "0MB", "1023B", "10MB,", "10MB,0",
                            "10MB,1000", "10MB,-1", "10MB,3x", "10MB,3,4", ",3", "1e30GB"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_log_rotation(wrong));
  }
}

TEST_CASE("a full log file becomes FILE.1, and the oldest one goes") {
  const Folder folder;
  const std::string name = folder.file("log");
  LogFile file(name, {1024, 2});
  const int descriptor = file.descriptor();
  for (char c = 'a'; c <= 'd'; ++c) {
    write(file, std::string(1000, c) + "\n");
  }
  CHECK(content(name).front() == 'd');
  CHECK(content(name + ".1").front() == 'c');
  CHECK(content(name + ".2").front() == 'b');
  CHECK_FALSE(fs::exists(name + ".3"));
  CHECK(file.descriptor() == descriptor);
  write(file, std::string(5000, 'e') + "\n");  // longer than a file may be
  CHECK(content(name).size() == 5001);
}

TEST_CASE("no line is lost or torn by rotations, whoever writes beside") {
  const Folder folder;
  const std::string name = folder.file("log");
  constexpr int kLines = 3000;
  LogFile file(name, {2048, 999});
  std::atomic<bool> done{false};
  // What a crash writes goes to the same descriptor, without a lock.
  int crashes = 0;
  bool all_written = true;
  std::thread other([&] {
    for (; !done; ++crashes) {
      const std::string line = "crash " + std::to_string(crashes) + "\n";
      all_written = all_written && ::write(file.descriptor(), line.data(), line.size()) ==
                                       static_cast<ssize_t>(line.size());
      std::this_thread::yield();
    }
  });
  for (int i = 0; i < kLines; ++i) {
    write(file, "line " + std::to_string(i) + "\n");
  }
  done = true;
  other.join();
  CHECK(all_written);
  std::multiset<std::string> lines;
  for (const auto& entry : fs::directory_iterator(fs::path(name).parent_path())) {
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      lines.insert(line);
    }
  }
  CHECK(lines.size() == static_cast<std::size_t>(kLines + crashes));
  for (int i = 0; i < kLines; ++i) {
    REQUIRE(lines.count("line " + std::to_string(i)) == 1);
  }
  for (int i = 0; i < crashes; ++i) {
    REQUIRE(lines.count("crash " + std::to_string(i)) == 1);
  }
}

TEST_CASE("two processes may rotate one log file") {
  const Folder folder;
  const std::string name = folder.file("log");
  LogFile one(name, {1024, 999});
  LogFile two(name, {1024, 999});
  for (int i = 0; i < 200; ++i) {
    write(i % 2 == 0 ? one : two, std::string(100, 'x') + "\n");
  }
  std::size_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(name).parent_path())) {
    bytes += fs::file_size(entry.path());
  }
  CHECK(bytes == std::size_t{200} * 101);
}

TEST_CASE("a log file that cannot be rotated is written on") {
  const Folder folder;
  const std::string name = folder.file("log");
  fs::create_directories(name + ".1/inside");  // in the way
  LogFile file(name, {1024, 1});
  REQUIRE(file.append(std::string(1000, 'a')) == 0);
  REQUIRE(file.is_full_for(100));
  CHECK(file.rotate() == "cannot rotate the log file '" + name + "': Is a directory");
  CHECK_FALSE(file.is_full_for(100));
  REQUIRE(file.append("b") == 0);
  CHECK(content(name).size() == 1001);
}

TEST_CASE("a symbolic link stays where the log file behind it is rotated") {
  const Folder folder;
  const std::string link = folder.file("link");
  fs::create_symlink("real", link);
  LogFile file(link, {1024, 5});
  write(file, std::string(1000, 'a'));
  write(file, std::string(1000, 'b'));
  CHECK(fs::is_symlink(link));
  CHECK(content(folder.file("real")).front() == 'b');
  CHECK(content(folder.file("real.1")).front() == 'a');
}

TEST_CASE("a log file that was moved away is written on until it is opened again") {
  const Folder folder;
  const std::string name = folder.file("log");
  LogFile file(name, {1024, 5});
  REQUIRE(file.append("a") == 0);
  fs::rename(name, folder.file("moved"));
  REQUIRE(file.append("b") == 0);
  CHECK(file.reopen().empty());
  REQUIRE(file.append("c") == 0);
  CHECK(content(folder.file("moved")) == "ab");
  CHECK(content(name) == "c");
}

TEST_CASE("what is no regular file is not rotated") {
  CHECK_THROWS_AS(LogFile("/dev/null", {1024, 5}), Error);
  CHECK_NOTHROW(LogFile("/dev/null", {}));
}

}  // namespace
}  // namespace gxr
