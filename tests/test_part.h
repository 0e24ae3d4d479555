// Which of many programs a test takes: with SINTER_TEST_PART=1/3 of three that follow each other the second; without,
// all.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace sinter {

template <class Program>
std::vector<Program> part_of(const std::vector<Program>& programs) {
  unsigned part = 0, parts = 1;
  const char* said = std::getenv("SINTER_TEST_PART");
  if (said != nullptr && (std::sscanf(said, "%u/%u", &part, &parts) != 2 || part >= parts)) {
    std::printf("SINTER_TEST_PART=%s is no part\n", said);
    std::exit(2);
  }
  std::vector<Program> chosen;
  for (size_t i = part; i < programs.size(); i += parts) chosen.push_back(programs[i]);
  return chosen;
}

}  // namespace sinter
