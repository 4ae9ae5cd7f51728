// The folders platforms/ and scenarios/ → all measurements and claims with which predictions are compared.
#pragma once

#include "base/error.hpp"
#include "input/json/checked.hpp"
#include "input/json/json_document.hpp"
#include "model/catalogue.hpp"

#include <map>

namespace kakehashi {

// `root` holds platforms/ and scenarios/. `platform` keeps only what belongs to that platform; "all" keeps everything.
Result<Catalogue> read_catalogue(const std::string& root, const std::string& platform);

// Returns the role under the key "role"; none without the key.
std::optional<Role> read_role(const Checked& object);

// Returns the claims as runs on the platforms. Some claims take from a shipped scenario (by platform/name) what they do
// not state themselves. Errors: an entry is no claim.
Result<std::vector<ClaimCase>> read_claims(const JsonDocument& document,
                                           const std::map<std::string, std::shared_ptr<const Platform>>& platforms,
                                           const std::map<std::string, Scenario>& scenarios);

} // namespace kakehashi
