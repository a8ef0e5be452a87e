#include "commands/top_screen.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/terminal.hpp"
#include "commands/top_view.hpp"
#include "control/control_socket.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "observe/status_json.hpp"
#include "system/nanoseconds.hpp"

namespace gxr::commands {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
/// After which the screen says that there is no answer.
constexpr std::int64_t kSilence = 2'000 * kNsPerMs;

/// Asks for the status again and again, without waiting.
class StatusFeed {
 public:
  explicit StatusFeed(const TopQuestions& questions) : questions_(questions) {}

  /// To be polled for reading; below 0: no question is on its way.
  [[nodiscard]] int descriptor() const noexcept { return call_ ? call_->descriptor() : -1; }
  /// Steady ns: when there is something to do, whatever comes until then.
  [[nodiscard]] std::int64_t next() const noexcept { return call_ ? asked_ + patience() : next_; }
  [[nodiscard]] bool has_ended() const noexcept { return has_ended_; }
  [[nodiscard]] bool is_silent() const noexcept {
    return call_ && steady_now() - asked_ > kSilence;
  }
  /// Asks if it is time. Throws Error when the application cannot be asked at the beginning.
  void ask() {
    const std::int64_t now = steady_now();
    if (has_ended_ || now < next()) {
      return;
    }
    try {
      call_.emplace(questions_.socket,
                    ControlRequest{{}, {}, true, ControlRequest::Question::Status},
                    ControlDeadline(questions_.patience));
    } catch (const Error& error) {
      call_.reset();
      if (!has_answered_) {
        throw;
      }
      has_ended_ = error.code() == ErrorCode::NotFound;
    }
    asked_ = now;
    next_ = now + questions_.interval.count() * kNsPerMs;
  }
  /// The answer, when descriptor() can be read from. Nothing when the application ends meanwhile.
  std::optional<ApplicationStatus> take() {
    const std::optional<ControlCall> call = std::move(call_);
    call_.reset();
    try {
      ApplicationStatus status = read_status(call->answer(ControlDeadline(questions_.patience)));
      has_answered_ = true;
      return status;
    } catch (const Error&) {
      if (!has_answered_) {
        throw;
      }
      next_ = steady_now() + 100 * kNsPerMs;  // to see whether it is still there
      return std::nullopt;
    }
  }

 private:
  [[nodiscard]] std::int64_t patience() const noexcept {
    return questions_.patience.count() == 0 ? kForever / 2 : questions_.patience.count() * kNsPerMs;
  }

  const TopQuestions questions_;
  std::optional<ControlCall> call_;
  std::int64_t asked_ = 0;
  std::int64_t next_ = 0;
  bool has_answered_ = false;
  bool has_ended_ = false;
};

/// The table on the terminal.
class TopScreen {
 public:
  /// The application has answered once.
  TopScreen(StatusFeed& feed, ApplicationStatus status) : feed_(feed), now_(std::move(status)) {}

  /// Until it ends; the exit code.
  int run() {
    while (!code_ && !feed_.has_ended()) {
      draw();
      wait();
    }
    return code_.value_or(kDone);
  }
  [[nodiscard]] const ApplicationStatus& status() const noexcept { return now_; }

 private:
  void draw() {
    const TerminalSize size = Terminal::size();
    look_.width = size.width - std::min<std::size_t>(size.width, 1);  // the last column wraps
    look_.height = size.height;
    look_.note = feed_.is_silent() ? "the application does not answer" : "";
    const TopPage page = render_top(before_, now_, look_);
    look_.first = page.first;
    rows_ = page.rows;
    Terminal::draw(page.lines, page.title);
  }

  void wait() {
    std::array<pollfd, 3> events{{{STDIN_FILENO, POLLIN, 0},
                                  {signals_.descriptor(), POLLIN, 0},
                                  {feed_.descriptor(), POLLIN, 0}}};
    const std::int64_t left = std::clamp<std::int64_t>((feed_.next() - steady_now()) / kNsPerMs + 1,
                                                       1, feed_.descriptor() >= 0 ? 500 : 60'000);
    static_cast<void>(::poll(events.data(), events.size(), static_cast<int>(left)));
    if (events[0].revents != 0) {
      hear_keys();
    }
    while (const int number = signals_.take()) {
      hear_signal(number);
    }
    if (events[2].revents != 0) {
      take_status();
    }
    feed_.ask();
  }

  void take_status() {
    if (std::optional<ApplicationStatus> status = feed_.take()) {
      const bool is_same = status->application.process == now_.application.process;
      before_ = is_same ? std::move(now_) : ApplicationStatus{};
      now_ = *std::move(status);
    }
  }

  void hear_keys() {
    const std::optional<std::vector<KeyPress>> keys = terminal_.keys();
    if (!keys) {
      code_ = kSignal;  // the terminal has gone
      return;
    }
    for (const KeyPress& key : *keys) {
      if (key.key == Key::Other) {
        hear_letter(key.character);
      } else {
        scroll(key.key);
      }
    }
  }

  void hear_letter(char letter) {
    switch (letter) {
      case 'q':
        code_ = kDone;
        break;
      case 'n':
        look_.order = TopOrder::Name;
        break;
      case 'r':
        look_.order = TopOrder::Rate;
        break;
      case 't':
        look_.order = TopOrder::Time;
        break;
      case 'f':
        look_.order = TopOrder::Fill;
        break;
      case 'd':
        look_.order = TopOrder::Drops;
        break;
      case 'o':
        look_.order = TopOrder::Start;
        break;
      default:
        break;
    }
  }

  void scroll(Key key) {
    const auto up = [this](std::size_t lines) { look_.first -= std::min(look_.first, lines); };
    switch (key) {
      case Key::Up:
        up(1);
        break;
      case Key::Down:
        look_.first += 1;
        break;
      case Key::PageUp:
        up(rows_);
        break;
      case Key::PageDown:
        look_.first += rows_;
        break;
      case Key::Home:
        look_.first = 0;
        break;
      case Key::End:
        look_.first = now_.run.entities.size();
        break;
      case Key::Other:
        break;
    }
  }

  void hear_signal(int number) {
    if (number == SIGINT) {
      code_ = kDone;
    } else if (number == SIGTSTP) {
      terminal_.suspend();
    } else if (number != SIGWINCH) {
      code_ = kSignal;
    }
  }

  StatusFeed& feed_;
  ApplicationStatus before_;
  ApplicationStatus now_;
  TopLook look_;
  std::size_t rows_ = 0;
  std::optional<int> code_;
  SignalInput signals_{{SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH}};
  Terminal terminal_;
};

/// Before the terminal is taken, so that an error stands on the usual screen.
ApplicationStatus first_status(StatusFeed& feed) {
  feed.ask();
  return *feed.take();
}

}  // namespace

std::string ended_text(const std::string& application) {
  return "application " + quote_text(application) + " has ended\n";
}

int show_top_screen(const TopQuestions& questions) {
  StatusFeed feed(questions);
  auto screen = std::make_unique<TopScreen>(feed, first_status(feed));
  const int code = screen->run();
  const std::string name = screen->status().application.name;
  screen.reset();  // the usual screen is there again
  if (feed.has_ended()) {
    print_text(ended_text(name));
  }
  return code;
}

}  // namespace gxr::commands
