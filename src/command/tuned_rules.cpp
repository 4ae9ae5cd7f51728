#include "command/command_parts.hpp"

#include "command/shell/terminal.hpp"
#include "command/shell/whole_file.hpp"
#include "workload/collective/libraries.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Returns the file for ch4's compositions beside that of mpir: rules.json → rules-ch4.json.
std::string beside_rules(const std::string& rules) {
  const std::filesystem::path path(rules);
  return (path.parent_path() / (path.stem().string() + "-ch4" + path.extension().string())).string();
}

// MPICH's selections with the files for them.
std::vector<std::pair<MpichSelection, std::string>> mpich_files(const RulesOutput& output) {
  std::vector<std::pair<MpichSelection, std::string>> files{{output.base.mpir, output.file}};
  if (output.base.compositions)
    files.emplace_back(*output.base.compositions, beside_rules(output.file));
  return files;
}

RulesForm rules_form(const std::string& file, Selector library) {
  const auto& settings = library_of(library).settings;
  if (!settings.are_in_files)
    return RulesForm::none;
  switch (settings.form) {
  case SettingsForm::open_mpi: return file.ends_with(".json") ? RulesForm::open_mpi_6 : RulesForm::open_mpi;
  case SettingsForm::mpich: return RulesForm::mpich;
  case SettingsForm::intel_mpi: return RulesForm::intel_mpi;
  case SettingsForm::fujitsu:
  case SettingsForm::none: break;
  }
  return RulesForm::none;
}

} // namespace

Result<RulesOutput> rules_output(const std::string& file, const std::vector<std::string>& base, Selector library) {
  const auto name = selector_names[static_cast<std::size_t>(library)];
  if (file.empty())
    return base.empty() ? Result(RulesOutput{}) : usage_error("--base goes with --rules, the file to write");
  RulesOutput output{file, rules_form(file, library)};
  if (output.form == RulesForm::none)
    return usage_error(
        fmt::format("--rules: {} reads no file of rules; the lines below the table have its variables", name));
  if (output.form != RulesForm::mpich && !base.empty())
    return usage_error(fmt::format("--base is for MPICH 4, not for {}", name));
  Errors errors;
  if (output.form != RulesForm::mpich)
    errors = check_writable(file);
  else if (base.empty() || base.size() > 2)
    return usage_error("--rules needs --base, since MPICH's file takes the place of all of its own selection: the "
                       "library, such as libmpich.so, or maint/tuning/coll/mpir/generic.json of its sources, and "
                       "ch4/generic.json behind a comma");
  else {
    auto found = read_mpich_base(base);
    if (!found)
      return found.errors();
    output.base = std::move(*found);
    for (const auto& [selection, each] : mpich_files(output)) {
      append(errors, check_writable(each));
      if (const auto rules = mpich_rules({}, selection.text, selection.file); !rules)
        append(errors, rules.errors());
    }
  }
  if (!errors.empty())
    return errors;
  return output;
}

Result<std::vector<std::string>> write_rules(const RulesOutput& output, const Tuning& tuning) {
  std::vector<std::string> files;
  Errors errors;
  const auto write = [&](const std::string& file, const std::function<void(std::ostream&)>& writer) {
    files.push_back(file);
    append(errors, write_whole(file, writer));
  };
  switch (output.form) {
  case RulesForm::none: break;
  case RulesForm::open_mpi:
    write(output.file, [&](std::ostream& out) { write_open_mpi_rules(rule_grid(tuning), out); });
    break;
  case RulesForm::open_mpi_6:
    write(output.file, [&](std::ostream& out) { write_open_mpi_6_rules(rule_grid(tuning), out); });
    break;
  case RulesForm::intel_mpi: write(output.file, [&](std::ostream& out) { write_intel_mpi_rules(tuning, out); }); break;
  case RulesForm::mpich:
    for (const auto& [selection, file] : mpich_files(output))
      if (const auto rules = mpich_rules(tuning, selection.text, selection.file); !rules)
        append(errors, rules.errors());
      else
        write(file, [&](std::ostream& out) { out << *rules; });
  }
  if (!errors.empty())
    return errors;
  return files;
}

} // namespace kakehashi
