#include "writer/json_edit.hpp"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <vector>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view blank = " \t\r\n";

// Where a value is in the text, and its parts.
struct Place {
  std::size_t begin = 0, end = 0;
  std::size_t key_begin = 0; // the beginning of a member's key; an element's, and the whole text's, own beginning
  std::string key;
  std::vector<Place> parts; // members or elements
};

std::size_t skip_blank(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(blank, at), text.size());
}

std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; text[at] != '"'; ++at)
    if (text[at] == '\\')
      ++at;
  return at + 1;
}

Place place_at(std::string_view text, std::size_t at) {
  Place place;
  place.begin = place.key_begin = at;
  const char first = text[at];
  if (first == '"')
    place.end = end_of_string(text, at);
  else if (first != '{' && first != '[')
    place.end = std::min(text.find_first_of(",]} \t\r\n", at), text.size());
  else {
    for (at = skip_blank(text, at + 1); text[at] != '}' && text[at] != ']';) {
      const auto start = at;
      std::string key;
      if (first == '{') {
        const auto end = end_of_string(text, at);
        key = Json::parse(text.substr(at, end - at)).get<std::string>();
        at = skip_blank(text, skip_blank(text, end) + 1); // after the colon
      }
      place.parts.push_back(place_at(text, at));
      place.parts.back().key_begin = start;
      place.parts.back().key = std::move(key);
      at = skip_blank(text, place.parts.back().end);
      if (text[at] == ',')
        at = skip_blank(text, at + 1);
    }
    place.end = at + 1;
  }
  return place;
}

const Place* find_part(const Place& place, const std::string& key) {
  const auto found = std::ranges::find(place.parts, key, &Place::key);
  return found == place.parts.end() ? nullptr : &*found;
}

// The style of the file, for parts without a neighbour to imitate.
struct Style {
  std::size_t step = 2;     // number of blanks of one indent
  bool has_inline = false;  // some objects are on one line
  std::string colon = ": "; // includes the space after it
  std::string padding;      // inside the braces of one-line objects
};

std::string_view part_of(std::string_view text, const Place& place) {
  return text.substr(place.begin, place.end - place.begin);
}

void look_at(std::string_view text, const Place& place, Style& style) {
  if (text[place.begin] == '{' && !place.parts.empty()) {
    const auto& first = place.parts.front();
    const auto written = text.substr(first.key_begin, first.begin - first.key_begin);
    style.colon = written.back() == ' ' ? ": " : ":";
    if (part_of(text, place).find('\n') == std::string_view::npos) {
      style.has_inline = true;
      style.padding = first.key_begin > place.begin + 1 ? " " : "";
    }
  }
  for (const auto& part : place.parts)
    look_at(text, part, style);
}

Style style_of(std::string_view text, const Place& whole) {
  Style style;
  look_at(text, whole, style);
  if (!whole.parts.empty()) {
    const auto& first = whole.parts.front();
    const auto line = text.find_last_of('\n', first.key_begin);
    if (line != std::string_view::npos && line > whole.begin && first.key_begin > line + 1)
      style.step = first.key_begin - line - 1;
  }
  return style;
}

std::string in_a_line(const Json& value, const Style& style) {
  if (!value.is_structured() || value.empty())
    return value.dump();
  std::string line = value.is_object() ? "{" + style.padding : "[";
  bool is_first = true;
  for (const auto& [key, part] : value.items()) {
    line += is_first ? "" : ", ";
    is_first = false;
    if (value.is_object())
      line += Json(key).dump() + style.colon;
    line += in_a_line(part, style);
  }
  return line + (value.is_object() ? style.padding + "}" : "]");
}

std::string indent_at(std::string_view text, std::size_t at) {
  const auto line = text.find_last_of('\n', at == 0 ? 0 : at - 1);
  const auto start = line == std::string_view::npos ? 0 : line + 1;
  return std::string(text.substr(start, std::min(text.find_first_not_of(" \t", start), text.size()) - start));
}

std::string over_lines(const Json& value, const Style& style, const std::string& indent) {
  std::string lines;
  for (const char c : value.dump(static_cast<int>(style.step))) {
    lines += c;
    if (c == '\n')
      lines += indent;
  }
  return lines;
}

// A change of the text.
struct Edit {
  std::size_t begin, end;
  std::string text;
};

class Editor {
public:
  Editor(const std::string& text, const Place& whole) : text_(text), style_(style_of(text, whole)) {}

  // Changes a place so that it holds a value.
  void change(const Place& place, const Json& value) {
    const auto old = Json::parse(part_of(text_, place));
    if (old == value)
      return;
    const bool is_alike = old.is_structured() && old.type() == value.type() && !value.empty();
    if (is_alike && old.is_array() && !old.empty())
      change_elements(place, value);
    else if (is_alike && old.is_object() && has_common_key(old, value))
      change_members(place, value);
    else
      edits_.push_back({place.begin, place.end, written_like(value, &place, place.begin)});
  }

  // Inserts a part before one of a place's parts, or after the last.
  void insert(const Place& place, std::size_t index, const std::string& key, const Json& value) {
    const auto& parts = place.parts;
    const bool is_last = index == parts.size();
    const auto& neighbour = parts[is_last ? index - 1 : index];
    const auto* model = text_[place.begin] == '[' ? &neighbour : nullptr;
    auto written = written_like(value, model, neighbour.key_begin);
    if (!key.empty())
      written = Json(key).dump() + style_.colon + written;
    if (is_last)
      edits_.push_back({neighbour.end, neighbour.end, "," + between(place) + written});
    else
      edits_.push_back({neighbour.key_begin, neighbour.key_begin, written + "," + between(place)});
  }

