// The folders platforms/ and scenarios/ → everything in them that predictions are held to.
#pragma once

#include "base/error.hpp"
#include "input/json/checked.hpp"
#include "input/json/json_document.hpp"
#include "model/catalogue.hpp"

#include <map>

namespace kakehashi {

// `root` holds platforms/ and scenarios/. `platform` keeps only what belongs to that platform; "all" keeps everything.
Result<Catalogue> read_catalogue(const std::string& root, const std::string& platform);

// The role that an object declares by the key "role"; none without it.
std::optional<Role> read_role(const Checked& object);

// Claims, as runs on the platforms; some take a shipped scenario (by platform/name) for what they do not say
// themselves. Errors: an entry that is none.
Result<std::vector<ClaimCase>> read_claims(const JsonDocument& document,
                                           const std::map<std::string, std::shared_ptr<const Platform>>& platforms,
                                           const std::map<std::string, Scenario>& scenarios);

} // namespace kakehashi
