#include "gxr/open_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "catch.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, which goes with it.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gxr-open-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

void put(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

std::string content(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write(OpenFile& file, const std::string& text) {
  REQUIRE(file);
  REQUIRE(::write(file.descriptor(), text.data(), text.size()) ==
          static_cast<ssize_t>(text.size()));
}

void make_pipe(const std::string& path) { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); }

}  // namespace

TEST_CASE("A regular file is opened to be read, and nothing else") {
  const Folder folder;
  const std::string file = folder.at("file");
  put(file, "text");
  CHECK(open_regular(file));
  fs::create_symlink(file, folder.at("link"));
  CHECK(open_regular(folder.at("link")));

  CHECK(open_regular(folder.at("missing")).error() == ENOENT);
  CHECK(open_regular(folder.at("")).error() == EISDIR);
  CHECK(open_regular("/dev/zero").reason() == "it is a device, not a regular file");
  make_pipe(folder.at("pipe"));
  CHECK(open_regular(folder.at("pipe")).reason() == "it is a pipe, not a regular file");
  fs::create_symlink("pipe", folder.at("pipe_link"));
  CHECK_FALSE(open_regular(folder.at("pipe_link")));
}

TEST_CASE("A path with a NUL byte is refused, whatever is to be done") {
  const Folder folder;
  const std::string file = folder.at("file");
  put(file, "text");
  const std::string cut = file + std::string(1, '\0') + ".png";
  for (const OpenFile& opened :
       {open_regular(cut), open_named(cut), create_new(cut), open_to_write(cut, WriteMode::Anew)}) {
    CHECK_FALSE(opened);
    CHECK(opened.reason() == "the path has a NUL byte");
  }
  CHECK(content(file) == "text");
}

TEST_CASE("A file is written anew, from its end on, as it is, or only when it is there") {
  const Folder folder;
  const std::string file = folder.at("file");
  const auto written = [&](WriteMode mode) {
    OpenFile opened = open_to_write(file, mode);
    write(opened, "new");
    return content(file);
  };
  CHECK(open_to_write(file, WriteMode::Exist).error() == ENOENT);
  CHECK(written(WriteMode::Append) == "new");
  put(file, "older");
  CHECK(written(WriteMode::Append) == "oldernew");
  put(file, "older");
  CHECK(written(WriteMode::Keep) == "newer");
  put(file, "older");
  CHECK(written(WriteMode::Exist) == "newer");
  put(file, "older");
  CHECK(written(WriteMode::Anew) == "new");
}

TEST_CASE("What is written goes through own links, and through no link of another user") {
  const Folder folder;
  const std::string file = folder.at("file");
  put(file, "precious");
  fs::create_symlink("file", folder.at("link"));
  fs::create_symlink(folder.at("link"), folder.at("far"));
  fs::create_symlink("made", folder.at("dangling"));
  fs::create_symlink("round", folder.at("round"));
  {
    OpenFile opened = open_to_write(folder.at("far"), WriteMode::Anew);
    write(opened, "new");
    OpenFile made = open_to_write(folder.at("dangling"), WriteMode::Anew);
    write(made, "made");
  }
  CHECK(content(file) == "new");
  CHECK(content(folder.at("made")) == "made");
  CHECK(open_to_write(folder.at("round"), WriteMode::Anew).error() == ELOOP);
  CHECK(open_to_write(folder.at(""), WriteMode::Anew).error() == EISDIR);

  if (::lchown(folder.at("link").c_str(), 12345, 12345) == 0) {  // as root
    const OpenFile refused = open_to_write(folder.at("far"), WriteMode::Anew);
    CHECK(refused.reason() == "the symbolic link belongs to another user");
    CHECK(content(file) == "new");
  }
}

TEST_CASE("Nobody waits for the reader of a pipe; devices and open descriptors are written") {
  const Folder folder;
  make_pipe(folder.at("pipe"));
  CHECK(open_to_write(folder.at("pipe"), WriteMode::Anew).error() == ENXIO);
  const OpenFile reader(::open(folder.at("pipe").c_str(), O_RDONLY | O_NONBLOCK));
  {
    OpenFile writer = open_to_write(folder.at("pipe"), WriteMode::Anew);
    write(writer, "text");
    CHECK((::fcntl(writer.descriptor(), F_GETFL) & O_NONBLOCK) == 0);
    OpenFile again =
        open_to_write("/dev/fd/" + std::to_string(writer.descriptor()), WriteMode::Anew);
    write(again, "more");
  }
  char text[9] = {};
  CHECK(::read(reader.descriptor(), text, 8) == 8);
  CHECK(std::string(text) == "textmore");
  OpenFile device = open_to_write("/dev/null", WriteMode::Anew);
  write(device, "text");
}

TEST_CASE("A file that is made anew takes the place of nothing") {
  const Folder folder;
  put(folder.at("file"), "precious");
  fs::create_symlink("victim", folder.at("dangling"));
  make_pipe(folder.at("pipe"));
  for (const char* const name : {"file", "dangling", "pipe"}) {
    CHECK(create_new(folder.at(name)).error() == EEXIST);
  }
  CHECK_FALSE(fs::exists(folder.at("victim")));
  OpenFile made = create_new(folder.at("new"));
  write(made, "text");
  CHECK(content(folder.at("new")) == "text");
}

TEST_CASE("A replacement appears when it is complete, and spares what has its first name") {
  const Folder folder;
  const std::string file = folder.at("picture");
  put(folder.at("victim"), "precious");
  put(file, "old");
  fs::create_symlink("victim", file + ".part");
  put(file + ".part1", "mine");
  make_pipe(file + ".part2");
  {
    FileReplacement given_up(file);
    write(given_up.file(), "half");
  }
  CHECK(content(file) == "old");
  {
    FileReplacement replacement(file);
    write(replacement.file(), "new");
    CHECK(content(file) == "old");
    CHECK(replacement.commit() == 0);
  }
  CHECK(content(file) == "new");
  CHECK(content(folder.at("victim")) == "precious");
  CHECK(content(file + ".part1") == "mine");
  CHECK_FALSE(fs::exists(file + ".part3"));

  fs::remove(file);
  fs::create_symlink("victim", file);
  {
    FileReplacement replacement(file);
    write(replacement.file(), "newer");
    CHECK(replacement.commit() == 0);
  }
  CHECK(fs::is_regular_file(fs::symlink_status(file)));
  CHECK(content(folder.at("victim")) == "precious");
  FileReplacement nowhere(folder.at("missing/picture"));
  CHECK(nowhere.file().error() == ENOENT);
}

}  // namespace gxr
