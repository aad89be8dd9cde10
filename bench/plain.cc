// SPDX-License-Identifier: MIT
// An ordinary file for bench/record_clang.sh to compile: the library headers most programs use, and a few
// templates of them.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

struct item {
	std::string name;
	int n;
	double v;
};

std::map<std::string, std::vector<item>> table;
std::unordered_map<std::string, std::unique_ptr<item>> by_name;

int parse(std::istream &in)
{
	std::regex re("([a-z]+)=([0-9]+)");
	std::string line;
	std::smatch m;
	int n = 0;

	while (std::getline(in, line)) {
		if (!std::regex_match(line, m, re))
			continue;
		table[m[1]].push_back({ m[1], std::stoi(m[2]), 0.5 });
		by_name[m[1]] = std::make_unique<item>();
		n++;
	}
	for (auto &[name, items] : table)
		std::sort(items.begin(), items.end(), [](auto &a, auto &b) { return a.n < b.n; });
	return n;
}

int main()
{
	std::istringstream text("a=1\nb=2\n");

	std::cout << parse(text) << "\n";
}
