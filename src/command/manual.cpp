#include "command/manual.hpp"

#include "command/command.hpp"

#include <CLI/CLI.hpp>

namespace kakehashi {
namespace {

// CLI11 writes the values that an option takes into the name of its type: "TEXT:{table,csv,json}".
std::vector<std::string> values_in(const std::string& type) {
  const auto open = type.find(":{");
  if (open == std::string::npos || type.back() != '}')
    return {};
  return CLI::detail::split(type.substr(open + 2, type.size() - open - 3), ',');
}

OptionManual describe(const CLI::Option& option) {
  OptionManual manual;
  for (const auto& name : option.get_snames())
    manual.names.push_back("-" + name);
  for (const auto& name : option.get_lnames())
    manual.names.push_back("--" + name);
  if (option.get_positional())
    manual.names.assign(1, option.get_name(true));
  manual.purpose = option.get_description();
  manual.takes_value = option.get_expected_max() > 0;
  if (!manual.takes_value)
    return manual;
  const auto type = option.get_type_name();
  manual.value_name = type.substr(0, type.find(':'));
  manual.values = values_in(type);
  manual.usual = option.get_default_str();
  manual.is_number = manual.value_name == "INT" || manual.value_name == "UINT" || manual.value_name == "FLOAT";
  return manual;
}

} // namespace

std::vector<CommandManual> describe_commands() {
  std::vector<CommandManual> manuals;
  for (const auto& command : commands()) {
    CLI::App app;
    Options options;
    command.declare(app, options);
    auto& manual = manuals.emplace_back();
    manual.name = command.name;
    manual.purpose = command.purpose;
    manual.examples = command.examples;
    for (const auto* option : app.get_options())
      (option->get_positional() ? manual.positionals : manual.options).push_back(describe(*option));
  }
  return manuals;
}

std::vector<OptionManual> program_options() {
  return {{{"-h", "--help"}, "print what there is, and exit", false, "", {}, "", false},
          {{"--version"}, "print the version, and exit", false, "", {}, "", false}};
}

} // namespace kakehashi
