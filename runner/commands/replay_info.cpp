#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "gxr/error.hpp"
#include "gxr/serialization/recording.hpp"
#include "recording/component_header.hpp"
#include "recording/entity_layout.hpp"

namespace gxr::commands {
namespace {

using Json = nlohmann::ordered_json;

struct ReplayInfoOptions {
  std::string file;
  std::string format = "text";
};

/// A part that entities have, and how many have it.
struct PartCount {
  PartLayout part;
  std::uint64_t entities = 0;
};

struct RecordingInfo {
  std::uint64_t entities = 0;
  std::uint64_t bytes = 0;          // of the data file
  std::uint64_t unnamed_bytes = 0;  // of the data file, behind what the index names
  std::size_t torn_bytes = 0;
  std::uint64_t first_time = 0;
  std::uint64_t last_time = 0;
  std::vector<PartCount> parts;  // in the order of their first appearance
  std::vector<std::string> damages;

  [[nodiscard]] double seconds() const {
    return last_time > first_time ? static_cast<double>(last_time - first_time) * 1e-9 : 0;
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

RecordingInfo look_at(RecordingReader& reader) {
  RecordingInfo info;
  info.entities = reader.size();
  info.bytes = reader.data_bytes();
  info.torn_bytes = reader.torn_bytes();
  std::uint64_t end = 0;
  for (std::uint64_t i = 0; i < reader.size(); ++i) {
    const IndexRecord record = reader.record(i);
    info.first_time = i == 0 ? record.log_time : info.first_time;
    info.last_time = record.log_time;
    end = std::max(end, record.data_offset +
                            std::min(record.data_size, ~std::uint64_t{0} - record.data_offset));
    try {
      Endpoint& entity = reader.open(i);
      try {
        for (PartLayout& part : read_entity_layout(entity)) {
          count(info.parts, std::move(part));
        }
      } catch (const Error& error) {
        info.damages.push_back(reader.place(i, error.message()));
      }
    } catch (const Error& error) {
      info.damages.push_back(error.message());
    }
  }
  info.unnamed_bytes = info.bytes - std::min(end, info.bytes);
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

std::string number(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string describe(const PartCount& count) {
  const PartLayout& part = count.part;
  std::string text = part.type_name;
  text += part.name.empty() ? ", no name" : " '" + part.name + "'";
  if (!part.shape.empty()) {
    text += ": " + part.shape + " " + part.element_type + ", " + part.storage + " memory";
  }
  return text + ", in " + std::to_string(count.entities) +
         (count.entities == 1 ? " entity" : " entities");
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
            number(info.seconds(), 3) + " s";
    text += info.rate() > 0 ? ", " + number(info.rate(), 2) + " entities/s\n" : "\n";
  }
  return text;
}

Json render_json(const RecordingInfo& info) {
  Json json;
  json["entities"] = info.entities;
  json["bytes"] = info.bytes;
  json["bytes_not_in_index"] = info.unnamed_bytes;
  json["first_time_ns"] = info.first_time;
  json["last_time_ns"] = info.last_time;
  json["seconds"] = info.seconds();
  json["rate"] = info.rate();
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
  json["damages"] = info.damages;
  return json;
}

void print_problems(const RecordingInfo& info) {
  for (const std::string& damage : info.damages) {
    std::fprintf(stderr, "error: %s\n", damage.c_str());
  }
  if (info.torn_bytes > 0) {
    std::fprintf(stderr, "warning: the index ends with %zu bytes of an incomplete record\n",
                 info.torn_bytes);
  }
  if (info.unnamed_bytes > 0) {
    std::fprintf(stderr,
                 "warning: %llu bytes at the end of the data are in no record of the index\n",
                 static_cast<unsigned long long>(info.unnamed_bytes));
  }
}

/// Throws when only a folder has this name.
void require_no_folder(const std::string& file, const RecordingPaths& paths) {
  if (std::filesystem::is_directory(file) && !std::filesystem::exists(paths.index)) {
    throw Error(ErrorCode::NotFound, "'" + file + "' is a folder; name a recording in it, as in " +
                                         (std::filesystem::path(file) / "NAME").string());
  }
}

int replay_info(const ReplayInfoOptions& options) {
  try {
    const RecordingPaths paths = paths_of(options.file);
    require_no_folder(options.file, paths);
    RecordingReader reader(paths);
    const RecordingInfo info = look_at(reader);
    if (options.format == "json") {
      print(render_json(info));
    } else {
      print(render_text(info));
    }
    std::fflush(stdout);
    print_problems(info);
    return info.damages.empty() ? kDone : kRunFailed;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kUsage;
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
  command->callback([options, &exit_code] { exit_code = replay_info(*options); });
}

}  // namespace gxr::commands
