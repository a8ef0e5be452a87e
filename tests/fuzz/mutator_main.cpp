// Drives a fuzzer's LLVMFuzzerTestOneInput where libFuzzer is not to be had: first with every file
// of the corpus, then with seeded mutations of them until the time is over. The same seed and
// corpus give the same inputs. Each input is on disk before it runs, so that whatever ends the
// process leaves it behind.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kMaximumSize = 16384;
constexpr unsigned kSecondsPerInput = 20;

constexpr std::array<std::string_view, 34> kTokens = {"---\n",
                                                      "...\n",
                                                      "%YAML 1.2\n---\n",
                                                      "&a ",
                                                      "*a",
                                                      "<<: *a",
                                                      "!!str ",
                                                      "!x ",
                                                      "? ",
                                                      ": ",
                                                      "- ",
                                                      "|\n ",
                                                      ">-\n ",
                                                      "{",
                                                      "}",
                                                      "[",
                                                      "]",
                                                      ",",
                                                      "'",
                                                      "\"",
                                                      "\\",
                                                      "\t",
                                                      "\r\n",
                                                      "\xef\xbb\xbf",
                                                      "# ",
                                                      "~",
                                                      "null",
                                                      "name",
                                                      "type: ",
                                                      "components:\n",
                                                      "  ",
                                                      std::string_view("\0\0", 2),
                                                      "\xff",
                                                      "a/b"};

struct Options {
  double seconds = 10;
  std::uint64_t seed = 1;
  std::string crash = "crash";
  std::vector<std::string> corpus;
};

/// The file that holds the input being run; removed when the run ends well.
class CrashFile {
 public:
  explicit CrashFile(std::string path)
      : path_(std::move(path)),
        descriptor_(open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), path_);
  }
  CrashFile(const CrashFile&) = delete;
  CrashFile& operator=(const CrashFile&) = delete;
  ~CrashFile() {
    close(descriptor_);
    unlink(path_.c_str());
  }

  void write(const std::string& input) const {
    const bool written =
        pwrite(descriptor_, input.data(), input.size(), 0) == static_cast<ssize_t>(input.size()) &&
        ftruncate(descriptor_, static_cast<off_t>(input.size())) == 0;
    if (!written) throw std::system_error(errno, std::generic_category(), path_);
  }

 private:
  std::string path_;
  int descriptor_;
};

class Mutator {
 public:
  Mutator(std::vector<std::string> corpus, std::uint64_t seed)
      : corpus_(std::move(corpus)), random_(seed) {}

  std::string next() {
    std::string text = any_file();
    for (std::size_t i = 1 + below(6); i > 0; --i) mutate(text);
    if (text.size() > kMaximumSize) text.resize(kMaximumSize);
    return text;
  }

 private:
  /// A number in [0, end), or 0 when that is empty. Not std::uniform_int_distribution, whose values
  /// differ between standard libraries.
  std::size_t below(std::size_t end) {
    return end == 0 ? 0 : static_cast<std::size_t>(random_() % end);
  }

  const std::string& any_file() { return corpus_[below(corpus_.size())]; }

  /// Begin and length of a line, its end included.
  std::pair<std::size_t, std::size_t> any_line(const std::string& text) {
    const std::size_t inside = below(text.size());
    const std::size_t before = inside == 0 ? std::string::npos : text.rfind('\n', inside - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1);
    return {begin, text.empty() ? 0 : end + 1 - begin};
  }

  void mutate(std::string& text) {
    switch (below(9)) {
      case 0:
        return flip_bit(text);
      case 1:
        return set_byte(text);
      case 2:
        return insert_token(text);
      case 3:
        return erase_some(text);
      case 4:
        return duplicate_line(text);
      case 5:
        return delete_line(text);
      case 6:
        return change_indent(text);
      case 7:
        return splice_line(text);
      default:
        return splice_part(text);
    }
  }

  void flip_bit(std::string& text) {
    if (text.empty()) return;
    char& byte = text[below(text.size())];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << below(8)));
  }

  void set_byte(std::string& text) {
    if (!text.empty()) text[below(text.size())] = static_cast<char>(below(256));
  }

  void insert_token(std::string& text) {
    text.insert(below(text.size() + 1), kTokens[below(kTokens.size())]);
  }

  void erase_some(std::string& text) { text.erase(below(text.size()), 1 + below(16)); }

  void duplicate_line(std::string& text) {
    const auto [begin, length] = any_line(text);
    const std::string line = text.substr(begin, length);
    const std::size_t copies = below(20) == 0 ? 200 : 1 + below(3);
    for (std::size_t i = 0; i < copies && text.size() < kMaximumSize; ++i) text.insert(begin, line);
  }

  void delete_line(std::string& text) {
    const auto [begin, length] = any_line(text);
    text.erase(begin, length);
  }

  void change_indent(std::string& text) {
    const std::size_t begin = any_line(text).first;
    if (below(2) == 0) {
      text.insert(begin, 1 + below(4), ' ');
    } else if (begin < text.size() && text[begin] == ' ') {
      text.erase(begin, 1);
    }
  }

  void splice_line(std::string& text) {
    const std::string& other = any_file();
    const auto [begin, length] = any_line(other);
    text.insert(any_line(text).first, other, begin, length);
  }

  void splice_part(std::string& text) {
    const std::string& other = any_file();
    text.insert(below(text.size() + 1), other, below(other.size()), below(64));
  }

  std::vector<std::string> corpus_;
  std::mt19937_64 random_;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The contents of the given files and of all files in the given folders, in a fixed order.
std::vector<std::string> read_corpus(const std::vector<std::string>& places) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& place : places) {
    if (!std::filesystem::is_directory(place)) {
      paths.emplace_back(place);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place)) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  corpus.reserve(paths.size());
  for (const auto& path : paths) corpus.push_back(read(path));
  if (corpus.empty()) corpus.emplace_back();  // mutations of nothing are inputs too
  return corpus;
}

void run(const std::string& input, const CrashFile& crash) {
  crash.write(input);
  alarm(kSecondsPerInput);  // an input that never ends is a failure too
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  alarm(0);
}

Options parse(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name.rfind("--", 0) != 0) {
      options.corpus.push_back(name);
      continue;
    }
    const std::string value = i + 1 < arguments.size() ? arguments[++i] : "";
    if (name == "--seconds") {
      options.seconds = std::stod(value);
    } else if (name == "--seed") {
      options.seed = std::stoull(value);
    } else if (name == "--crash") {
      options.crash = value;
    } else {
      throw std::invalid_argument("usage: [--seconds N] [--seed N] [--crash FILE] FILE|FOLDER...");
    }
  }
  return options;
}

int fuzz(const Options& options) {
  using Clock = std::chrono::steady_clock;
  const std::vector<std::string> corpus = read_corpus(options.corpus);
  std::cout << "seed " << options.seed << ", " << corpus.size()
            << " files; an input that fails stays in " << options.crash << std::endl;
  const CrashFile crash(options.crash);
  for (const std::string& input : corpus) run(input, crash);
  const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
  Mutator mutator(corpus, options.seed);
  std::uint64_t count = 0;
  for (; Clock::now() < end; ++count) run(mutator.next(), crash);
  std::cout << count << " mutated inputs, no failure" << std::endl;
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return fuzz(parse({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
