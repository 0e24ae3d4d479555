// The text of inline SVG. What others wrote is made safe to show here, as templates do it for the rest of a page.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace sinter {

// What a browser would not show is spelled out, and markup is text.
std::string escaped(const std::string& text);

// "12.3", "7": a tenth of a pixel is as good as all digits.
std::string pixels(double number);

using SvgAttributes = std::initializer_list<std::pair<std::string_view, std::string>>;
// <tag name="value">content</tag>: values are escaped, the content is not.
std::string element(std::string_view tag, const SvgAttributes& attributes, const std::string& content = "");

// What a browser shows of an element that is pointed at.
std::string tooltip(const std::string& text);

// Text that begins at, is in the middle of, or ends at a place, by `anchor`: "start", "middle", "end".
std::string text_at(double x, double y, const std::string& text, const std::string& style_class = "",
                    const std::string& anchor = "start");

// What a chart is drawn on.
std::string ground(double x, double y, double width, double height);

// "dense_gener…": so many characters at most.
std::string shortened(const std::string& text, size_t most);

// The class of a kernel's colour. There are seven, told apart without hue too by the number beside them.
std::string colour_class(size_t kernel);

// A whole drawing; `label` is what a screen reader says of it.
std::string drawing(double width, double height, const std::string& label, const std::string& content);

}  // namespace sinter
