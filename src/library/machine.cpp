#include "kakehashi/machine.hpp"

#include "base/data_folder.hpp"
#include "input/platform/platform_reader.hpp"
#include "library/rank_driver.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kakehashi::api {
namespace {

std::string local_name(const std::string& device) {
  return device.substr(device.find('.') + 1);
}
// Empty for a device outside any node.
std::string node_name(const std::string& device) {
  const auto dot = device.find('.');
  return dot == std::string::npos ? "" : device.substr(0, dot);
}

std::string text(Seconds time) {
  return fmt::format("{} s", time.value);
}
std::string text(BytesPerSecond rate) {
  return fmt::format("{} B/s", rate.value);
}
std::string text(Bytes size) {
  return fmt::format("{} B", size.count);
}

nlohmann::json to_json(const Regime& regime) {
  nlohmann::json json{{"from", text(regime.from)},     {"trips", regime.trips},       {"o_send", text(regime.o_send)},
                      {"o_recv", text(regime.o_recv)}, {"setup", text(regime.setup)}, {"gap", text(regime.gap)}};
  if (regime.cap)
    json["cap"] = text(*regime.cap);
  return json;
}

} // namespace

Machine Machine::load(const std::string& file) {
  return Machine(std::make_shared<const Platform>(value_or_throw(read_platform(or_shipped(file, file)))));
}

Machine Machine::parse(const std::string& json, const std::string& name) {
  const auto document = value_or_throw(parse_json(json, name));
  return Machine(std::make_shared<const Platform>(value_or_throw(parse_platform(document))));
}

std::string Machine::name() const {
  return platform_->name;
}

std::vector<std::string> Machine::fabrics() const {
  std::vector<std::string> names;
  for (const auto& fabric : platform_->fabrics)
    names.push_back(fabric.name);
  return names;
}

std::vector<std::string> Machine::devices() const {
  std::vector<std::string> names;
  for (const auto& device : platform_->devices)
    if (can_run_ranks(device.kind))
      names.push_back(device.name);
  return names;
}

// Each node has a template of its own with the node's name.
struct MachineBuilder::Parts {
  nlohmann::json root;
};

MachineBuilder::MachineBuilder(std::string name) : parts_(std::make_unique<Parts>()) {
  parts_->root["name"] = std::move(name);
}
MachineBuilder::MachineBuilder(MachineBuilder&&) noexcept = default;
MachineBuilder& MachineBuilder::operator=(MachineBuilder&&) noexcept = default;
MachineBuilder::~MachineBuilder() = default;

MachineBuilder& MachineBuilder::device(const std::string& node, const std::string& name, const std::string& kind) {
  parts_->root["nodes"][node] = node;
  parts_->root["templates"][node]["devices"].push_back({{"name", name}, {"kind", kind}});
  return *this;
}

MachineBuilder& MachineBuilder::device(const std::string& name, const std::string& kind) {
  parts_->root["devices"].push_back({{"name", name}, {"kind", kind}});
  return *this;
}

MachineBuilder& MachineBuilder::link(const std::string& from, const std::string& to, const std::string& type,
                                     BytesPerSecond rate, Seconds latency) {
  nlohmann::json link{{"type", type}, {"bandwidth", text(rate)}, {"latency", text(latency)}};
  const auto node = node_name(from);
  const bool is_inside = !node.empty() && node == node_name(to);
  link["between"] = is_inside ? std::vector{local_name(from), local_name(to)} : std::vector{from, to};
  auto& owner = is_inside ? parts_->root["templates"][node] : parts_->root;
  owner["links"].push_back(std::move(link));
  return *this;
}

MachineBuilder& MachineBuilder::fabric(const std::string& name, const std::vector<std::string>& link_types,
                                       const std::vector<std::string>& gateways, const std::vector<Regime>& regimes) {
  auto rows = nlohmann::json::array();
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    auto row = to_json(regimes[i]);
    if (i + 1 < regimes.size())
      row["to"] = text(regimes[i + 1].from);
    rows.push_back(std::move(row));
  }
  nlohmann::json fabric{{"links", link_types}};
  if (!gateways.empty())
    fabric["gateways"] = gateways;
  fabric["rules"] = nlohmann::json::array({{{"regimes", std::move(rows)}}});
  parts_->root["fabrics"][name] = std::move(fabric);
  return *this;
}

Machine MachineBuilder::build() const {
  return Machine::parse(parts_->root.dump(), parts_->root["name"].get<std::string>());
}

} // namespace kakehashi::api
