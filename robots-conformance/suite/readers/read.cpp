// Counts the questions of a document: c++ -std=c++17 read.cpp -o read && ./read FOLDER DOCUMENT
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

int main(int, char** arguments) {
  std::string folder = arguments[1], document = arguments[2], line, cell;
  std::ifstream table(folder + "/verdicts.tsv");
  int count = 0, allowed = 0;
  for (std::getline(table, line); std::getline(table, line);) {
    std::vector<std::string> c;  // id, document, level, readings, needs, agents, url, decision, line, file
    for (std::istringstream cells(line); std::getline(cells, cell, '\t');) c.push_back(cell);
    bool scored = c[2] == "MUST" || c[2] == "SHOULD" || c[2] == "TEXT";
    if (c[1] != document || !scored || !c[3].empty() || !c[4].empty()) continue;
    std::ifstream file(folder + "/files/" + c[9], std::ios::binary);
    std::string body((std::istreambuf_iterator<char>(file)), {});  // Ask your parser about it here.
    count++, allowed += c[7] == "allow";
  }
  std::cout << document << " " << count << " questions, " << allowed << " allowed\n";
}