  std::string result() {
    std::ranges::stable_sort(
        edits_, [](const Edit& a, const Edit& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    auto text = text_;
    for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit)
      text.replace(edit->begin, edit->end - edit->begin, edit->text);
    return text;
  }

private:
  const std::string& text_;
  Style style_;
  std::vector<Edit> edits_;

  static bool has_common_key(const Json& old, const Json& value) {
    for (const auto& [key, part] : old.items())
      if (value.contains(key))
        return true;
    return false;
  }

  // Returns the text between two parts, after the comma.
  std::string between(const Place& place) const {
    const auto& parts = place.parts;
    const auto behind_comma = [&](std::size_t from, std::size_t to) { return text_.substr(from, to - from); };
    if (parts.size() > 1)
      return behind_comma(text_.find(',', parts[0].end) + 1, parts[1].key_begin);
    const auto lead = behind_comma(place.begin + 1, parts[0].key_begin);
    return lead.find('\n') == std::string::npos ? " " : lead;
  }

  // Writes the value on one line or on several, like the model; without a model that has parts, like the file.
  std::string written_like(const Json& value, const Place* model, std::size_t at) const {
    constexpr std::size_t longest = 100;
    if (model && model->parts.empty())
      model = nullptr;
    const auto line = in_a_line(value, style_);
    const bool is_line = model ? part_of(text_, *model).find('\n') == std::string_view::npos
                               : style_.has_inline && line.size() <= longest;
    return is_line || !value.is_structured() ? line : over_lines(value, style_, indent_at(text_, at));
  }

  void change_elements(const Place& place, const Json& value) {
    const auto kept = std::min(place.parts.size(), value.size());
    for (std::size_t i = 0; i < kept; ++i)
      change(place.parts[i], value[i]);
    if (kept < place.parts.size())
      edits_.push_back({place.parts[kept - 1].end, place.parts.back().end, ""});
    for (std::size_t i = kept; i < value.size(); ++i)
      insert(place, kept, "", value[i]);
  }

  void change_members(const Place& place, const Json& value) {
    const auto& parts = place.parts;
    const auto is_kept = [&](const Place& part) { return value.contains(part.key); };
    const auto first = static_cast<std::size_t>(std::ranges::find_if(parts, is_kept) - parts.begin());
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (is_kept(parts[i]))
        change(parts[i], value[parts[i].key]);
      else if (i < first)
        edits_.push_back({parts[i].key_begin, parts[i + 1].key_begin, ""});
      else
        edits_.push_back({parts[i - 1].end, parts[i].end, ""});
    // A new member follows the member that it follows in the value.
    std::size_t behind = parts.size(); // none
    for (const auto& [key, part] : value.items()) {
      const auto* known = find_part(place, key);
      if (known)
        behind = static_cast<std::size_t>(known - parts.data());
      else if (behind == parts.size())
        insert(place, first, key, part);
      else
        insert_behind(place, behind, key, part);
    }
  }

  void insert_behind(const Place& place, std::size_t index, const std::string& key, const Json& value) {
    const auto& neighbour = place.parts[index];
    edits_.push_back(
        {neighbour.end, neighbour.end,
         "," + between(place) + Json(key).dump() + style_.colon + written_like(value, nullptr, neighbour.key_begin)});
  }
};

const Place& descend(const Place& place, const std::string& key) {
  if (const auto* member = find_part(place, key); member && !key.empty())
    return *member;
  return place.parts[std::stoul(key)];
}

// Returns the value that has the last key of a pointer.
const Place& holder_of(const Place& whole, Json::json_pointer pointer) {
  std::vector<std::string> keys;
  for (pointer = pointer.parent_pointer(); !pointer.empty(); pointer = pointer.parent_pointer())
    keys.push_back(pointer.back());
  const Place* place = &whole;
  for (auto key = keys.rbegin(); key != keys.rend(); ++key)
    place = &descend(*place, *key);
  return *place;
}

} // namespace

std::string with_value(const std::string& text, const Json::json_pointer& pointer, const Json& value) {
  assert(!pointer.empty());
  const auto whole = place_at(text, skip_blank(text, 0));
  const auto& holder = holder_of(whole, pointer);
  Editor editor(text, whole);
  const bool is_list = text[holder.begin] == '[';
  if (is_list || find_part(holder, pointer.back()))
    editor.change(descend(holder, pointer.back()), value);
  else if (!holder.parts.empty())
    editor.insert(holder, holder.parts.size(), pointer.back(), value);
  else
    editor.change(holder, Json{{pointer.back(), value}});
  return editor.result();
}

std::string with_element(const std::string& text, const Json::json_pointer& list, std::size_t index,
                         const Json& element) {
  const auto whole = place_at(text, skip_blank(text, 0));
  const auto& place = descend(holder_of(whole, list), list.back());
  assert(index < place.parts.size());
  Editor editor(text, whole);
  editor.insert(place, index, "", element);
  return editor.result();
}

} // namespace kakehashi
