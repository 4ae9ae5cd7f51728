// The folders platforms/ and scenarios/ → everything in them that predictions are held to.
#pragma once

#include "base/error.hpp"
#include "input/json_document.hpp"
#include "spec/catalogue.hpp"

namespace kakehashi {

// `root` holds platforms/ and scenarios/. `platform` keeps only what belongs to that platform; "all" keeps everything.
Result<Catalogue> read_catalogue(const std::string& root, const std::string& platform);

Result<std::vector<Claim>> parse_claims(const JsonDocument& document);

} // namespace kakehashi
