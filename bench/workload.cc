// SPDX-License-Identifier: MIT
// What the benchmark's compiler compiles: library templates in number, so that clang++ runs for a
// while with deep and varied stacks.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

template <int N> struct Level {
	std::map<std::string, std::vector<std::tuple<int, std::string, Level<N - 1>>>> below;
	std::variant<int, double, std::string, std::shared_ptr<Level<N - 1>>> value;

	size_t weigh() const
	{
		size_t sum = std::visit([](auto const &v) { return sizeof(v); }, value);

		for (auto const &[name, list] : below)
			for (auto const &[number, text, level] : list)
				sum += name.size() + text.size() + (size_t)number + level.weigh();
		return sum;
	}
};

template <> struct Level<0> {
	size_t weigh() const { return 1; }
};

template <typename Key> size_t tally(std::vector<Key> const &keys)
{
	std::unordered_map<Key, std::set<size_t>> places;
	std::function<size_t(size_t)> pick = [&](size_t i) { return places[keys[i]].size(); };

	for (size_t i = 0; i < keys.size(); i++)
		places[keys[i]].insert(i);
	std::vector<size_t> order(keys.size());
	std::iota(order.begin(), order.end(), 0);
	std::stable_sort(order.begin(), order.end(),
			 [&](size_t a, size_t b) { return pick(a) < pick(b); });
	return std::accumulate(order.begin(), order.end(), size_t(0));
}

size_t match(std::string const &text)
{
	static const std::regex word("([a-z]+)=([0-9]+);?");
	std::ostringstream out;

	for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
		out << (*it)[2] << ' ' << (*it)[1] << '\n';
	return out.str().size();
}

} // namespace

size_t workload(std::string const &text)
{
	Level<24> top;

	return top.weigh() + match(text) + tally<std::string>({ text }) + tally<int>({ 1, 2 }) +
	       tally<long>({ 3 }) + tally<char>({ 'x' }) + tally<unsigned>({ 5 });
}
