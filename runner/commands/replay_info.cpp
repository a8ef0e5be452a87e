#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "document/number_text.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "gxr/serialization/recording.hpp"
#include "recording/component_header.hpp"
#include "recording/entity_layout.hpp"
#include "recording/index_rebuild.hpp"

namespace gxr::commands {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeastRate = 1e-6;
constexpr double kGreatestRate = 1e9;
/// A recording may have any number of damaged entities; so many are described.
constexpr std::size_t kMostDamages = 10;

struct ReplayInfoOptions {
  std::string file;
  std::string format = "text";
  bool rebuild_index = false;
  std::optional<double> rate;
  [[nodiscard]] bool json() const { return format == "json"; }
};

/// A part that entities have, and how many have it.
struct PartCount {
  PartLayout part;
  std::uint64_t entities = 0;
};

/// The number of damaged entities, and the errors of the first ones.
struct Damages {
  std::vector<std::string> first;
  std::uint64_t entities = 0;

  void add(const std::string& text) {
    if (entities++ < kMostDamages) {
      first.push_back(text);
    }
  }
};

/// Entities whose time in the index is before that of the entity before.
struct TimeBack {
  std::uint64_t count = 0;
  std::uint64_t greatest = 0;  // ns
  std::uint64_t behind = 0;    // the entity before the greatest
};

struct RecordingInfo {
  std::uint64_t entities = 0;
  std::uint64_t bytes = 0;  // of the data file
  bool is_being_written = false;
  RecordingReader::Unnamed unnamed;
  std::size_t torn_bytes = 0;
  std::uint64_t first_time = 0;
  std::uint64_t last_time = 0;
  std::uint64_t greatest_gap = 0;  // between two entities, ns
  std::uint64_t gap_behind = 0;    // the first of them
  TimeBack time_back;
  std::vector<PartCount> parts;  // in the order of their first appearance
  Damages damages;

