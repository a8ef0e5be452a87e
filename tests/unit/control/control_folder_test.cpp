// Where the control sockets of applications are, and who may have made that folder.

#include "control/control_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "catch.hpp"
#include "control/control_socket.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;

/// A variable of the environment, which gets its old value back.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name); before != nullptr) {
      before_ = before;
    }
    ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// A folder with the folder "gxr" of control sockets in it, which is not made yet.
class RuntimeFolder {
 public:
  RuntimeFolder() {
    std::string name = (fs::temp_directory_path() / "gxr-folder-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
    variable_.emplace("GXR_RUNTIME_DIR", sockets());
  }
  RuntimeFolder(const RuntimeFolder&) = delete;
  RuntimeFolder& operator=(const RuntimeFolder&) = delete;
  ~RuntimeFolder() { fs::remove_all(path_); }

  [[nodiscard]] std::string path() const { return path_; }
  [[nodiscard]] std::string sockets() const { return path_ + "/gxr"; }

 private:
  std::string path_;
  std::optional<Variable> variable_;
};

std::vector<ListeningSocket> sockets_without_problems() {
  std::vector<std::string> problems;
  std::vector<ListeningSocket> found = listening_sockets(problems);
  CHECK(problems.empty());
  return found;
}

mode_t mode_of(const std::string& path) {
  struct stat file {};
  REQUIRE(::stat(path.c_str(), &file) == 0);
  return file.st_mode & 07777U;
}

TEST_CASE("the folder is made for its user alone, and its sockets are found", "[control]") {
  const RuntimeFolder folder;
  CHECK(sockets_without_problems().empty());
  const mode_t before = ::umask(0);
  const std::string path = make_own_control_path();
  ::umask(before);
  CHECK(path == folder.sockets() + "/" + std::to_string(::getpid()) + ".sock");
  CHECK(mode_of(folder.sockets()) == S_IRWXU);
  const ControlSocket socket(path);
  CHECK(mode_of(path) == (S_IRUSR | S_IWUSR));
  const std::vector<ListeningSocket> found = sockets_without_problems();
  REQUIRE(found.size() == 1);
  CHECK(found.front().process == ::getpid());
  CHECK(found.front().path == path);
}

TEST_CASE("what a killed application left is removed, and nothing else", "[control]") {
  const RuntimeFolder folder;
  const ControlSocket alive(make_own_control_path());
  const std::string stale = folder.sockets() + "/1.sock";
  {
    const LocalAddress address(stale, "socket");
    const FileDescriptor socket = address.make_socket(0);
    REQUIRE(address.bind(socket) == 0);
  }
  std::ofstream(folder.sockets() + "/2.sock") << "a file";
  fs::create_symlink(alive.address().path(), folder.sockets() + "/3.sock");
  for (const char* name : {"x.sock", "4.socket", ".sock", "-5.sock", "99999999999999999999.sock"}) {
    std::ofstream(folder.sockets() + "/" + name) << "a file";
  }
  CHECK(sockets_without_problems().size() == 1);
  CHECK_FALSE(fs::exists(stale));
  CHECK(fs::exists(folder.sockets() + "/2.sock"));
  CHECK(fs::is_symlink(folder.sockets() + "/3.sock"));
  CHECK(fs::exists(folder.sockets() + "/x.sock"));
}

TEST_CASE("a folder that others may change is refused", "[control]") {
  const RuntimeFolder folder;
  fs::create_directory(folder.sockets());
  for (const mode_t mode : {0720U, 0702U, 0777U}) {
    REQUIRE(::chmod(folder.sockets().c_str(), mode) == 0);
    CHECK_THROWS_WITH(make_own_control_path(), ContainsSubstring("may be changed by other users"));
    std::vector<std::string> problems;
    CHECK(listening_sockets(problems).empty());
    CHECK(problems.size() == 1);
  }
  REQUIRE(::chmod(folder.sockets().c_str(), 0755U) == 0);
  CHECK_NOTHROW(make_own_control_path());
}

TEST_CASE("a link or a file in the place of the folder is refused", "[control]") {
  const RuntimeFolder folder;
  fs::create_directory(folder.path() + "/elsewhere");
  fs::create_directory_symlink(folder.path() + "/elsewhere", folder.sockets());
  CHECK_THROWS_WITH(make_own_control_path(), ContainsSubstring("is a symbolic link"));
  fs::remove(folder.sockets());
  fs::create_symlink(folder.path() + "/nowhere", folder.sockets());
  CHECK_THROWS_WITH(make_own_control_path(), ContainsSubstring("is a symbolic link"));
  fs::remove(folder.sockets());
  std::ofstream(folder.sockets()) << "a file";
  CHECK_THROWS_WITH(make_own_control_path(), ContainsSubstring("is no folder"));
}

TEST_CASE("a folder of another user is refused", "[control]") {
  const RuntimeFolder folder;
  fs::create_directory(folder.sockets());
  fs::permissions(folder.sockets(), fs::perms::owner_all);
  if (::geteuid() == 0) {
    constexpr uid_t kNobody = 65534;
    REQUIRE(::chown(folder.sockets().c_str(), kNobody, kNobody) == 0);
    CHECK_THROWS_WITH(make_own_control_path(), ContainsSubstring("belongs to another user"));
    std::vector<std::string> problems;
    CHECK(listening_sockets(problems).empty());
    REQUIRE(problems.size() == 1);
    CHECK_THAT(problems.front(), ContainsSubstring("belongs to another user"));
  } else {
    CHECK_THROWS_WITH(require_own_folder("/"), ContainsSubstring("belongs to another user"));
  }
}

TEST_CASE("a runtime folder that is not the user's own is passed over", "[control]") {
  const RuntimeFolder folder;
  const Variable no_own("GXR_RUNTIME_DIR", "");
  const std::string runtime = folder.path() + "/runtime";
  fs::create_directory(runtime);
  const Variable variable("XDG_RUNTIME_DIR", runtime);
  const std::string number = std::to_string(::getpid());
  CHECK(make_own_control_path() == runtime + "/gxr/" + number + ".sock");
  fs::remove_all(runtime);
  CHECK(make_own_control_path() ==
        "/tmp/gxr-" + std::to_string(::geteuid()) + "/" + number + ".sock");
}

}  // namespace
}  // namespace gxr
