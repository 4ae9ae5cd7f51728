// Writes the file by which each shell completes the program's words, from the table of subcommands.
#include "command/command.hpp"
#include "command/command_line.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// The names of all options among them.
std::vector<std::string> all_names(const std::vector<OptionRow>& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows)
    for (const auto& name : names_of(row))
      if (!is_positional(row))
        names.push_back(name);
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

// Quotes text with '…'; a quote in it ends the text, is escaped by itself, and starts the text again.
std::string quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

// Writes a `case` of bash: the words that may follow an option, or stand for an argument, of a subcommand.
std::string bash_values(const Command& command, const OptionRow& row) {
  const auto only = only_values(row);
  const auto kind = kind_of_names(command.name, row);
  auto action = !only.empty()    ? fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\"))", words(only))
                : !kind.empty()  ? fmt::format("_kakehashi_names {}", kind)
                : is_number(row) ? "COMPREPLY=()"
                                 : "_kakehashi_files";
  if (!kind.empty() && is_positional(row))
    action += "; ((${#COMPREPLY[@]} > 0)) || _kakehashi_files";
  std::string cases;
  for (const auto& name : names_of(row))
    cases += fmt::format("    {}{}) {}; return ;;\n", command.name, is_positional(row) ? "" : ":" + name, action);
  return cases;
}