  /// From the first entity to the last; below 0 when the time went back by more than it went on.
  [[nodiscard]] double seconds() const {
    return last_time >= first_time ? static_cast<double>(last_time - first_time) * 1e-9
                                   : static_cast<double>(first_time - last_time) * -1e-9;
  }
  /// Entities per second; 0 when it cannot be told.
  [[nodiscard]] double rate() const {
    return seconds() > 0 ? static_cast<double>(entities - 1) / seconds() : 0;
  }
};

constexpr std::array<std::string_view, 2> kRecordingEndings = {".gxf_entities", ".gxf_index"};

RecordingPaths paths_of(const std::string& file) {
  std::string base = file;
  for (const std::string_view ending : kRecordingEndings) {
    if (base.size() > ending.size() && base.ends_with(ending)) {
      base.resize(base.size() - ending.size());
      break;
    }
  }
  return {{}, base};
}

void count(std::vector<PartCount>& counts, PartLayout&& part) {
  const auto found = std::find_if(counts.begin(), counts.end(),
                                  [&](const PartCount& known) { return known.part == part; });
  if (found != counts.end()) {
    ++found->entities;
  } else {
    counts.push_back({std::move(part), 1});
  }
}

/// Takes the next record of the index, that of `entity`.
void take_time(RecordingInfo& info, std::uint64_t entity, std::uint64_t time) {
  if (entity == 0) {
    info.first_time = time;
  } else if (time >= info.last_time) {
    if (time - info.last_time > info.greatest_gap) {
      info.greatest_gap = time - info.last_time;
      info.gap_behind = entity - 1;
    }
  } else {
    ++info.time_back.count;
    if (info.last_time - time > info.time_back.greatest) {
      info.time_back.greatest = info.last_time - time;
      info.time_back.behind = entity - 1;
    }
  }
  info.last_time = time;
}

RecordingInfo look_at(RecordingReader& reader) {
  RecordingInfo info;
  info.entities = reader.size();
  info.bytes = reader.data_bytes();
  info.is_being_written = reader.is_being_written();
  info.torn_bytes = reader.torn_bytes();
  for (std::uint64_t i = 0; i < reader.size(); ++i) {
    take_time(info, i, reader.record(i).log_time);
    try {
      Endpoint& entity = reader.open(i);
      try {
        for (PartLayout& part : read_entity_layout(entity)) {
          count(info.parts, std::move(part));
        }
      } catch (const Error& error) {
        info.damages.add(reader.place(i, error.message()));
      }
    } catch (const Error& error) {
      info.damages.add(error.message());
    }
  }
  info.unnamed = reader.unnamed();
  return info;
}

/// "2022-08-24 04:46:47.333 UTC"
std::string date(std::uint64_t nanoseconds) {
  const auto seconds = static_cast<std::time_t>(nanoseconds / 1'000'000'000);
  std::tm fields{};
  gmtime_r(&seconds, &fields);
  std::array<char, 32> day{};
  std::strftime(day.data(), day.size(), "%Y-%m-%d %H:%M:%S", &fields);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s.%03u UTC", day.data(),
                static_cast<unsigned>(nanoseconds / 1'000'000 % 1000));
  return text.data();
}

std::string describe(const PartCount& count) {
  const PartLayout& part = count.part;
  std::string text = part.type_name;
  text += part.name.empty() ? ", no name" : " " + quote_text(part.name);
  if (!part.shape.empty()) {
    text += ": " + part.shape + " " + part.element_type + ", " + part.storage + " memory";
  }
  return text + ", in " + std::to_string(count.entities) +
         (count.entities == 1 ? " entity" : " entities");
}

std::string seconds_text(std::uint64_t nanoseconds) {
  return fixed_text(static_cast<double>(nanoseconds) * 1e-9, 3) + " s";
}

std::string describe(const TimeBack& back) {
  const std::string often =
      back.count == 1 ? "once, by " : std::to_string(back.count) + " times, at most by ";
  return "time goes back " + often + seconds_text(back.greatest) + ", behind entity " +
         std::to_string(back.behind);
}

std::string render_text(const RecordingInfo& info) {
  std::string text = std::to_string(info.entities) +
                     (info.entities == 1 ? " entity, " : " entities, ") +
                     std::to_string(info.bytes) + " bytes\n";
  for (const PartCount& part : info.parts) {
    text += "  " + describe(part) + "\n";
  }
  if (info.entities > 0) {
    text += "from " + date(info.first_time) + " to " + date(info.last_time) + ": " +
            fixed_text(info.seconds(), 3) + " s";
    text += info.rate() > 0 ? ", " + fixed_text(info.rate(), 2) + " entities/s\n" : "\n";
  }
  if (info.greatest_gap > 0) {
    text += "greatest gap " + seconds_text(info.greatest_gap) + ", behind entity " +
            std::to_string(info.gap_behind) + "\n";
  }
  if (info.time_back.count > 0) {
    text += describe(info.time_back) + "\n";
  }
  if (info.is_being_written) {
    text += "another process is still recording\n";
  }
  return text;
}

Json render_json(const RecordingInfo& info) {
  Json json;
  json["entities"] = info.entities;
  json["bytes"] = info.bytes;
  json["is_being_written"] = info.is_being_written;
  json["bytes_not_in_index"] = info.unnamed.bytes;
  json["entities_not_in_index"] = info.unnamed.entities;
  json["first_time_ns"] = info.first_time;
  json["last_time_ns"] = info.last_time;
  json["seconds"] = info.seconds();
  json["rate"] = info.rate();
  json["greatest_gap_ns"] = info.greatest_gap;
  json["greatest_gap_behind_entity"] = info.gap_behind;
  json["times_back"] = info.time_back.count;
  json["greatest_time_back_ns"] = info.time_back.greatest;
  json["greatest_time_back_behind_entity"] = info.time_back.behind;
  json["components"] = Json::array();
  for (const PartCount& count : info.parts) {
    Json part;
    part["type"] = count.part.type_name;
    part["type_id"] = hexadecimal(count.part.type);
    part["name"] = count.part.name;
    if (!count.part.shape.empty()) {
      part["shape"] = Json::parse(count.part.shape);
      part["element_type"] = count.part.element_type;
      part["storage"] = count.part.storage;
    }
    part["entities"] = count.entities;
    json["components"].push_back(std::move(part));
  }
  json["damaged_entities"] = info.damages.entities;
  json["damages"] = info.damages.first;
  return json;
}

/// Has the data bytes of which not even one entity can be found?
bool is_unusable(const RecordingInfo& info) {
  return info.entities == 0 && info.bytes > 0 && info.unnamed.entities == 0 &&
         !info.is_being_written;
}

/// Precondition: some of the data is not in the index.
void print_unnamed(const RecordingInfo& info) {
  const std::string bytes = std::to_string(info.unnamed.bytes) + " bytes";
  const std::string complete =
      bytes + ", with " + counted(info.unnamed.entities, "complete entity", "complete entities");
  if (is_unusable(info)) {
    print_error("nothing of the data can be used: its " + bytes + " are no complete entity");
  } else if (info.unnamed.entities == 0) {
    print_warning(bytes + " at the end of the data are no complete entity");
  } else if (info.entities == 0) {
    print_error(std::string("the index ") +
                (info.torn_bytes == 0 ? "is empty" : "has no complete record") +
                ", but the data has " + complete +
                ": `gxr replay-info --rebuild-index` writes a new index");
  } else {
    print_error("the last " + complete +
                ", are in no record of the index: move the index away, then `gxr replay-info "
                "--rebuild-index` writes a new one");
  }
}

void print_problems(const RecordingInfo& info) {
  for (const std::string& damage : info.damages.first) {
    print_error(damage);
  }
  if (const std::uint64_t others = info.damages.entities - info.damages.first.size(); others > 0) {
    print_error(counted(others, "more entity is damaged", "more entities are damaged"));
  }
  if (info.torn_bytes > 0) {
    print_warning("the index ends with " + std::to_string(info.torn_bytes) +
                  " bytes of an incomplete record");
  }
  if (info.unnamed.bytes > 0) {
    print_unnamed(info);
  }
}

/// Are entities lost to whoever replays it?
bool is_damaged(const RecordingInfo& info) {
  return info.damages.entities > 0 || info.unnamed.entities > 0 || is_unusable(info);
}

/// Throws when only a folder has this name.
void require_no_folder(const std::string& file, const RecordingPaths& paths) {
  if (std::filesystem::is_directory(file) && !std::filesystem::exists(paths.index)) {
    throw Error(ErrorCode::NotFound,
                quote_text(file) + " is a folder; name a recording in it, as in " +
                    printable((std::filesystem::path(file) / "NAME").string()));
  }
}

/// Says on standard error what was done, so that the information stays alone on standard output.
void rebuild(const RecordingPaths& paths, const ReplayInfoOptions& options) {
  const RebuiltIndex rebuilt = rebuild_index(paths, options.rate);
  std::fprintf(stderr, "wrote %s: %s, %s\n", quote_text(paths.index).c_str(),
               counted(rebuilt.entities, "entity", "entities").c_str(),
               options.rate ? "evenly spaced" : "at the times of their Timestamps");
  if (rebuilt.left_over > 0) {
    print_warning("the last " + std::to_string(rebuilt.left_over) +
                  " bytes of the data are left out: " + rebuilt.problem);
  }
}

DiagnosticCode problem_code(const Error& error) {
  switch (error.code()) {
    case ErrorCode::NotFound:
      return DiagnosticCode::FileNotFound;
    case ErrorCode::OutOfMemory:
      return DiagnosticCode::OutOfMemory;
    default:
      return DiagnosticCode::FileUnreadable;
  }
}

int replay_info(const ReplayInfoOptions& options) {
  try {
    const RecordingPaths paths = paths_of(options.file);
    if (options.rebuild_index) {
      rebuild(paths, options);
    }
    require_no_folder(options.file, paths);
    RecordingReader reader(paths);
    const RecordingInfo info = look_at(reader);
    if (options.json()) {
      print(render_json(info));
    } else {
      print(render_text(info));
    }
    std::fflush(stdout);
    print_problems(info);
    return is_damaged(info) ? kRunFailed : kDone;
  } catch (const Error& error) {
    Diagnostics problems;
    problems.add(problem_code(error), {}, 1, error.what());
    return fail(problems, options.json(), kUsage);
  }
}

}  // namespace

void add_replay_info(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReplayInfoOptions>();
  CLI::App* command = app.add_subcommand("replay-info", "Show what a recording holds");
  command
      ->add_option("FILE", options->file,
                   "The .gxf_entities or .gxf_index file, or their common name without ending")
      ->required();
  command->add_option("--format", options->format, "Form of the output")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  CLI::Option* const rebuild =
      command->add_flag("--rebuild-index", options->rebuild_index,
                        "First write a new index, when the index is empty or missing");
  add_number_option(*command, "--rate", kLeastRate, kGreatestRate,
                    "Entities per second in the new index; left out: the times of their Timestamps",
                    [options](double rate) { options->rate = rate; })
      ->type_name("HZ")
      ->needs(rebuild);
  command->callback([options, &exit_code] {
    if (options->json()) {
      reserve_standard_output();
    }
    exit_code = replay_info(*options);
  });
}

}  // namespace gxr::commands
