// The parts of a platform file → the parts of its Platform, and checks of the whole.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"
#include "model/platform_fields.hpp"

#include <map>
#include <optional>
#include <set>

namespace kakehashi {

// An object of a platform file that fits its schema → the value whose fields it states, by the value's table of fields.

// The names and kinds that fields may refer to.
struct FieldContext {
  std::map<std::string, Bytes> thresholds; // message sizes by name
  std::set<DeviceKind> kinds;              // the kinds of endpoints that the platform has; each needs a value
};

// Reads a size as text, or as the name of a threshold.
std::optional<Bytes> size_of(const nlohmann::json& text, const FieldContext& context);

// Includes the claims, which are no plain field.
Source read_source(const nlohmann::json& object, const std::string& place, Faults& faults);

// Fields that are left out keep their values in `value`.
void read_object(const nlohmann::json& object, const std::string& place, const FieldContext& context, Faults& faults,
                 const Object& value);
template <class Owner>
Owner read_fields(const nlohmann::json& object, const std::string& place, const FieldContext& context, Faults& faults,
                  Owner value = {}) {
  read_object(object, place, context, faults, object_of(value));
  return value;
}

inline constexpr std::size_t most_devices = 200000; // in a platform
inline constexpr std::size_t most_links = 4000000;  // in a platform

// Reads nodes, devices and links.
void read_machine(const nlohmann::json& root, Platform& platform, Faults& faults);

// Reads the list of a device's memories. Their bandwidth together becomes that of the device's memory.
void read_memories(const nlohmann::json& entry, const std::string& place, Device& device, Faults& faults);

// The devices and links of a template, with the template's names. Links have indices of the template's devices.
struct NodeTemplate {
  std::vector<Device> devices;
  std::vector<Link> links;
};
// Reads the devices and links of a template's object.
NodeTemplate read_template(const nlohmann::json& body, const std::string& place, Faults& faults);
using NodeTemplates = std::map<std::string, NodeTemplate>;
void add_node(const std::string& name, const NodeTemplate& made_of, Platform& platform);
// Returns the template of that name; null, with a fault, if there is none.
const NodeTemplate* find_template(const nlohmann::json& name, const std::string& place, const NodeTemplates& templates,
                                  Faults& faults);

// Reads a link's data sheet and bandwidth. Fields that the entry leaves out keep their values in `link`. Without a
// field that its type needs, the link has no rating; this is a fault unless the entry states a bandwidth.
Link read_link(const nlohmann::json& entry, const std::string& place, Faults& faults, Link link = {});

// Reads the nodes and links of "tofu". The platform must be empty.
void read_torus(const nlohmann::json& tofu, const NodeTemplates& templates, Platform& platform, Faults& faults);
// Reads the switches and links of "networks". The platform must have all other devices.
void read_networks(const nlohmann::json& networks, Platform& platform, Faults& faults);

// Reads the limits of PCIe devices that use each other's memory, for a platform that has its name. Faults of a file
// that the platform shares with others go to `elsewhere`.
void read_peer_limits(const JsonDocument& document, Platform& platform, Faults& faults, Errors& elsewhere);
// Puts the limits of a shared file where the platform's document names it, so that they can be changed one by one.
Errors unshare_peer_limits(JsonDocument& document);

// The platform must have its machine, which may be incomplete if there are faults.
void read_fabrics(const nlohmann::json& root, Platform& platform, Faults& faults);
// Read a fabric's stages, or the fabrics that carry its messages by scope.
void read_stages(const nlohmann::json& body, const std::string& place, Fabric& fabric, Faults& faults);
void read_by_scope(const nlohmann::json& body, Fabric& fabric);
// Check the names that these use. The platform must have all of its fabrics.
void check_stages(const nlohmann::json& fabrics, const Platform& platform, Faults& faults);
void check_by_scope(const Platform& platform, Faults& faults);

// Finds endpoints that messages cannot reach over links or through a gateway.
void check_reachability(const Platform& platform, Faults& faults);

// A name with ranges of numbers, such as "node[0-7].hca" → all names for which it stands.

// "[0-3,8]" stands for 0, 1, 2, 3, 8, and "[00-15]" for two digits each. Of several brackets the last one runs fastest.
// A name without brackets stands for itself. Returns none, with a fault, if a bracket holds no range, or there are more
// names than a platform may have devices.
std::optional<std::vector<std::string>> names_in(const std::string& text, const std::string& place, Faults& faults);

} // namespace kakehashi
