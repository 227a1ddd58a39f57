#pragma once

#include <cstdint>

#include "rust/cxx.h"

bool is_allowed(rust::Slice<const std::uint8_t> body, rust::Str agent, rust::Str url);