std::string bash() {
  std::string names;
  std::string values;
  std::string options;
  std::string positionals;
  for (const auto& command : commands()) {
    names += fmt::format("{} ", command.name);
    const auto invocation = command.begin();
    options += fmt::format("    {}) options='{}' ;;\n", command.name, words(all_names(invocation.rows)));
    for (const auto& row : invocation.rows)
      if (!is_positional(row) && !is_flag(row))
        values += bash_values(command, row);
      else if (!only_values(row).empty() || !kind_of_names(command.name, row).empty())
        positionals += bash_values(command, row);
  }
  return fmt::format(R"(# bash completion for kakehashi
_kakehashi_files() {{
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY=($(compgen -f -- "$word"))
  ((${{#COMPREPLY[@]}} > 0)) || _kakehashi_names files
}}
_kakehashi_names() {{
  local name head=
  [[ $word == *,* ]] && head=${{word%,*}},
  COMPREPLY=()
  while IFS= read -r name; do
    [[ $head$name == "$word"* ]] && COMPREPLY+=("$head$name")
  done < <("${{COMP_WORDS[0]}}" completion names -- "$1" "${{COMP_WORDS[@]:2}}" 2>/dev/null)
}}
_kakehashi() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} options
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{}{}' -- "$word"))
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
                     names, words(all_names(program_rows().all)), values, positionals, options);
}

// zsh gives brackets and colons in a description a meaning of their own.
std::string zsh_text(const std::string& text) {
  return replaced(replaced(replaced(replaced(text, "\\", "\\\\"), "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh_values(const Command& command, const OptionRow& row) {
  if (is_flag(row))
    return "";
  if (const auto only = only_values(row); !only.empty())
    return fmt::format(":{}:({})", row.value_name, words(only));
  if (const auto kind = kind_of_names(command.name, row); !kind.empty())
    return fmt::format(":{}:_kakehashi_names {}", row.value_name, kind);
  return fmt::format(":{}:{}", row.value_name, is_number(row) ? " " : "_kakehashi_files");
}

std::string zsh_arguments(const Command& command) {
  std::string options;
  std::string positionals;
  for (const auto& row : command.begin().rows)
    if (is_positional(row))
      positionals += " \\\n        " + quoted("*" + zsh_values(command, row));
    else
      for (const auto& name : names_of(row))
        options += " \\\n        " +
                   quoted(fmt::format("*{}{}[{}]{}", name, !is_flag(row) && name.starts_with("--") ? "=" : "",
                                      zsh_text(row.meaning), zsh_values(command, row)));
  return fmt::format("      {})\n        _arguments{}{} ;;\n", command.name, options, positionals);
}

std::string zsh() {
  std::string names;
  std::string arguments;
  for (const auto& command : commands()) {
    names += "    " + quoted(fmt::format("{}:{}", command.name, zsh_text(std::string(command.purpose)))) + "\n";
    arguments += zsh_arguments(command);
  }
  std::string own;
  for (const auto& row : program_rows().all)
    for (const auto& name : names_of(row))
      own += " " + quoted(fmt::format("{}[{}]", name, row.meaning));
  return fmt::format(R"zsh(#compdef kakehashi
_kakehashi_files() {{
  _files || _kakehashi_names files
}}
_kakehashi_names() {{
  local -a names
  names=(${{(f)"$(kakehashi completion names -- $1 $words 2>/dev/null)"}})
  compset -P '*,'
  compadd -a names
}}
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
)zsh",
                     names, own, arguments);
}

// What fish runs to get names.
std::string fish_names(std::string_view kind) {
  return fmt::format("(kakehashi completion names -- {} (commandline -opc) 2>/dev/null)", kind);
}

std::string fish_option(const std::string& condition, std::string_view command, const OptionRow& row) {
  auto line = fmt::format("complete -c kakehashi -n {}", quoted(condition));
  for (const auto& name : names_of(row))
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const auto only = only_values(row);
  const auto kind = kind_of_names(command, row);
  const auto values = kind.empty() ? words(only) : fish_names(kind);
  if (!is_flag(row))
    line += values.empty() && !is_number(row) ? " -r -F" : fmt::format(" -x -a {}", quoted(values));
  return line + " -d " + quoted(row.meaning) + "\n";
}

std::string fish() {
  const std::string no_command = "__fish_use_subcommand";
  std::string text = "# fish completion for kakehashi\n";
  for (const auto& row : program_rows().all)
    text += fish_option(no_command, "", row);
  for (const auto& command : commands()) {
    text += fmt::format("complete -c kakehashi -f -n {} -a {} -d {}\n", quoted(no_command), command.name,
                        quoted(std::string(command.purpose)));
    const auto condition = fmt::format("__fish_seen_subcommand_from {}", command.name);
    for (const auto& row : command.begin().rows)
      if (!is_positional(row))
        text += fish_option(condition, command.name, row);
      else if (const auto only = only_values(row); !only.empty())
        text += fmt::format("complete -c kakehashi -f -n {} -a {}\n", quoted(condition), quoted(words(only)));
      else if (const auto kind = kind_of_names(command.name, row); command.name != "completion")
        text += fmt::format("complete -c kakehashi -n {} -a {}\n", quoted(condition),
                            quoted(fish_names(kind.empty() ? "files" : kind)));
  }
  return text;
}

struct Shell {
  std::string_view name;
  std::string (*text)();
};
constexpr std::array shells{Shell{"bash", bash}, Shell{"zsh", zsh}, Shell{"fish", fish}};

struct CompletionArguments {
  std::string shell;
  std::vector<std::string> words;
};

OptionRows completion_rows(CompletionArguments& options) {
  std::vector<std::string> names;
  for (const auto& shell : shells)
    names.emplace_back(shell.name);
  names.emplace_back("names");
  return {{"SHELL", "bash, zsh or fish; or names, which these call", &options.shell, names},
          {"WORD",
           "of names, after --: benchmarks, algorithms, collectives, platforms, files, fabrics or devices; and the "
           "words of a command line, which name the platform of these fabrics or devices",
           &options.words}};
}

int complete(const CompletionArguments& options, const Streams& streams) {
  const auto shell = std::ranges::find(shells, options.shell, &Shell::name);
  if (options.words.empty() != (shell != shells.end()))
    return report_errors({usage_error(options.words.empty() ? "names needs a kind of names, such as fabrics"
                                                            : "WORD goes with names only")},
                         streams);
  if (shell != shells.end())
    streams.out << shell->text();
  else
    for (const auto& name : names_of_kind(options.words.front(), options.words))
      streams.out << name << '\n';
  return 0;
}

} // namespace

const Command completion_command{"completion", "print what makes a shell complete the words of kakehashi",
                                 "  source <(kakehashi completion bash)\n"
                                 "  kakehashi completion fish > ~/.config/fish/completions/kakehashi.fish\n",
                                 takes(completion_rows, complete)};

} // namespace kakehashi
