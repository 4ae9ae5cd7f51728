#include "input/json/checked.hpp"

#include "input/json/json_document.hpp"

#include <nlohmann/json.hpp>

namespace kakehashi {

void Checked::refuse(std::string_view expected) const {
  throw Misfit{place_, mismatch(show(*value_), expected)};
}

bool Checked::is_null() const {
  return value_->is_null();
}
bool Checked::is_text() const {
  return value_->is_string();
}

std::string Checked::text() const {
  if (!value_->is_string())
    refuse("a text");
  return value_->get<std::string>();
}

double Checked::number() const {
  if (!value_->is_number())
    refuse("a number");
  return value_->get<double>();
}

std::uint64_t Checked::count() const {
  if (!value_->is_number_unsigned())
    refuse("a whole number from 0 on");
  return value_->get<std::uint64_t>();
}

bool Checked::flag() const {
  if (!value_->is_boolean())
    refuse("true or false");
  return value_->get<bool>();
}

std::vector<Checked> Checked::elements() const {
  if (!value_->is_array())
    refuse("a list");
  std::vector<Checked> elements;
  for (std::size_t i = 0; i < value_->size(); ++i)
    elements.emplace_back((*value_)[i], pointer_to(place_, i));
  return elements;
}

std::vector<Checked> Checked::elements(std::size_t count) const {
  if (!value_->is_array() || value_->size() != count)
    refuse("a list of " + std::to_string(count));
  return elements();
}

std::vector<std::string> Checked::texts() const {
  std::vector<std::string> texts;
  for (const auto& element : elements())
    texts.push_back(element.text());
  return texts;
}

std::optional<Checked> Checked::find(const std::string& key) const {
  if (!value_->is_object())
    refuse("an object");
  const auto found = value_->find(key);
  return found == value_->end() ? std::nullopt : std::optional(Checked(*found, pointer_to(place_, key)));
}

Checked Checked::at(const std::string& key) const {
  const auto found = find(key);
  if (!found)
    throw Misfit{place_, "the key " + in_quotes(key) + " is missing"};
  return *found;
}

std::vector<std::pair<std::string, Checked>> Checked::members() const {
  if (!value_->is_object())
    refuse("an object");
  std::vector<std::pair<std::string, Checked>> members;
  for (const auto& [key, value] : value_->items())
    members.emplace_back(key, Checked(value, pointer_to(place_, key)));
  return members;
}

} // namespace kakehashi
