#include "robots-bench-googlebot/src/bridge.h"

#include <string>

#include "robots.h"

bool is_allowed(rust::Slice<const std::uint8_t> body, rust::Str agent, rust::Str url) {
  googlebot::RobotsMatcher matcher;
  const absl::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
  return matcher.OneAgentAllowedByRobots(text, std::string(agent), std::string(url));
}
