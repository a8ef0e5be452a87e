#include <gxr/gxr.hpp>
#include <gxr/multimedia/video_format.hpp>

namespace test {

template <class T>
class Template : public gxr::Component {};

class Term : public gxr::SchedulingTerm {
 public:
  gxr::Condition check(std::int64_t) override { return {}; }
  void events(gxr::TermEvents&) override {}
};

class Keys : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(a_, "twice", "The first");
    interface.parameter(b_, "twice", "The second");
    interface.parameter(c_, "with/slash", "A key that no override can name");
  }

 private:
  gxr::Parameter<int> a_, b_, c_;
};

class Defaults : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(a_, "outside", "Its default is too large").range(0, 10).default_value(11);
    interface.parameter(b_, "empty", "No value is possible").range(2, 1).optional();
    interface.parameter(c_, "other", "Its default is no choice")
        .default_value("z")
        .choices({{"x", ""}, {"y", ""}});
    interface.parameter(d_, "element", "One element is too small")
        .range(0, 10)
        .default_value({1, -1});
  }

 private:
  gxr::Parameter<int> a_, b_;
  gxr::Parameter<std::string> c_;
  gxr::Parameter<std::vector<int>> d_;
};

class Ports : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(a_, "rank", "Too many dimensions").rank(9);
    interface.input(b_, "both", "Rank and dimensions").dimensions({-1, 3}).rank(3);
    interface.input(c_, "format", "A tensor is no picture").formats({gxr::VideoFormat::Rgb});
    interface.input(d_, "elements", "A time has no elements")
        .part<gxr::Timestamp>()
        .elements({gxr::ElementType::Int8});
    interface.input(e_, "others", "An input takes any other part").other_parts();
  }
  void tick() override {}

 private:
  gxr::Input<gxr::Tensor> a_, b_, c_;
  gxr::Input<> d_, e_;
};

/// Capabilities that contradict what declares them.
class NoTerm : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(count_, "count", "Ticks");
    interface.limits_ticks("count");
  }
  void tick() override {}

 private:
  gxr::Parameter<int> count_;
};

class NoParameter : public Term {
 public:
  void declare(gxr::Interface& interface) override { interface.limits_ticks("cuont"); }
};

class OtherParameter : public Term {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(count_, "count", "Ticks");
    interface.limits_ticks("count");
  }

 private:
  gxr::Parameter<std::string> count_;
};

class Twice : public Term {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(count_, "count", "Ticks");
    interface.limits_ticks("count");
    interface.limits_ticks("count");
  }

 private:
  gxr::Parameter<int> count_;
};

class CountsAndPaces : public Term {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(count_, "count", "Ticks");
    interface.parameter(period_, "period", "Time from one to the next");
    interface.limits_ticks("count");
    interface.paces_ticks("period");
  }

 private:
  gxr::Parameter<int> count_;
  gxr::Parameter<gxr::Duration> period_;
};

class NamedByDefault : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(by_, "by", "What decides");
    interface.parameter(yes_, "yes", "Entities that run when it is not 0");
    interface.parameter(no_, "no", "Entities that run when it is 0").default_value({"other"});
    interface.branch_if("by", "yes", "no");
  }

 private:
  gxr::Parameter<gxr::Handle<gxr::Transmitter>> by_;
  gxr::Parameter<std::vector<std::string>> yes_, no_;
};

class PlainAndRemote : public gxr::StagedQueue<gxr::Receiver> {
 public:
  void declare(gxr::Interface& interface) override {
    StagedQueue::declare(interface);
    interface.plain_queue("capacity", "policy");
    interface.remote_queue();
  }
};

class TwoInputs : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(a_, "a", "Messages");
    interface.input(b_, "b", "Others");
    interface.passes_each_message();
  }
  void tick() override {}

 private:
  gxr::Input<> a_, b_;
};

class Once : public gxr::Component {};
class Again : public gxr::Component {};

}  // namespace test

namespace {

class Hidden : public gxr::Component {};

}  // namespace

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<test::Template<int>>("A template");
  extension.add<Hidden>("In an unnamed namespace");
  extension.add<test::Once>("A name");
  extension.add<test::Again>("The same name as alias").alias("test::Once");
  extension.add<test::Keys>("Bad keys");
  extension.add<test::Defaults>("Bad defaults");
  extension.add<test::Ports>("Bad ports");
  extension.add<test::NoTerm>("Counts, and is no term");
  extension.add<test::NoParameter>("A parameter that is not there");
  extension.add<test::OtherParameter>("A parameter that is no number");
  extension.add<test::Twice>("The same twice");
  extension.add<test::CountsAndPaces>("Two terms in one");
  extension.add<test::NamedByDefault>("A branch of an entity that nobody wrote");
  extension.add<test::PlainAndRemote>("Two that exclude each other");
  extension.add<test::TwoInputs>("Passes on what comes to two inputs");
}
