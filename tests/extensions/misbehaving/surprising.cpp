#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gxr/gxr.hpp>

namespace test {

// ESC and a byte that is no UTF-8; what a terminal must not get.
constexpr const char* kUnprintable = "red \x1b[31mtext\x9b \xff\nsecond line";

/// Says what a terminal would take for commands, in a line of the log and in an exception.
class Unprintable : public gxr::Codelet {
 public:
  void tick() override {
    log_info(kUnprintable);
    throw std::runtime_error(kUnprintable);
  }
};

/// READY always; throws when told of an execution.
class ThrowingTerm : public gxr::SchedulingTerm {
 public:
  gxr::Condition check(std::int64_t) override { return {}; }
  void on_execute(std::int64_t) override { throw std::runtime_error("no more"); }
  void events(gxr::TermEvents&) override {}
};

/// READY always; throws when asked what it waits for.
class ThrowingQuestion : public gxr::SchedulingTerm {
 public:
  gxr::Condition check(std::int64_t) override { return {}; }
  void events(gxr::TermEvents&) override {}
  gxr::TermQuestion question() override { throw std::runtime_error("no answer"); }
};

/// Keeps every second message that arrives, and says when one is taken.
class Halving : public gxr::StagedQueue<gxr::Receiver> {
 public:
  void push(gxr::Message message) override {
    if (++arrived_ % 2 == 0) {
      StagedQueue::push(std::move(message));
    }
  }
  gxr::Message pop() override {
    gxr::Message message = StagedQueue::pop();
    if (message) {
      log_info("message " + std::to_string(arrived_) + " is taken");
    }
    return message;
  }

 private:
  int arrived_ = 0;
};

/// Publishes in stop().
class LastWord : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override { interface.output(out_, "out", "Last word"); }
  void tick() override {}
  void stop() override { out_.publish(context().new_message()); }

 private:
  gxr::Output<> out_;
};

/// Keeps the messages that it gets until the process ends.
class Keeper : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override { interface.input(in_, "in", "What is kept"); }
  void tick() override {
    static std::vector<gxr::Message> kept;
    kept.push_back(in_.receive());
  }

 private:
  gxr::Input<> in_;
};

/// Keeps a message that a thread of its own made until the process ends.
class ThreadKeeper : public gxr::Codelet {
 public:
  void tick() override {
    static std::vector<gxr::Message> kept;
    std::thread([this] { kept.push_back(context().new_message_for(*this)); }).join();
  }
};

/// Reads a parameter that nobody has set.
class Careless : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(partner_, "partner", "Never looked for").optional();
  }
  void tick() override { log_info(partner_->name()); }

 private:
  gxr::Parameter<gxr::Handle<gxr::Codelet>> partner_;
};

/// Reads a parameter that it has not declared.
class Undeclared : public gxr::Codelet {
 public:
  void tick() override { log_info(std::to_string(*gain_)); }

 private:
  gxr::Parameter<double> gain_;
};

/// Publishes what is no message, in one way or another.
class NullPublisher : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "Gets no message");
    interface.parameter(way_, "way", "null, moved, timed or push").default_value("null");
  }
  void tick() override {
    gxr::Message message = context().new_message();
    message.add<int>("number", 1);
    if (*way_ == "moved") {
      const gxr::Message taken = std::move(message);
      out_.publish(std::move(message));  // NOLINT(bugprone-use-after-move): the mistake
    } else if (*way_ == "timed") {
      out_.publish({}, 5);
    } else if (*way_ == "push") {
      out_->push({});
    } else {
      out_.publish({});
    }
  }

 private:
  gxr::Output<> out_;
  gxr::Parameter<std::string> way_;
};

/// Throws what a function of the standard library throws.
class BadNumber : public gxr::Codelet {
 public:
  void tick() override { log_info(std::to_string(std::stof("none"))); }
};

}  // namespace test

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Unprintable>("Says what a terminal would take for commands");
  extension.add<test::ThrowingTerm, gxr::SchedulingTerm>("Throws when told of an execution");
  extension.add<test::ThrowingQuestion, gxr::SchedulingTerm>("Throws when asked");
  extension.add<test::Halving, gxr::Receiver>("Keeps every second message");
  extension.add<test::LastWord>("Publishes in stop()");
  extension.add<test::Keeper>("Keeps the messages that it gets");
  extension.add<test::ThreadKeeper>("Keeps a message that a thread of its own made");
  extension.add<test::Careless>("Reads a parameter that nobody has set");
  extension.add<test::Undeclared>("Reads a parameter that it has not declared");
  extension.add<test::NullPublisher>("Publishes what is no message");
  extension.add<test::BadNumber>("Throws what the standard library throws");
}
