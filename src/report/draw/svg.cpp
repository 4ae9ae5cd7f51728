#include "report/draw/svg.hpp"

#include <cmath>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// Writes tenths of a pixel, without zeros at the end.
std::string number(double value) {
  const double tenths = std::round(value * 10) / 10;
  return fmt::format("{:g}", tenths == 0 ? 0 : tenths); // avoids -0
}

std::string points_text(const std::vector<Spot>& spots) {
  std::string text;
  for (const auto& spot : spots)
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(spot.x), number(spot.y));
  return text;
}

std::string class_of(std::optional<Paint> fill, std::optional<Paint> edge) {
  std::string text;
  if (fill)
    text += fmt::format("f-{}", row_of(*fill).name);
  if (edge)
    text += fmt::format("{}l-{}", text.empty() ? "" : " ", row_of(*edge).name);
  return text;
}

// Writes the elements of shapes, with `extra` among their attributes and `inside` between their tags.
struct ShapeWriter {
  const std::string& extra;
  const std::string& inside;
  std::ostream& out;

  void finish(std::string_view name) const {
    if (inside.empty())
      out << "/>\n";
    else
      fmt::print(out, ">{}</{}>\n", inside, name);
  }
  void operator()(const Stroke& stroke) const {
    fmt::print(out, R"(<polyline points="{}" class="{}" fill="none" stroke-width="{}"{}{})", points_text(stroke.spots),
               class_of({}, stroke.paint), number(stroke.width), stroke.is_dashed ? R"( stroke-dasharray="5 4")" : "",
               extra);
    finish("polyline");
  }
  void operator()(const Area& area) const {
    fmt::print(out, R"(<polygon points="{}" class="{}"{})", points_text(area.corners), class_of(area.paint, {}), extra);
    finish("polygon");
  }
  void operator()(const Rect& box) const {
    fmt::print(out, R"(<rect x="{}" y="{}" width="{}" height="{}" class="{}"{}{}{})", number(box.corner.x),
               number(box.corner.y), number(box.width), number(box.height), class_of(box.fill, box.edge),
               box.fill ? "" : R"( fill="none")", box.radius > 0 ? fmt::format(R"( rx="{}")", number(box.radius)) : "",
               extra);
    finish("rect");
  }
  void operator()(const Dot& dot) const {
    const auto& [x, y] = dot.at;
    const double r = dot.radius;
    const bool is_open = dot.form >= DotForm::ring;
    const auto paints =
        fmt::format(R"(class="{}"{})", is_open ? class_of(Paint::paper, dot.paint) : class_of(dot.paint, {}),
                    is_open ? R"( stroke-width="1.6")" : "");
    const auto polygon = [&](const std::vector<Spot>& corners) {
      fmt::print(out, R"(<polygon points="{}" {}{})", points_text(corners), paints, extra);
      finish("polygon");
    };
    switch (dot.form) {
    case DotForm::circle:
    case DotForm::ring:
      fmt::print(out, R"(<circle cx="{}" cy="{}" r="{}" {}{})", number(x), number(y), number(r), paints, extra);
      return finish("circle");
    case DotForm::square:
    case DotForm::open_square: return polygon({{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}});
    case DotForm::diamond:
    case DotForm::open_diamond: return polygon({{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}});
    case DotForm::triangle:
    case DotForm::open_triangle: return polygon({{x, y - r}, {x + r, y + r}, {x - r, y + r}});
    case DotForm::wedge: return polygon({{x, y + r}, {x + r, y - r}, {x - r, y - r}});
    }
  }
  void operator()(const Text& text) const {
    constexpr std::array anchors{"start", "middle", "end"};
    fmt::print(out,
               R"(<text x="{}" y="{}" font-size="{}" class="{}"{}{}{}>{}{}</text>)"
               "\n",
               number(text.at.x), number(text.at.y), number(text.size), class_of(text.paint, {}),
               text.anchor == Anchor::start
                   ? ""
                   : fmt::format(R"( text-anchor="{}")", anchors[static_cast<std::size_t>(text.anchor)]),
               text.is_bold ? R"( font-weight="600")" : "", extra, in_xml(text.text), inside);
  }
};

void write_classes(bool has_variables, bool is_dark, std::ostream& out) {
  for (const auto& row : paint_rows) {
    const auto value = has_variables ? fmt::format("var(--{})", row.name) : std::string(is_dark ? row.dark : row.light);
    fmt::print(out, ".f-{0}{{fill:{1}}}.l-{0}{{stroke:{1}}}\n", row.name, value);
  }
}

void write_variables(bool is_dark, std::ostream& out) {
  for (const auto& row : paint_rows)
    fmt::print(out, "--{}:{};", row.name, is_dark ? row.dark : row.light);
}

} // namespace

std::string in_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') // XML allows no others
      escaped += c;
  }
  return escaped;
}

void write_figure(const Drawing& drawing, std::ostream& out) {
  fmt::print(out,
             R"(<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="group" aria-label="{2}">)"
             "\n",
             number(drawing.width), number(drawing.height), in_xml(drawing.says));
  bool is_first = true; // Tab reaches the first shape, and arrow keys the others
  for (const auto& shape : drawing.shapes) {
    const auto extra =
        shape.says.empty()
            ? std::string(std::holds_alternative<Text>(shape.form) ? "" : R"( aria-hidden="true")")
            : fmt::format(R"( role="img" aria-label="{}" tabindex="{}")", in_xml(shape.says), is_first ? 0 : -1);
    is_first = is_first && shape.says.empty();
    std::visit(ShapeWriter{extra, "", out}, shape.form);
  }
  out << "</svg>\n";
}

void write_svg(const Drawing& drawing, SvgColours colours, std::ostream& out) {
  fmt::print(out,
             R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}")"
             R"( font-family="system-ui, 'DejaVu Sans', sans-serif" role="img">)"
             "\n<title>{2}</title>\n<style>\n",
             number(drawing.width), number(drawing.height), in_xml(drawing.says));
  write_classes(false, false, out);
  if (colours == SvgColours::light_or_dark) {
    out << "@media (prefers-color-scheme: dark) {\n";
    write_classes(false, true, out);
    out << "}\n";
  }
  fmt::print(out, "</style>\n<rect width=\"{}\" height=\"{}\" class=\"f-paper\"/>\n", number(drawing.width),
             number(drawing.height));
  for (const auto& shape : drawing.shapes) {
    const auto title = shape.says.empty() ? "" : fmt::format("<title>{}</title>", in_xml(shape.says));
    std::visit(ShapeWriter{"", title, out}, shape.form);
  }
  out << "</svg>\n";
}

void write_paints(std::ostream& out) {
  out << ":root{color-scheme:light dark;";
  write_variables(false, out);
  out << "}\n@media screen and (prefers-color-scheme: dark){:root{";
  write_variables(true, out);
  out << "}}\n";
  write_classes(true, false, out);
}

} // namespace kakehashi
