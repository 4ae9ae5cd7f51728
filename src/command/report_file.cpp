#include "command/command_parts.hpp"

#include "command/shell/programs.hpp"
#include "command/shell/whole_file.hpp"
#include "report/draw/svg.hpp"
#include "report/page/pages.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace kakehashi {
namespace {

// A form of --plot.
struct PlotForm {
  std::string_view ending;
  SvgColours colours;
  std::string_view converted; // rsvg-convert's name for it; empty: SVG as it is
};
constexpr std::array plot_forms{PlotForm{".svg", SvgColours::light_or_dark, ""},
                                PlotForm{".png", SvgColours::light, "png"}, PlotForm{".pdf", SvgColours::light, "pdf"}};

const PlotForm* plot_form(const std::string& file) {
  const auto ending = std::filesystem::path(file).extension().string();
  const auto found = std::ranges::find(plot_forms, ending, &PlotForm::ending);
  return found == plot_forms.end() ? nullptr : &*found;
}

Result<std::string> plot_text(const Drawing& drawing, const PlotForm& form) {
  std::ostringstream svg;
  write_svg(drawing, form.colours, svg);
  return form.converted.empty() ? Result(svg.str()) : converted(svg.str(), std::string(form.converted));
}

} // namespace

OptionRows report_rows(ReportArguments& report) {
  return {{"--report FILE",
           "also write a page with pictures and tables of all that was found, FILE.html; a browser needs nothing else",
           &report.page, Values::not_empty},
          {"--plot FILE", "also write the main chart of that page: FILE.svg, .png or .pdf", &report.plot,
           Values::not_empty}};
}

bool wants_report(const ReportArguments& report) {
  return !report.page.empty() || !report.plot.empty();
}

bool wants_page(const ReportArguments& report, const Streams& streams) {
  return streams.page || wants_report(report);
}

Errors check_report(const ReportArguments& report) {
  Errors errors;
  if (!report.page.empty()) {
    if (std::filesystem::path(report.page).extension() == ".html")
      append(errors, check_writable(report.page));
    else
      errors.push_back(usage_error("--report: " + mismatch(in_quotes(report.page), "a name that ends in .html")));
  }
  if (!report.plot.empty()) {
    const auto* form = plot_form(report.plot);
    if (!form)
      errors.push_back(
          usage_error("--plot: " + mismatch(in_quotes(report.plot), "a name that ends in .svg, .png or .pdf")));
    else if (!form->converted.empty() && !has_converter())
      errors.push_back(usage_error(fmt::format("--plot: {} files are made by rsvg-convert, which is not installed "
                                               "(Debian's librsvg2-bin); .svg needs nothing",
                                               form->ending)));
    else
      append(errors, check_writable(report.plot));
  }
  return errors;
}

Errors deliver_page(const Page& page, const ReportArguments& report, const Streams& streams) {
  if (streams.page)
    streams.page(page);
  Errors errors;
  if (!report.page.empty())
    append(errors, write_whole(report.page, [&](std::ostream& out) { write_page(page, out); }));
  const auto* drawing = main_drawing(page);
  if (report.plot.empty())
    return errors;
  if (!drawing) {
    errors.push_back(file_error(ErrorKind::run, report.plot, "there is nothing to draw"));
    return errors;
  }
  const auto text = plot_text(*drawing, *plot_form(report.plot));
  append(errors, text ? write_whole(report.plot, [&](std::ostream& out) { out << *text; }) : text.errors());
  return errors;
}

} // namespace kakehashi
