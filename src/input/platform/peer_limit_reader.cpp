// The limits of PCIe devices that use each other's memory, which a platform states, or a file that it shares with
// others.
#include "base/file.hpp"
#include "input/json/schema.hpp"
#include "input/platform/part_readers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// The schema of a file of limits: that of a platform's list, and a description.
std::string list_schema() {
  auto schema = json::parse(platform_schema_text);
  json properties;
  for (const auto* key : {"$schema", "description", "peer_limits"})
    properties[key] = schema["properties"][key];
  properties["peer_limits"]["type"] = "array";
  schema["properties"] = std::move(properties);
  schema["required"] = {"peer_limits"};
  return schema.dump();
}

// A shared file names claims as PLATFORM/ID; those of other platforms than this one are left out.
void choose_claims(Source& source, const std::string& platform) {
  std::vector<std::string> own;
  for (const auto& claim : source.claims)
    if (const auto slash = claim.find('/'); slash == std::string::npos || claim.substr(0, slash) == platform)
      own.push_back(claim.substr(slash + 1)); // from 0 on, if there is no slash
  source.claims = std::move(own);
}

void read_list(const json& list, Platform& platform, Faults& faults) {
  const auto hides = [](const PeerLimit& earlier, const PeerLimit& later) {
    return earlier.requester == later.requester && earlier.memory == later.memory && earlier.access == later.access &&
           (!earlier.crosses || earlier.crosses == later.crosses);
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto at = pointer_to("/peer_limits", i);
    auto limit = read_fields<PeerLimit>(list[i], at, {}, faults);
    choose_claims(limit.source, platform.name);
    for (std::size_t j = 0; j < i; ++j)
      if (hides(platform.peer_limits[j], limit)) {
        faults.add(at, fmt::format("this limit can never apply, because {} fits all that it fits",
                                   pointer_to("/peer_limits", j)));
        break;
      }
    platform.peer_limits.push_back(std::move(limit));
  }
}

Result<JsonDocument> read_shared(const std::string& file) {
  auto shared = read_json(file);
  if (!shared)
    return shared.errors();
  if (auto errors = check_schema(*shared, list_schema()); !errors.empty())
    return errors;
  return shared;
}

} // namespace

void read_peer_limits(const JsonDocument& document, Platform& platform, Faults& faults, Errors& elsewhere) {
  const auto& root = *document.root;
  if (!root.contains("peer_limits"))
    return;
  if (root["peer_limits"].is_array())
    return read_list(root["peer_limits"], platform, faults);
  const auto file = beside(document.file, root["peer_limits"].get<std::string>());
  const auto shared = read_shared(file);
  Faults in_file(file);
  if (shared)
    read_list((*shared->root)["peer_limits"], platform, in_file);
  for (const auto& error : shared ? shared->in_document_order(in_file.take()) : shared.errors())
    elsewhere.push_back(error);
}

Errors unshare_peer_limits(JsonDocument& document) {
  auto& root = *document.root;
  if (!root.is_object() || !root.contains("peer_limits") || !root["peer_limits"].is_string())
    return {};
  const auto shared = read_shared(beside(document.file, root["peer_limits"].get<std::string>()));
  if (!shared)
    return shared.errors();
  root["peer_limits"] = (*shared->root)["peer_limits"];
  return {};
}

} // namespace kakehashi
