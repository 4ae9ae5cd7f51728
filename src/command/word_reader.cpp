#include "command/command_line.hpp"

#include "base/build_id.hpp"
#include "engine/flow/network.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::string_view purpose = "Predicts how long MPI messages take on clusters whose nodes are not flat.";
constexpr std::string_view examples =
    "Examples:\n"
    "  kakehashi simulate scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json\n"
    "  kakehashi validate\n"
    "  kakehashi check my-platform.json\n"
    "\n"
    "`kakehashi COMMAND --help` shows the options and examples of a command. Exit codes: 0 success, 1 a "
    "run failed, 2 bad input or usage, 130 interrupted.\n";

CLI::Option* add(CLI::App& app, const OptionRow& row, bool& flag) {
  return app.add_flag(row.names, flag, row.meaning);
}

CLI::Option* add(CLI::App& app, const OptionRow& row, std::optional<bool>& choice) {
  const bool chosen = !row.names.starts_with("--no-");
  return app.add_flag_callback(
      row.names, [&choice, chosen] { choice = chosen; }, row.meaning);
}

template <class T> CLI::Option* add(CLI::App& app, const OptionRow& row, T& value) {
  auto* option = app.add_option(row.names, value, row.meaning);
  if constexpr (std::is_arithmetic_v<T>)
    if (const auto* range = std::get_if<Range>(&row.form))
      option->check(CLI::Range(static_cast<T>(range->least), static_cast<T>(range->most)));
  if constexpr (std::is_same_v<T, std::optional<double>>)
    if (const auto* range = std::get_if<Range>(&row.form))
      option->check(CLI::Range(range->least, range->most));
  return option->type_name(row.value_name)->default_str(usual_value(row));
}

std::string refuse_empty(const std::string& text) {
  return text.empty() ? mismatch(in_quotes(text), "a value") : "";
}

void declare(CLI::App& app, const OptionRow& row) {
  if (row.names == help_row().all.front().names) // the program declares it for all commands
    return;
  auto* option = std::visit([&](auto* place) { return add(app, row, *place); }, row.place);
  const auto has = [&](Values values) { return row.form == OptionForm(values); };
  const bool is_text = std::holds_alternative<std::string*>(row.place);
  option->required(is_positional(row) && (is_text || has(Values::not_empty)));
  if (const auto* values = std::get_if<OneOf>(&row.form))
    option->check(CLI::IsMember(*values));
  if (has(Values::not_empty) || has(Values::comma_list))
    option->check(refuse_empty);
  if (has(Values::comma_list))
    option->delimiter(',');
  if (!is_positional(row) && !has(Values::words))
    option->allow_extra_args(false);
}

// CLI11 knows which word it could not read; the suggestion is ours.
Error fault_of(const CLI::ParseError& failure, const CLI::App& app, const CLI::App& chosen,
               const std::vector<OptionRow>& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows)
    names.push_back(names_of(row).back());
  for (const auto* level : {&app, &chosen})
    for (const auto& word : level->remaining())
      if (word.starts_with("-") && word != "--")
        return usage_error("unknown option " + word, closest(word.substr(0, word.find('=')), names));
  return usage_error(failure.what());
}

// The first line is for programs that compare versions.
std::string version_text(std::string_view revision) {
#ifdef __clang__
  constexpr std::string_view compiler = "clang " __clang_version__;
#else
  constexpr std::string_view compiler = "g++ " __VERSION__;
#endif
  const auto commit = revision.empty() ? "" : fmt::format("commit {}, ", revision);
  return fmt::format("kakehashi " KAKEHASHI_VERSION "\n{}sources {}\n{}\n{}\n", commit, build_id(),
                     load_simgrid() ? simgrid_name() : "no SimGrid: " + simgrid_fault(), compiler);
}

// CLI11 would take the next word for the value of an option that ends with "=", whose value is empty.
std::vector<std::string> with_empty_values(const std::vector<std::string>& words, const std::vector<OptionRow>& rows) {
  std::vector<std::string> whole;
  const auto options_end = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != words.end(); ++word) {
    const auto name = word->substr(0, word->size() - word->ends_with('='));
    const auto has_name = [&](const OptionRow& row) {
      return !is_flag(row) && !is_positional(row) && names_of(row).back() == name;
    };
    whole.push_back(*word);
    if (word < options_end && name != *word && std::ranges::any_of(rows, has_name)) {
      whole.back() = name;
      whole.emplace_back();
    }
  }
  return whole;
}

} // namespace

Result<std::string> read_words(const std::vector<std::string>& words, const Command* command,
                               const std::vector<OptionRow>& rows, std::string_view revision) {
  CLI::App app{std::string(purpose), "kakehashi"};
  app.footer(std::string(examples));
  const auto own = program_rows().all;
  app.set_help_flag(own.front().names, own.front().meaning);
  app.set_version_flag(own.back().names, "", own.back().meaning);
  app.require_subcommand(1);
  const CLI::App* chosen = &app;
  for (const auto& each : commands()) {
    auto* sub = app.add_subcommand(std::string(each.name), std::string(each.purpose));
    if (&each != command)
      continue;
    sub->footer(fmt::format("Examples:\n{}", each.examples));
    for (const auto& row : rows)
      declare(*sub, row);
    chosen = sub;
  }
  try {
    auto whole = with_empty_values(words, rows);
    std::ranges::reverse(whole);
    app.parse(std::move(whole));
  } catch (const CLI::CallForHelp&) {
    return command ? chosen->help("kakehashi") : app.help();
  } catch (const CLI::CallForVersion&) {
    return version_text(revision);
  } catch (const CLI::ParseError& failure) {
    return fault_of(failure, app, *chosen, rows);
  }
  return std::string();
}

} // namespace kakehashi
