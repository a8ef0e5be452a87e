// What `gxr validate` accepts is what the component gets, and what it refuses the component
// refuses.

#include <array>
#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "device/graph_options.hpp"
#include "document/diagnostics.hpp"
#include "graph/application.hpp"
#include "graph/resolve.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"

namespace gxr::test {

enum class Flavor { Sweet, Sour };

/// A type of its own, which is read as a list.
struct Path {
  std::vector<double> points;
};

/// A list and a text with a bound.
struct FewPoints {
  std::vector<double> points;
};
struct ShortText {
  std::string text;
};

}  // namespace gxr::test

template <>
struct gxr::EnumNames<gxr::test::Flavor> {
  static constexpr std::pair<gxr::test::Flavor, const char*> values[] = {
      {gxr::test::Flavor::Sweet, "Sweet"}, {gxr::test::Flavor::Sour, "Sour"}};
};

template <>
struct gxr::ParameterTraits<gxr::test::Path> {
  using List = gxr::ParameterTraits<std::vector<double>>;
  static gxr::ParameterType type() { return List::type(); }
  static gxr::test::Path parse(const gxr::Value& value, gxr::ParameterContext& context) {
    return {List::parse(value, context)};
  }
  static std::string to_yaml(const gxr::test::Path& path) { return List::to_yaml(path.points); }
};

template <>
struct gxr::ParameterTraits<gxr::test::FewPoints> {
  using List = gxr::ParameterTraits<std::vector<double>>;
  static gxr::ParameterType type() {
    gxr::ParameterType type = List::type();
    type.length = 2;
    return type;
  }
  static gxr::test::FewPoints parse(const gxr::Value& value, gxr::ParameterContext& context) {
    gxr::detail::require_list(value, 0, 2);
    return {List::parse(value, context)};
  }
  static std::string to_yaml(const gxr::test::FewPoints& few) { return List::to_yaml(few.points); }
};

template <>
struct gxr::ParameterTraits<gxr::test::ShortText> {
  using Text = gxr::ParameterTraits<std::string>;
  static gxr::ParameterType type() {
    gxr::ParameterType type = Text::type();
    type.length = 3;
    return type;
  }
  static gxr::test::ShortText parse(const gxr::Value& value, gxr::ParameterContext& context) {
    gxr::test::ShortText result{Text::parse(value, context)};
    gxr::detail::require_room(result.text, 3);
    return result;
  }
  static std::string to_yaml(const gxr::test::ShortText& s) { return Text::to_yaml(s.text); }
};

namespace gxr::test {
namespace {

/// Finds the components that the checker has found.
class FoundHandles final : public ParameterContext {
 public:
  explicit FoundHandles(const ParameterAssignment& assignment) : assignment_(assignment) {
    set_declaration(assignment.info);
  }
  Component* resolve(const Value& value) override {
    for (const HandleReference& handle : assignment_.handles) {
      if (handle.value == &value) {
        return nullptr;  // the graph has no live components
      }
    }
    throw Error(ErrorCode::NotFound, "not found");
  }

