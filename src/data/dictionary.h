// Texts by number, in order of first appearance; and the order in which categories and classes are
// shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coppice {

class Dictionary {
 public:
  // The number of the text, a new one if it was not there.
  std::uint32_t code(std::string_view text);
  bool contains(std::string_view text) const { return codes_.contains(text); }
  std::size_t size() const { return texts_.size(); }
  const std::string& text(std::size_t code) const { return *texts_[code]; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> codes_;
  std::vector<const std::string*> texts_;  // keys of codes_, which never move
};

// By value if all texts are numbers (so 10 comes after 9), else by bytes.
struct SortedTexts {
  std::vector<std::string> texts;
  std::vector<std::uint32_t> rank;  // by code of the dictionary: where in `texts` it is
};
SortedTexts sorted(const Dictionary&);

}  // namespace coppice
