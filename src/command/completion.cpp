// The file by which each shell completes the program's words, written from the table of subcommands.
#include "command/command.hpp"
#include "command/manual.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

std::vector<std::string> all_names(const std::vector<OptionManual>& options) {
  std::vector<std::string> names;
  for (const auto& option : options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> command_names(const std::vector<CommandManual>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands)
    names.push_back(command.name);
  return names;
}

std::string words(const std::vector<std::string>& list) {
  return fmt::format("{}", fmt::join(list, " "));
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Inside '…', where a quote ends the text, is escaped by itself, and begins the text again.
std::string quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

// A `case` of bash: which words may follow an option, by subcommand.
std::string bash_values(const CommandManual& command) {
  std::string cases;
  for (const auto& option : command.options) {
    if (!option.takes_value)
      continue;
    const auto action = !option.values.empty()
                            ? fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\"))", words(option.values))
                        : option.is_number ? "COMPREPLY=()"
                                           : "_kakehashi_files";
    for (const auto& name : option.names)
      cases += fmt::format("    {}:{}) {}; return ;;\n", command.name, name, action);
  }
  return cases;
}

std::string bash(const std::vector<CommandManual>& commands) {
  std::string values;
  std::string options;
  std::string positionals;
  for (const auto& command : commands) {
    values += bash_values(command);
    options += fmt::format("    {}) options='{}' ;;\n", command.name, words(all_names(command.options)));
    for (const auto& positional : command.positionals)
      if (!positional.values.empty())
        positionals += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", command.name,
                                   words(positional.values));
  }
  return fmt::format(R"(# bash completion for kakehashi
_kakehashi_files() {{
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY=($(compgen -f -- "$word"))
}}
_kakehashi() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} options
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} {}' -- "$word"))
    return
  fi
  # bash takes the = of --option=value for a word of its own.
  [[ $word == = ]] && word=
  [[ $before == = ]] && before=${{COMP_WORDS[COMP_CWORD-2]}}
  case $command:$before in
{}  esac
  if [[ $word != -* ]]; then
    case $command in
{}    esac
    _kakehashi_files
    return
  fi
  case $command in
{}  esac
  COMPREPLY=($(compgen -W "$options" -- "$word"))
}}
complete -o bashdefault -F _kakehashi kakehashi
)",
                     words(command_names(commands)), words(all_names(program_options())), values, positionals, options);
}

// zsh reads brackets and colons in a description as its own.
std::string zsh_text(const std::string& text) {
  return replaced(replaced(replaced(replaced(text, "\\", "\\\\"), "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh_values(const OptionManual& option) {
  if (!option.takes_value)
    return "";
  if (!option.values.empty())
    return fmt::format(":{}:({})", option.value_name, words(option.values));
  return fmt::format(":{}:{}", option.value_name, option.is_number ? " " : "_files");
}

std::string zsh_arguments(const CommandManual& command) {
  std::string specifications;
  for (const auto& option : command.options)
    for (const auto& name : option.names)
      specifications += " \\\n        " +
                        quoted(fmt::format("*{}{}[{}]{}", name, option.takes_value && name.starts_with("--") ? "=" : "",
                                           zsh_text(option.purpose), zsh_values(option)));
  for (const auto& positional : command.positionals)
    specifications += " \\\n        " + quoted("*" + zsh_values(positional));
  return fmt::format("      {})\n        _arguments{} ;;\n", command.name, specifications);
}

std::string zsh(const std::vector<CommandManual>& commands) {
  std::string names;
  std::string arguments;
  for (const auto& command : commands) {
    names += "    " + quoted(command.name + ":" + zsh_text(command.purpose)) + "\n";
    arguments += zsh_arguments(command);
  }
  std::string own;
  for (const auto& option : program_options())
    for (const auto& name : option.names)
      own += " " + quoted(fmt::format("{}[{}]", name, option.purpose));
  return fmt::format(R"(#compdef kakehashi
_kakehashi() {{
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
{}  )
  _arguments -C{} '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe command commands ;;
  argument)
    case $line[1] in
{}    esac ;;
  esac
}}
if [[ $funcstack[1] == _kakehashi ]]; then
  _kakehashi "$@"
else
  compdef _kakehashi kakehashi
fi
)",
                     names, own, arguments);
}

std::string fish_option(const std::string& condition, const OptionManual& option) {
  auto line = fmt::format("complete -c kakehashi -n {}", quoted(condition));
  for (const auto& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.takes_value)
    line +=
        option.values.empty() && !option.is_number ? " -r -F" : fmt::format(" -x -a {}", quoted(words(option.values)));
  return line + " -d " + quoted(option.purpose) + "\n";
}

std::string fish(const std::vector<CommandManual>& commands) {
  const std::string no_command = "__fish_use_subcommand";
  std::string text = "# fish completion for kakehashi\n";
  for (const auto& option : program_options())
    text += fish_option(no_command, option);
  for (const auto& command : commands) {
    text += fmt::format("complete -c kakehashi -f -n {} -a {} -d {}\n", quoted(no_command), command.name,
                        quoted(command.purpose));
    const auto condition = "__fish_seen_subcommand_from " + command.name;
    for (const auto& option : command.options)
      text += fish_option(condition, option);
    for (const auto& positional : command.positionals)
      if (!positional.values.empty())
        text +=
            fmt::format("complete -c kakehashi -f -n {} -a {}\n", quoted(condition), quoted(words(positional.values)));
  }
  return text;
}

struct Shell {
  std::string_view name;
  std::string (*write)(const std::vector<CommandManual>& commands);
};
constexpr std::array shells{Shell{"bash", bash}, Shell{"zsh", zsh}, Shell{"fish", fish}};

void declare_completion(CLI::App& app, Options& options) {
  std::vector<std::string> names;
  for (const auto& shell : shells)
    names.emplace_back(shell.name);
  app.add_option("SHELL", options.shell, "bash, zsh or fish")->required()->check(CLI::IsMember(names));
}

int complete(const Options& options, const Streams& streams) {
  const auto* shell =
      std::find_if(shells.begin(), shells.end(), [&](const Shell& each) { return each.name == options.shell; });
  streams.out << shell->write(describe_commands());
  return 0;
}

} // namespace

const Command completion_command{"completion", "print what makes a shell complete the words of kakehashi",
                                 "  source <(kakehashi completion bash)\n"
                                 "  kakehashi completion fish > ~/.config/fish/completions/kakehashi.fish\n",
                                 declare_completion, complete};

} // namespace kakehashi
