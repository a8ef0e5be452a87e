// The two forms of what JobStatistics found.

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "gxr/plain_text.hpp"
#include "job_statistics.hpp"

namespace gxr {
namespace {

using Series = JobStatistics::Series;

constexpr double kNsPerMs = 1e6;
constexpr std::size_t kNameWidth = 50;

double ms(std::int64_t ns) { return static_cast<double>(ns) / kNsPerMs; }

/// Share of the time from the first to the last execution in which the entity was busy.
double load_percentage(const Series& series) {
  if (series.count == 0) {
    return 0;
  }
  const auto busy = static_cast<double>(series.execution.sum());
  const double all = busy + static_cast<double>(series.idle);
  return all > 0 && series.idle > 0 ? 100 * busy / all : 100;
}

double ticks_per_ms(const Series& series) {
  const double all = ms(series.execution.sum() + series.idle);
  return all > 0 ? static_cast<double>(series.count) / all : 0;
}

double mean_ms(const Series& series) {
  return series.count == 0 ? 0 : ms(series.execution.sum()) / static_cast<double>(series.count);
}

/// Replaces control characters and marks that change the direction of writing by '?': a terminal
/// would obey them.
std::string without_controls(std::string name) {
  std::ranges::replace_if(
      name, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  const auto replace_all = [&name](std::string_view lead, unsigned char first, unsigned char last) {
    for (std::size_t at = 0; (at = name.find(lead, at)) != std::string::npos; ++at) {
      const std::size_t end = at + lead.size();
      const auto c = static_cast<unsigned char>(end < name.size() ? name[end] : 0);
      if (c >= first && c <= last) {
        name.replace(at, lead.size() + 1, "?");
      }
    }
  };
  replace_all("\xc2", 0x80, 0x9f);
  replace_all("\xe2\x80", 0xaa, 0xae);
  replace_all("\xe2\x81", 0xa6, 0xa9);
  return name;
}

/// Ends of long names tell more than their beginnings.
std::string right_aligned(const std::string& whole_name) {
  const std::string name = without_controls(whole_name);
  if (name.size() > kNameWidth) {
    return ".." + name.substr(name.size() - kNameWidth + 2);
  }
  return std::string(kNameWidth - name.size(), ' ') + name;
}

/// A column of a table, aligned at its right.
std::string column(const std::string& text, std::size_t width) {
  return std::string(width - std::min(text.size(), width), ' ') + text;
}

std::string column(double value, std::size_t width, int decimals = 3) {
  return column(fixed_text(value, decimals), width);
}

template <class Integer>
std::string whole(Integer value, std::size_t width) {
  return column(std::to_string(value), width);
}

std::string heading(const char* title, const char* name, const char* columns) {
  return std::string(title) + "\n" + right_aligned(name) + " " + columns + "\n";
}

void add_job_table(const JobStatistics::Entities& entities, std::string& text) {
  text += heading("Job statistics", "entity",
                  "|    count | median ms     90 % ms      max ms | load %    total ms | late: "
                  "median ns        90 % ns         max ns");
  for (const auto& [id, entity] : entities) {
    const Series& s = entity->series;
    text += right_aligned(entity->name);
    text += " | " + whole(s.count, 8) + " | " + column(ms(s.execution.quantile(0.5)), 9) + " " +
            column(ms(s.execution.quantile(0.9)), 11) + " " +
            column(ms(s.execution.maximum()), 11) + " | " + column(load_percentage(s), 6, 1) + " " +
            column(ms(s.execution.sum()), 11) + " | " + whole(s.lateness.quantile(0.5), 15) + " " +
            whole(s.lateness.quantile(0.9), 14) + " " + whole(s.lateness.maximum(), 14) + "\n";
  }
}

void add_codelet_table(const JobStatistics::Entities& entities, std::string& text) {
  text += heading("Codelet statistics", "entity/codelet",
                  "|    count |   mean ms     90 % ms      max ms | ticks per ms");
  for (const auto& [id, entity] : entities) {
    for (const JobStatistics::CodeletSeries& codelet : entity->codelets) {
      const Series& s = codelet.series;
      text += right_aligned(entity->name + "/" + codelet.name);
      text += " | " + whole(s.count, 8) + " | " + column(mean_ms(s), 9) + " " +
              column(ms(s.execution.quantile(0.9)), 11) + " " +
              column(ms(s.execution.maximum()), 11) + " | " + column(ticks_per_ms(s), 12) + "\n";
    }
  }
}

void add_state_table(const JobStatistics::Entities& entities, std::string& text) {
  text += heading("Entity states", "entity", "| last tick at ms | failed ticks");
  for (const auto& [id, entity] : entities) {
    text += right_aligned(entity->name);
    text += " | " + column(ms(entity->series.last_timestamp), 15) + " | " +
            whole(entity->series.failures, 12) + "\n";
  }
}

std::string escaped(unsigned char c) {
  constexpr const char* kDigits = "0123456789abcdef";
  return std::string("\\u00") + kDigits[c >> 4U] + kDigits[c & 0xFU];
}

std::string in_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      quoted += escaped(static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

/// At most 5 decimals, without zeros at the end.
std::string number(double value) {
  std::string text = fixed_text(std::trunc(value * 1e5) / 1e5, 5);
  text.erase(text.find_last_not_of('0') + 1);
  return text.back() == '.' ? text + "0" : text;
}

/// Writes objects and lists line by line, 4 blanks a level.
class JsonWriter {
 public:
  void open(char bracket) {
    text_ += bracket;
    first_ = true;
    ++depth_;
  }
  void close(char bracket) {
    --depth_;
    if (!first_) {
      new_line();
    }
    text_ += bracket;
    first_ = false;
  }
  void item() {
    text_ += first_ ? "" : ",";
    new_line();
    first_ = false;
  }
  void key(const char* name) {
    item();
    text_ += in_quotes(name) + ": ";
  }
  void field(const char* name, const std::string& value) {
    key(name);
    text_ += value;
  }
  std::string take() { return std::move(text_) + "\n"; }

 private:
  void new_line() { text_.append("\n").append(4 * depth_, ' '); }

  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

void add_entity(const JobStatistics::EntitySeries& entity, JsonWriter& json) {
  const Series& s = entity.series;
  json.item();
  json.open('{');
  json.field("name", in_quotes(entity.name));
  json.field("count", std::to_string(s.count));
  json.field("execution_time_median_ms", number(ms(s.execution.quantile(0.5))));
  json.field("execution_time_90_ms", number(ms(s.execution.quantile(0.9))));
  json.field("execution_time_max_ms", number(ms(s.execution.maximum())));
  json.field("load_percentage", number(load_percentage(s)));
  json.field("execution_time_ms", number(ms(s.execution.sum())));
  json.field("variation_median_ns", std::to_string(s.lateness.quantile(0.5)));
  json.field("variation_90_ns", std::to_string(s.lateness.quantile(0.9)));
  json.field("variation_max_ns", std::to_string(s.lateness.maximum()));
  json.close('}');
}

void add_codelets(const JobStatistics::EntitySeries& entity, JsonWriter& json) {
  json.item();
  json.open('{');
  json.field("name", in_quotes(entity.name));
  json.key("entity");
  json.open('[');
  for (const JobStatistics::CodeletSeries& codelet : entity.codelets) {
    const Series& s = codelet.series;
    json.item();
    json.open('{');
    json.field("codelet_name", in_quotes(codelet.name));
    json.field("count", std::to_string(s.count));
    json.field("execution_time_mean_ms", number(mean_ms(s)));
    json.field("execution_time_90_ms", number(ms(s.execution.quantile(0.9))));
    json.field("execution_time_max_ms", number(ms(s.execution.maximum())));
    json.field("tick_frequency_per_ms", number(ticks_per_ms(s)));
    json.close('}');
  }
  json.close(']');
  json.close('}');
}

}  // namespace

std::string render_tables(const JobStatistics::Entities& entities, bool codelets) {
  std::string text;
  add_job_table(entities, text);
  if (codelets) {
    add_codelet_table(entities, text);
  }
  add_state_table(entities, text);
  return text;
}

std::string render_json(const JobStatistics::Entities& entities, bool codelets) {
  JsonWriter json;
  json.open('{');
  json.key("entities");
  json.open('[');
  for (const auto& [id, entity] : entities) {
    add_entity(*entity, json);
  }
  json.close(']');
  if (codelets) {
    json.key("codelets");
    json.open('[');
    for (const auto& [id, entity] : entities) {
      add_codelets(*entity, json);
    }
    json.close(']');
  }
  json.close('}');
  return json.take();
}

}  // namespace gxr
