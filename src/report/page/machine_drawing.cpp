#include "report/page/machine_drawing.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace kakehashi {
namespace {

double busy_of(const MachineLink& link) {
  return std::max(link.forward_use ? link.forward_use->busy : 0, link.backward_use ? link.backward_use->busy : 0);
}

bool is_used(const MachineLink& link) {
  return link.forward_use || link.backward_use;
}

Paint paint_of(const Machine& machine, const MachineLink& link) {
  if (!machine.has_use)
    return Paint::use_1;
  return is_used(link) ? step_paint(Paint::use_0, busy_of(link)) : Paint::grid;
}

std::string rates_text(const MachineLink& link, RateUnit unit) {
  const auto rate = [=](BytesPerSecond value) {
    return fmt::format("{} {}", four_digits(unit.of(value)), unit.name());
  };
  return link.forward == link.backward ? rate(link.forward)
                                       : fmt::format("{} there, {} back", rate(link.forward), rate(link.backward));
}

std::string use_text(const std::optional<MachineUse>& use) {
  return use ? fmt::format("{} MB, busy {:.1f} %", four_digits(use->bytes / 1e6), 100 * use->busy) : "nothing";
}

std::string link_text(const Machine& machine, const MachineLink& link) {
  const auto& from = machine.devices[link.from].name;
  const auto& to = machine.devices[link.to].name;
  auto text = fmt::format("{} – {}, {}, {}", from, to, link.kind, rates_text(link, machine.unit));
  if (link.count > 1)
    text += fmt::format(" on each of {} links, together", link.count);
  if (link.is_leg)
    return text + ": " + use_text(link.forward_use);
  if (machine.has_use)
    text += is_used(link) ? fmt::format("; to {}: {}; to {}: {}", to, use_text(link.forward_use), from,
                                        use_text(link.backward_use))
                          : "; not used";
  return text;
}

// "0-3, 7"
std::string ranges_text(const std::vector<std::size_t>& ranks) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1)
      ++end;
    parts.push_back(end - i == 1 ? fmt::format("{}", ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[end - 1]));
    i = end;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void draw_device(const MachineDevice& device, const PlacedBox& box, Drawing& out) {
  const auto local = device.node ? device.name.substr(device.name.find('.') + 1) : device.name;
  const bool has_ranks = !device.ranks.empty();
  auto says = fmt::format("{}, {}", device.name, device.kind);
  if (device.count > 1)
    says += fmt::format(", {} alike", device.count);
  if (has_ranks)
    says += fmt::format(", {} {}", device.ranks.size() == 1 ? "rank" : "ranks", ranges_text(device.ranks));
  out.add(Rect{{box.left, box.top}, box.width, box.height, Paint::panel, has_ranks ? Paint::ink : Paint::muted, 4},
          says);
  if (device.memory)
    out.add(Rect{{box.left + 4, box.top + box.height - 5},
                 box.width - 8,
                 4,
                 step_paint(Paint::use_0, device.memory->busy),
                 {},
                 1.5},
            fmt::format("memory of {}: {}", device.name, use_text(device.memory)));
  const double middle = box.left + box.width / 2;
  const double room = box.width - 2;
  const auto write = [&](const std::string& text, double below, Paint paint,
                         bool is_bold) { // smaller if there is little room
    const double size = std::clamp(11 * room / width_of(text, 11), 8.5, 11.0);
    out.add(Text{{middle, box.top + below}, fitted(text, room, size), Anchor::middle, paint, size, is_bold});
  };
  write(local, box.height < device_height ? 15 : has_ranks || device.count > 1 ? 13 : 20, Paint::ink, false);
  if (device.count > 1)
    write(fmt::format("{} of them", device.count), 27, Paint::muted, false);
  if (!has_ranks)
    return;
  const auto numbers = ranges_text(device.ranks);
  const auto named = (device.ranks.size() == 1 ? "rank " : "ranks ") + numbers;
  constexpr double bold = 1.15; // times as wide
  write(bold * width_of(named, 11) <= room ? named : numbers, 27, Paint::series_0, true);
}

void draw_legend(const Machine& machine, double top, double width, Drawing& out) {
  out.add(Text{{8, top + 12}, "links are as thick as they are fast", Anchor::start, Paint::muted, 11});
  if (!machine.has_use)
    return;
  double x = width < 500 ? 8 : 236;
  const double y = width < 500 ? top + 28 : top + 12;
  out.add(Text{{x, y}, "busy:", Anchor::start, Paint::muted, 11});
  x += 34;
  for (int step = 0; step < 5; ++step) {
    out.add(Rect{{x, y - 8}, 16, 8, step_paint(Paint::use_0, 0.2 * step + 0.1), {}, 0});
    const auto text = fmt::format("{}{}", 20 * (step + 1), step == 4 ? " %" : "");
    out.add(Text{{x + 19, y}, text, Anchor::start, Paint::muted, 11});
    x += 21 + width_of(text, 11) + 8;
  }
}

