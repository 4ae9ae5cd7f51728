// Debian's fmt is built for this machine, so what it has compiled is compiled here, once.
#include <fmt/format-inl.h>

template void fmt::detail::buffer<char>::append(const char*, const char*);
template void fmt::detail::vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>, locale_ref);
template auto fmt::detail::decimal_point_impl(locale_ref) -> char;
template auto fmt::detail::thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto fmt::detail::dragonbox::to_decimal(float) noexcept -> decimal_fp<float>;
template auto fmt::detail::dragonbox::to_decimal(double) noexcept -> decimal_fp<double>;
