// Scales, ticks, palettes and escapes against what they promise.
#include "draw/scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "draw/colour.h"
#include "draw/drawing.h"
#include "draw/escape.h"
#include "draw/stroke_font.h"

namespace coppice {
namespace {

TEST(Scale, MapsEndsAndMiddle) {
  const Scale scale{{-1, 3}, 100, 20};  // upside down, as a y axis
  EXPECT_DOUBLE_EQ(scale(-1), 100);
  EXPECT_DOUBLE_EQ(scale(3), 20);
  EXPECT_DOUBLE_EQ(scale(1), 60);
}

TEST(Scale, RangeSkipsWhatIsNotFinite) {
  const std::vector<double> values{2, NAN, -3, INFINITY};
  const Range range = range_of(std::span<const double>(values), 0.1);
  EXPECT_DOUBLE_EQ(range.low, -3.5);
  EXPECT_DOUBLE_EQ(range.high, 2.5);
  const std::vector<float> same{4, 4};
  EXPECT_GT(range_of(std::span<const float>(same)).length(), 0);
  EXPECT_EQ(range_of(std::span<const double>()).length(), 1);
}

TEST(Ticks, AreRoundInsideAndEvenlySpaced) {
  for (const double size : {1e-7, 0.003, 0.7, 1.0, 9.99, 1234.0, 5e9}) {
    for (const double start : {-0.31, 0.0, 0.77}) {
      const Range range{start * size, (start + 1) * size};
      const std::vector<Tick> made = ticks(range, 5);
      ASSERT_GE(made.size(), 2u) << size;
      EXPECT_LE(made.size(), 11u) << size;
      const double step = made[1].value - made[0].value;
      const double digits = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
      EXPECT_TRUE(std::abs(digits - 1) < 1e-6 || std::abs(digits - 2) < 1e-6 ||
                  std::abs(digits - 5) < 1e-6)
          << digits;
      std::set<std::string> labels;
      for (const Tick& tick : made) {
        EXPECT_GE(tick.value, range.low - 1e-9 * size);
        EXPECT_LE(tick.value, range.high + 1e-9 * size);
        EXPECT_NEAR(std::stod(tick.label), tick.value, 1e-3 * step);
        labels.insert(tick.label);
      }
      EXPECT_EQ(labels.size(), made.size());
    }
  }
}

TEST(Ticks, WholeOnesAreWhole) {
  for (const double last : {1.0, 2.0, 7.0, 100.0, 999.0}) {
    for (const Tick& tick : whole_ticks({0, last})) {
      EXPECT_EQ(tick.value, std::round(tick.value));
      EXPECT_EQ(tick.label.find('.'), std::string::npos);
    }
  }
  EXPECT_TRUE(ticks({1, 1}).empty());
}

// Relative luminance of sRGB.
double luminance(const Colour& colour) {
  const auto linear = [](float level) {
    return level <= 0.04045f ? level / 12.92 : std::pow((level + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

TEST(Palette, LevelsBecomeSteadilyLighter) {
  for (int n = 0; n < 100; ++n) {
    EXPECT_LT(luminance(sequential_colour(n / 100.0)),
              luminance(sequential_colour((n + 1) / 100.0)))
        << n;
  }
  EXPECT_EQ(hex(sequential_colour(-3)), hex(sequential_colour(0)));
  EXPECT_EQ(hex(sequential_colour(7)), hex(sequential_colour(1)));
}

TEST(Palette, ClassesDiffer) {
  EXPECT_EQ(hex(class_colour(0)), "#0072b2");
  std::set<std::string> seen;
  for (std::size_t k = 0; k < 26; ++k) seen.insert(hex(class_colour(k)));
  EXPECT_EQ(seen.size(), 26u);
}

TEST(Escape, XmlHoldsWhatIsLeft) {
  EXPECT_EQ(xml_escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(xml_escaped("\xC3\xA4\xE2\x82\xAC"), "\xC3\xA4\xE2\x82\xAC");
  EXPECT_EQ(xml_escaped("x\xFFy\x01z\xC3"), "x\xEF\xBF\xBDy\xEF\xBF\xBDz\xEF\xBF\xBD");
}

TEST(Escape, Base64OfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
}

TEST(Drawing, SvgEscapesWordsAndKeepsOrder) {
  Drawing drawing{40, 20, "a < b", {}};
  drawing.add(BoxShape{{0, 0, 10, 10}, kBlue, {}});
  drawing.text({3, 4}, "x & y");
  const std::string text = svg_text(drawing);
  EXPECT_NE(text.find("<title>a &lt; b</title>"), std::string::npos);
  EXPECT_NE(text.find(">x &amp; y</text>"), std::string::npos);
  EXPECT_LT(text.find(hex(kBlue)), text.find("x &amp; y"));
}

TEST(Drawing, PixelsAreWhereTheShapesAre) {
  Drawing drawing{20, 10, "", {}};
  drawing.add(BoxShape{{4, 2, 6, 5}, kBlue, {}});
  drawing.add(DiscShape{{15, 5}, 2, kRed, {}});
  const Picture made = raster(drawing);
  ASSERT_EQ(made.width(), 40u);
  ASSERT_EQ(made.height(), 20u);
  EXPECT_EQ(hex(made.at(8, 4)), hex(kBlue));
  EXPECT_EQ(hex(made.at(19, 13)), hex(kBlue));
  EXPECT_EQ(hex(made.at(20, 13)), hex(kWhite));
  EXPECT_EQ(hex(made.at(8, 3)), hex(kWhite));
  EXPECT_EQ(hex(made.at(30, 10)), hex(kRed));
  EXPECT_EQ(hex(made.at(30, 4)), hex(kWhite));
}

TEST(Drawing, WordsStayInTheirWidth) {
  for (char letter = ' '; letter <= '~'; ++letter) {
    EXPECT_EQ(glyph_of(letter).letter, letter);
    const std::string word(3, letter);
    Drawing drawing{60, 30, "", {}};
    drawing.text({10, 18}, word);
    const Picture made = raster(drawing);
    const auto end = static_cast<std::size_t>(2 * (10 + text_width(word, 12))) + 1;
    bool ink = false;
    for (std::size_t n = 0; n < made.width() * made.height(); ++n) {
      const std::size_t x = n % made.width();
      const bool here = hex(made.at(x, n / made.width())) != hex(kWhite);
      ink = ink || here;
      EXPECT_TRUE(!here || (x >= 18 && x <= end)) << letter << ' ' << x;
    }
    EXPECT_EQ(ink, letter != ' ') << letter;
  }
}

TEST(Drawing, LongWordsAreCutWholeCharacterByCharacter) {
  EXPECT_EQ(fitted("short", 12, 200), "short");
  const std::string cut = fitted("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 12, 40);
  EXPECT_TRUE(cut.ends_with(".."));
  EXPECT_EQ(cut.size() % 2, 0u);
  EXPECT_LE(text_room(cut, 12), 40);
}

}  // namespace
}  // namespace coppice
