#include "command/candidate_lines.hpp"

#include "base/line_reader.hpp"
#include "base/text.hpp"
#include "base/wire.hpp"
#include "writer/json_values.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <unistd.h>

namespace kakehashi {
namespace {

// Of a file, or of standard input, which may be a pipe.
Result<LineReader> open_lines(const std::string& file) {
  struct Closing {
    const int descriptor;
    explicit Closing(int open) : descriptor(open) {}
    ~Closing() { close(descriptor); }
  };
  const auto failure = [file] { return file_error(ErrorKind::input, file, std::strerror(errno)); };
  const int descriptor = file == "-" ? dup(STDIN_FILENO) : open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failure();
  const auto read_some = [failure, own = std::make_shared<Closing>(descriptor)](
                             std::uint64_t, std::span<char> room) -> Result<std::size_t> {
    for (;;)
      if (const auto count = read(own->descriptor, room.data(), room.size()); count >= 0)
        return static_cast<std::size_t>(count);
      else if (errno != EINTR)
        return failure();
  };
  return LineReader(read_some, block_size(1));
}

// Waits for a line, and takes those that came with it; none: the text has ended.
std::vector<std::string> take_lines(LineReader& reader, std::size_t most) {
  std::vector<std::string> lines;
  while (lines.size() < most && (lines.empty() || reader.has_line())) {
    const auto line = reader.next();
    if (!line)
      break;
    lines.emplace_back(*line);
  }
  return lines;
}

// Reads names of devices, with blanks or commas between them, or as a JSON list.
Result<std::vector<std::size_t>> read_placement(std::string line, const Scenario& scenario, const std::string& file,
                                                std::size_t number) {
  const auto fault = [&](const std::string& found, const std::string& expected, std::string suggestion = "") {
    return input_error(file, fmt::format("line {}", number), mismatch(found, expected), std::move(suggestion));
  };
  const auto& platform = *scenario.platform;
  std::ranges::replace_if(
      line, [](char c) { return std::strchr("[],\"\t\r", c) != nullptr; }, ' ');
  std::vector<std::size_t> devices;
  for (std::size_t begin = line.find_first_not_of(' '); begin < line.size();) {
    const auto end = std::min(line.find(' ', begin), line.size());
    const auto name = line.substr(begin, end - begin);
    const auto device = find_device(platform, name);
    if (!device || !can_run_ranks(platform.devices[*device].kind)) {
      std::vector<std::string> names;
      for (const auto& each : platform.devices)
        if (can_run_ranks(each.kind))
          names.push_back(each.name);
      return fault(in_quotes(name.substr(0, 40)), "a device of " + platform.name + " that runs ranks",
                   closest(name, names));
    }
    devices.push_back(*device);
    begin = line.find_first_not_of(' ', end);
  }
  if (devices.size() != scenario.ranks.size())
    return fault(counted(devices.size(), "device"), fmt::format("{}, one for each rank", scenario.ranks.size()));
  return devices;
}

class Answers {
public:
  Answers(const Sweep& sweep, Outcomes known, const EvaluationOptions& how, bool prunes)
      : sweep_(sweep), space_(sweep), evaluator_(sweep, std::move(known), how), engine_(how.each.engine) {
    if (prunes)
      bound_.emplace(scenario(), sweep.placement, sweep.objective);
  }

  // Returns the lines for these placements, in their order.
  std::vector<Json> to(const std::vector<Result<std::vector<std::size_t>>>& placements) {
    std::vector<Json> lines(placements.size());
    std::vector<Candidate> candidates;
    std::vector<std::size_t> line_of;
    for (std::size_t i = 0; i < placements.size(); ++i) {
      if (!placements[i]) {
        lines[i]["failure"] = to_text(placements[i].errors().front());
        append_fault(placements[i].errors().front());
        continue;
      }
      for (const auto device : *placements[i])
        lines[i]["ranks"].push_back(scenario().platform->devices[device].name);
      if (is_worse(*placements[i], lines[i]))
        continue;
      candidates.push_back(space_.candidate(0, *placements[i]));
      line_of.push_back(i);
    }
    const auto outcomes = evaluator_.run(candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      add(outcomes[i], lines[line_of[i]]);
    return lines;
  }

  Errors errors() const { return errors_; }

private:
  const Scenario& scenario() const { return sweep_.variants.front().scenario; }

  void append_fault(const Error& error) {
    constexpr std::size_t most_errors = 20;
    if (errors_.size() < most_errors)
      errors_.push_back(error);
  }

  // Adds the bound, and whether it shows that another candidate was better.
  bool is_worse(const std::vector<std::size_t>& devices, Json& line) const {
    if (!bound_ || !bound_->exists())
      return false;
    const auto bound = bound_->of(devices);
    line["bound_us"] = rounded_us(Seconds{bound});
    if (score_of_bound(bound, scenario(), sweep_.objective, engine_) <= best_)
      return false;
    line["pruned"] = true;
    return true;
  }

  void add(const std::optional<Outcome>& outcome, Json& line) {
    if (!outcome || !outcome->failure.empty()) {
      line["failure"] = outcome ? outcome->failure : "it was ended";
      if (!outcome || outcome->is_lost)
        append_fault(run_error("a candidate had no chance to run to the end: " + std::string(line["failure"])));
      return;
    }
    best_ = std::min(best_, score_of(*outcome, sweep_.objective));
    line["time_us"] = rounded_us(outcome->time);
    if (!rate_name(scenario().workload).empty())
      line.update({{"rate", rounded(outcome->rate)}, {"rate_is", rate_name(scenario().workload)}});
    add_if_any(line, "slowest_step", outcome->step);
    add_if_any(line, "reason", outcome->reason);
  }

  const Sweep& sweep_;
  CandidateSpace space_;
  Evaluator evaluator_;
  EngineOptions engine_;
  std::optional<Bound> bound_;
  double best_ = std::numeric_limits<double>::infinity();
  Errors errors_;
};

} // namespace

Errors answer_candidates(const std::string& file, const Sweep& sweep, Outcomes known, const EvaluationOptions& how,
                         bool prunes, const Streams& streams) {
  const bool speaks = how.team->rank() == 0;
  std::optional<LineReader> lines;
  Errors errors;
  if (auto opened = speaks ? std::optional(open_lines(file)) : std::nullopt; opened && *opened)
    lines.emplace(std::move(**opened));
  else if (opened)
    errors = opened->errors();
  if (!how.team->agree(errors.empty()))
    return errors;
  const auto together = static_cast<std::size_t>(16 * how.jobs * how.team->size());
  Answers answers(sweep, std::move(known), how, prunes);
  std::size_t number = 0;
  for (;;) {
    const auto batch = *decode<std::vector<std::string>>(
        how.team->share(encode(lines ? take_lines(*lines, together) : std::vector<std::string>())));
    if (batch.empty()) {
      errors = answers.errors();
      if (lines && lines->fault())
        errors.push_back(input_error(file, lines->fault()->place, lines->fault()->message));
      return errors;
    }
    std::vector<Result<std::vector<std::size_t>>> placements;
    for (const auto& line : batch)
      if (++number; !line.empty() && line.front() != '#')
        placements.push_back(read_placement(line, sweep.variants.front().scenario, file, number));
    for (const auto& answer : answers.to(placements))
      if (speaks)
        streams.out << answer.dump() << '\n';
    streams.out.flush();
  }
}

} // namespace kakehashi
