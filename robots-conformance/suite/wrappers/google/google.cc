// Answers questions for Google's parser: each line has the file, the crawler and the URL in base64, each after a `=`.

#include <iostream>
#include <string>

#include "absl/strings/escaping.h"
#include "robots.h"

int main() {
  std::string words[3];
  while (std::cin >> words[0] >> words[1] >> words[2]) {
    std::string texts[3];
    for (int i = 0; i < 3; ++i) {
      if (!absl::Base64Unescape(words[i].substr(1), &texts[i])) return 2;
    }
    googlebot::RobotsMatcher matcher;
    std::cout << matcher.OneAgentAllowedByRobots(texts[0], texts[1], texts[2]) << std::endl;
  }
}
