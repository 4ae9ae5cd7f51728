#include "input/trace/gpu/chakra_node.hpp"

namespace kakehashi {

std::optional<std::uint64_t> ProtobufReader::take_number() {
  constexpr int most_bytes = 10;
  std::uint64_t number = 0;
  for (int i = 0; i < most_bytes && place_ < bytes_.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes_[place_++]);
    number |= std::uint64_t{byte & 0x7fU} << (7 * i);
    if ((byte & 0x80U) == 0)
      return number;
  }
  is_damaged_ = true;
  return std::nullopt;
}

std::optional<std::string_view> ProtobufReader::take_bytes(std::uint64_t count) {
  if (count > bytes_.size() - place_) {
    is_damaged_ = true;
    return std::nullopt;
  }
  const auto taken = bytes_.substr(place_, count);
  place_ += count;
  return taken;
}

std::optional<std::uint64_t> ProtobufReader::take_fixed(std::size_t count) {
  const auto taken = take_bytes(count);
  if (!taken)
    return std::nullopt;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i)
    number |= std::uint64_t{static_cast<unsigned char>((*taken)[i])} << (8 * i);
  return number;
}

std::optional<ProtobufReader::Field> ProtobufReader::next() {
  if (at_end() || is_damaged_)
    return std::nullopt;
  const auto head = take_number();
  if (!head)
    return std::nullopt;
  Field field;
  field.id = *head >> 3;
  std::optional<std::uint64_t> number = 0;
  switch (*head & 7) {
  case 0: number = take_number(); break;
  case 1:
    field.kind = Field::Kind::fixed64;
    number = take_fixed(8);
    break;
  case 2: {
    field.kind = Field::Kind::bytes;
    const auto length = take_number();
    const auto bytes = length ? take_bytes(*length) : std::nullopt;
    field.bytes = bytes.value_or(std::string_view());
    break;
  }
  case 5:
    field.kind = Field::Kind::fixed32;
    number = take_fixed(4);
    break;
  default: is_damaged_ = true;
  }
  if (is_damaged_ || !number)
    return std::nullopt;
  field.number = *number;
  return field;
}

bool append_numbers(const ProtobufReader::Field& field, std::vector<std::uint64_t>& numbers) {
  if (field.kind == ProtobufReader::Field::Kind::number) {
    numbers.push_back(field.number);
    return true;
  }
  ProtobufReader list(field.bytes);
  while (!list.at_end()) {
    const auto number = list.take_number();
    if (!number)
      return false;
    numbers.push_back(*number);
  }
  return field.kind == ProtobufReader::Field::Kind::bytes;
}

} // namespace kakehashi