 private:
  const ParameterAssignment& assignment_;
};

template <class T>
bool converts(const ParameterAssignment& assignment) {
  FoundHandles context(assignment);
  try {
    static_cast<void>(ParameterTraits<T>::parse(*assignment.value, context));
    return true;
  } catch (const Error&) {
    return false;
  }
}

struct Text {
  const char* yaml;
  bool accepted;
};

/// `default_value` is what a duration has to say for 0 to mean something.
template <class T>
void agree(const std::vector<Text>& texts, const char* default_value = nullptr) {
  TypeInfo holder;
  holder.name = "test::Holder";
  holder.base = "gxr::Component";
  holder.parameters.resize(1);
  holder.parameters[0].key = "value";
  holder.parameters[0].type = ParameterTraits<T>::type();
  holder.parameters[0].optional = true;
  if (default_value != nullptr) {
    holder.parameters[0].default_value = default_value;
  }
  for (const Text& text : texts) {
    Application application(false);
    application.catalog.add_types("holder", {holder});
    application.document.add_text(
        {Source::Kind::File, "file.yaml",
         "name: e\ncomponents:\n- name: q\n  type: gxr::DoubleBufferReceiver\n- name: x\n  type: "
         "test::Holder\n  parameters:\n    value: " +
             std::string(text.yaml) + "\n" + kScheduler},
        application.diagnostics);
    application.graph = resolve(application.document, application.catalog, application.diagnostics);
    INFO(to_string(holder.parameters[0].type) << ": " << text.yaml << "\n" << application.text());
    CHECK((application.diagnostics.errors() == 0) == text.accepted);
    CHECK(converts<T>(*application.component("e", "x").find("value")) == text.accepted);
  }
}

}  // namespace

TEST_CASE("Checker and conversion agree on integers") {
  agree<std::int8_t>({{"-128", true}, {"127", true}, {"128", false}, {"-129", false}});
  agree<std::int32_t>({{"0x10", true},
                       {"+7", true},
                       {"007", true},
                       {"010", false},
                       {"08", false},
                       {"1.0", false},
                       {"1e3", false},
                       {"one", false},
                       {"", false},
                       {"~", false},
                       {"[1]", false},
                       {"{a: 1}", false},
                       {"2147483647", true},
                       {"2147483648", false}});
  agree<std::int64_t>({{"-9223372036854775808", true}, {"9223372036854775808", false}});
  agree<std::uint8_t>({{"255", true}, {"256", false}, {"-1", false}, {"-0", true}});
  agree<std::uint64_t>({{"18446744073709551615", true}, {"18446744073709551616", false}});
}

TEST_CASE("Checker and conversion agree on other scalars") {
  agree<bool>({{"yes", true}, {"OFF", true}, {"n", true}, {"1", false}, {"tRUE", false}});
  agree<float>({{"1.5e-3", true},
                {".inf", true},
                {"1e39", false},
                {"1e-46", false},
                {"0x10", false},
                {"", false}});
  agree<double>({{"-.INF", true},
                 {".nan", true},
                 {"1e39", true},
                 {"1e400", false},
                 {"1e-400", false},
                 {"0e-400", true},
                 {"1,5", false}});
  agree<std::complex<float>>({{"1 + 2j", true}, {"1", false}, {"j", false}});
  agree<std::complex<double>>({{"1.5-2i", true}, {"1 + + 2j", false}});
  agree<std::string>({{"text", true}, {"~", true}, {"[a, {b: 1}]", true}, {"\"\\0\"", true}});
  agree<FilePath>({{"a/b.png", true}, {"\"a\\0b\"", false}});
  agree<Duration>({{"50ms", true},
                   {"30Hz", true},
                   {"0", true},
                   {"0Hz", false},
                   {"-1s", false},
                   {"5 parsecs", false},
                   {"300y", false}},
                  "0");
  const std::vector<Text> no_zero = {{"1ns", true}, {"0", false}, {"0ms", false}, {"0.0s", false}};
  agree<Duration>(no_zero);
  agree<Duration>(no_zero, "20ms");
  agree<ShortText>(
      {{"abc", true}, {"abcd", false}, {"\"\"", true}, {"[1]", true}, {"[12]", false}});
  agree<ByteSize>({{"4MB", true}, {"0.5KB", true}, {"-1B", false}, {"0.1B", false}, {"4L", false}});
  agree<Flavor>({{"Sweet", true}, {"sweet", false}, {"0", false}, {"[Sweet]", false}, {"", false}});
}

TEST_CASE("Checker and conversion agree on what has elements") {
  agree<std::vector<std::uint8_t>>({{"[]", true},
                                    {"[1, 255]", true},
                                    {"[1, 256]", false},
                                    {"3", false},
                                    {"{a: 1}", false},
                                    {"", false}});
  agree<std::vector<std::vector<bool>>>({{"[[yes], []]", true}, {"[yes]", false}});
  agree<std::array<double, 2>>({{"[1, 2]", true}, {"[1]", false}, {"[1, 2, 3]", false}});
  agree<std::pair<std::string, int>>(
      {{"[a, 1]", true}, {"[a]", false}, {"[a, b]", false}, {"[a, 1, 2]", false}});
  agree<std::map<std::string, double>>({{"{}", true},
                                        {"{a: 1, 2: 3}", true},
                                        {"{a: x}", false},
                                        {"{[a]: 1}", false},
                                        {"[1]", false}});
  agree<std::unordered_map<std::string, std::map<std::string, int>>>(
      {{"{a: {b: 1}}", true}, {"{a: 1}", false}, {"{<<: {b: 1}}", false}});
  agree<Path>({{"[1, 2.5]", true}, {"[1, x]", false}, {"1", false}});
  agree<FewPoints>({{"[]", true},
                    {"[1, 2]", true},
                    {"[1, 2, 3]", false},
                    {"1", false},
                    {"{a: 1}", false},
                    {"", false}});
  agree<std::array<int, 0>>({{"[]", true}, {"[1]", false}, {"", false}});
  agree<std::pair<int, std::vector<bool>>>(
      {{"[1, [yes]]", true}, {"[1, yes]", false}, {"{1: [yes]}", false}, {"", false}});
  agree<std::map<std::string, std::array<int, 2>>>({{"{a: [1, 2]}", true},
                                                    {"{a: [1]}", false},
                                                    {"{a: 1}", false},
                                                    {"{~: [1, 2]}", true},
                                                    {"{[a]: [1, 2]}", false},
                                                    {"{<<: [1, 2]}", false},
                                                    {"", false}});
}

TEST_CASE("Checker and conversion agree on durations inside of lists and maps") {
  agree<std::vector<Duration>>({{"[1ms, 30Hz]", true}, {"[1ms, 0]", false}});
  agree<std::vector<Duration>>({{"[1ms]", true}, {"[0]", false}}, "[]");
  agree<std::map<std::string, Duration>>({{"{a: 1s}", true}, {"{a: 0s}", false}});
  agree<std::pair<Duration, int>>({{"[1s, 0]", true}, {"[0, 1]", false}});
}

TEST_CASE("Checker and conversion agree on tensors and handles") {
  agree<TensorSpec>({{"{shape: [2, 3], dtype: uint16}", true},
                     {"'uint16 [2, 3]'", true},
                     {"{shape: [2, 3]}", false},
                     {"{shape: [0], dtype: uint16}", false},
                     {"{shape: [2], dtype: short}", false},
                     {"7", false}});
  agree<std::map<std::string, TensorSpec>>(
      {{"{a/in: 'int8 [4]'}", true}, {"{a/in: {shape: [4], dtype: short}}", false}});
  agree<Handle<Receiver>>(
      {{"q", true}, {"e/q", true}, {"nobody", false}, {"[q]", false}, {"<Unspecified>", true}});
  agree<std::vector<Handle<Receiver>>>({{"[q, e/q]", true}, {"q", false}, {"[q, nobody]", false}});
}

}  // namespace gxr::test
