#include "gxr/open_file.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

constexpr int kAlways = O_CLOEXEC | O_NOCTTY;
constexpr mode_t kMode = 0666;  // less the umask
constexpr int kMostLinks = 40;  // as the system follows
constexpr int kMostNames = 1000;

OpenFile failure(int error) { return {error, system_error_text(error)}; }

/// What the system would take for another path.
bool is_cut(const std::string& path) { return path.find('\0') != std::string::npos; }

OpenFile refuse_cut() { return {EINVAL, "the path has a NUL byte"}; }

const char* kind_of(mode_t mode) {
  return S_ISFIFO(mode)   ? "a pipe"
         : S_ISSOCK(mode) ? "a socket"
         : S_ISDIR(mode)  ? "a folder"
                          : "a device";
}

int open_again(const char* path, int flags) {
  int descriptor = -1;
  do {
    descriptor = ::open(path, flags | kAlways, kMode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// Reads and writes wait, as those who use the file expect.
void let_wait(int descriptor) {
  if (const int flags = ::fcntl(descriptor, F_GETFL); flags >= 0) {
    static_cast<void>(::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK));
  }
}

/// Where a symbolic link leads.
struct SymbolicLink {
  bool is_foreign = false;
  bool is_descriptor = false;  ///< an open file in /proc, which has no other path
  std::string target;
};

/// Empty: the path is no symbolic link, or has gone.
std::optional<SymbolicLink> read_link(const std::string& path) {
  const OpenFile link(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!link || ::fstat(link.descriptor(), &status) != 0 || !S_ISLNK(status.st_mode)) {
    return std::nullopt;
  }
  struct statfs system {};
  if (::fstatfs(link.descriptor(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC) {
    return SymbolicLink{.is_foreign = false, .is_descriptor = true, .target = {}};
  }
  std::array<char, PATH_MAX> target;
  const ssize_t size = ::readlinkat(link.descriptor(), "", target.data(), target.size());
  if (size < 0) {
    return std::nullopt;
  }
  return SymbolicLink{.is_foreign = status.st_uid != ::geteuid() && status.st_uid != 0,
                      .is_descriptor = false,
                      .target = {target.data(), static_cast<std::size_t>(size)}};
}

std::string beside(const std::string& path, const std::string& target) {
  const std::size_t slash = path.rfind('/');
  return target.starts_with('/') || slash == std::string::npos ? target
                                                               : path.substr(0, slash + 1) + target;
}

/// open(2), which follows nobody else's link. Each link is looked at through a descriptor of its
/// own, so that nobody can put another one in its place.
OpenFile open_through_own_links(std::string path, int flags) {
  for (int i = 0; i < kMostLinks; ++i) {
    const int descriptor = open_again(path.c_str(), flags | O_NOFOLLOW);
    if (descriptor >= 0) {
      return OpenFile(descriptor);
    }
    const int error = errno;
    const std::optional<SymbolicLink> link = error == ELOOP ? read_link(path) : std::nullopt;
    if (!link) {
      return failure(error);
    }
    if (link->is_foreign) {
      return {ELOOP, "the symbolic link belongs to another user"};
    }
    if (link->is_descriptor) {
      const int opened = open_again(path.c_str(), flags);
      return opened >= 0 ? OpenFile(opened) : failure(errno);
    }
    path = beside(path, link->target);
  }
  return failure(ELOOP);
}

int flags_of(WriteMode mode) {
  switch (mode) {
    case WriteMode::Anew:
      return O_CREAT | O_TRUNC;
    case WriteMode::Append:
      return O_CREAT | O_APPEND;
    case WriteMode::Keep:
      return O_CREAT;
    case WriteMode::Exist:
      break;
  }
  return 0;
}

/// Beside `path`, under a name that nothing has.
OpenFile create_beside(const std::string& path, std::string& name) {
  for (int i = 0; i < kMostNames; ++i) {
    name = path + ".part" + (i == 0 ? "" : std::to_string(i));
    OpenFile made = create_new(name);
    if (made || made.error() != EEXIST) {
      return made;
    }
  }
  return {EEXIST,
          "files of " + std::to_string(kMostNames) + " names like '" + name + "' stand in the way"};
}

}  // namespace

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

StdioFile OpenFile::stream(const char* mode) {
  if (descriptor_ < 0) {
    return {};
  }
  StdioFile stream(::fdopen(descriptor_, mode));
  if (stream != nullptr) {
    static_cast<void>(release());
  } else {
    error_ = errno;
    reason_ = system_error_text(error_);
  }
  return stream;
}

OpenFile open_regular(const std::string& path) {
  if (is_cut(path)) {
    return refuse_cut();
  }
  OpenFile opened(open_again(path.c_str(), O_RDONLY | O_NONBLOCK));
  if (!opened) {
    return failure(errno);
  }
  struct stat status {};
  if (::fstat(opened.descriptor(), &status) != 0) {
    return failure(errno);
  }
  if (S_ISDIR(status.st_mode)) {
    return failure(EISDIR);
  }
  if (!S_ISREG(status.st_mode)) {
    return {EINVAL, std::string("it is ") + kind_of(status.st_mode) + ", not a regular file"};
  }
  return opened;
}

OpenFile open_named(const std::string& path) {
  if (is_cut(path)) {
    return refuse_cut();
  }
  OpenFile opened(open_again(path.c_str(), O_RDONLY));
  struct stat status {};
  if (!opened || ::fstat(opened.descriptor(), &status) != 0) {
    return failure(errno);
  }
  return S_ISDIR(status.st_mode) ? failure(EISDIR) : std::move(opened);
}

OpenFile open_to_write(const std::string& path, WriteMode mode, bool also_read) {
  if (is_cut(path)) {
    return refuse_cut();
  }
  OpenFile opened =
      open_through_own_links(path, (also_read ? O_RDWR : O_WRONLY) | O_NONBLOCK | flags_of(mode));
  if (opened) {
    let_wait(opened.descriptor());
  } else if (opened.error() == ENXIO) {
    return {ENXIO, "it is a pipe that nobody reads, or a socket"};
  }
  return opened;
}

OpenFile create_new(const std::string& path) {
  if (is_cut(path)) {
    return refuse_cut();
  }
  const int descriptor = open_again(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
  return descriptor >= 0 ? OpenFile(descriptor) : failure(errno);
}

FileReplacement::FileReplacement(std::string path)
    : path_(std::move(path)),
      file_(create_beside(path_, partial_)),
      pending_(static_cast<bool>(file_)) {}

FileReplacement::~FileReplacement() {
  if (pending_) {
    static_cast<void>(::unlink(partial_.c_str()));
  }
}

int FileReplacement::commit() noexcept {
  if (::rename(partial_.c_str(), path_.c_str()) != 0) {
    return errno;
  }
  pending_ = false;
  return 0;
}

}  // namespace gxr