constexpr double widest_line = 11;
constexpr double thinnest_line = 0.8;

// Returns the distance of two lines where they run side by side; lines on one place share it.
double apart(const PlacedLink& a, const PlacedLink& b) {
  double least = 2 * widest_line;
  const auto compare = [&](const Spot& a0, const Spot& a1, const Spot& b0, const Spot& b1, double Spot::*along,
                           double Spot::*across) {
    if (a0.*across != a1.*across || b0.*across != b1.*across)
      return;
    const auto [a_low, a_high] = std::minmax(a0.*along, a1.*along);
    const auto [b_low, b_high] = std::minmax(b0.*along, b1.*along);
    const double distance = std::abs(a0.*across - b0.*across);
    if (a_low < b_high && b_low < a_high && distance >= least_pitch)
      least = std::min(least, distance);
  };
  for (std::size_t i = 1; i < a.spots.size(); ++i)
    for (std::size_t k = 1; k < b.spots.size(); ++k) {
      compare(a.spots[i - 1], a.spots[i], b.spots[k - 1], b.spots[k], &Spot::x, &Spot::y);
      compare(a.spots[i - 1], a.spots[i], b.spots[k - 1], b.spots[k], &Spot::y, &Spot::x);
    }
  return least;
}

} // namespace

std::vector<double> line_widths(const Machine& machine, const MachineLayout& layout) {
  std::vector<double> widths;
  double scale = 1;
  for (const auto& placed : layout.links) {
    const auto& link = machine.links[placed.link];
    widths.push_back(0.6 + 2.2 * std::sqrt(std::max(link.forward, link.backward).value / 1e9));
    scale = std::min(scale, widest_line / widths.back());
  }
  for (std::size_t i = 0; i < widths.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      scale = std::min(scale, (apart(layout.links[i], layout.links[k]) - 1) / (widths[i] / 2 + widths[k] / 2));
  for (auto& width : widths)
    width = std::max(thinnest_line, scale * width);
  return widths;
}

Drawing draw(const Machine& machine, double width) {
  const auto layout = lay_out(machine, width);
  Drawing out{width, layout.height + (width < 500 && machine.has_use ? 38 : 22), "", {}};
  out.says = fmt::format("The machine {}: {} of {} nodes with their devices and links", machine.name,
                         layout.nodes.size(), machine.nodes.size());
  for (const auto& node : layout.nodes) {
    out.add(Rect{{node.box.left, node.box.top}, node.box.width, node.box.height, {}, Paint::grid, 6});
    auto name = machine.nodes[node.node];
    if (layout.nodes.size() == 1 && machine.nodes.size() > 1)
      name += fmt::format(", and {} like it", machine.nodes.size() - 1);
    out.add(Text{{node.box.left + 8, node.box.top + 14}, std::move(name), Anchor::start, Paint::muted, 11});
  }
  const auto widths = line_widths(machine, layout);
  std::vector<std::size_t> links(widths.size()); // those in use are drawn above the others
  std::iota(links.begin(), links.end(), std::size_t{0});
  std::ranges::stable_sort(links, {}, [&](std::size_t i) { return busy_of(machine.links[layout.links[i].link]); });
  for (const auto i : links) {
    const auto& link = machine.links[layout.links[i].link];
    out.add(Stroke{layout.links[i].spots, paint_of(machine, link), widths[i], link.is_leg}, link_text(machine, link));
  }
  for (const auto& placed : layout.devices)
    draw_device(machine.devices[placed.device], placed.box, out);
  draw_legend(machine, layout.height, width, out);
  return out;
}

Figure machine_figure(const Machine& whole, std::string title) {
  const auto machine = with_alike_as_one(whole);
  std::string caption = machine.has_use ? "Links are coloured by how busy their busier direction is." : "";
  if (std::ranges::any_of(machine.devices, [](const MachineDevice& device) { return device.memory.has_value(); }))
    caption += " A line at the bottom of a device is its memory.";
  if (std::ranges::any_of(machine.links, &MachineLink::is_leg))
    caption += " Dashed is the limited access of one device to another one's memory.";
  const auto shown = lay_out(machine, wide_page).nodes.size();
  if (shown < machine.nodes.size())
    caption += fmt::format("{}Shown {} {} of {} nodes{}.", caption.empty() ? "" : " ", shown == 1 ? "is" : "are", shown,
                           machine.nodes.size(), shown == 1 ? ", which are alike" : "");
  return figure_of(std::move(title), caption, machine);
}

} // namespace kakehashi
