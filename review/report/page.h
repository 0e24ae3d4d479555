// What pages share: a style, and text of files that anybody may have written, made safe to show.
#pragma once

#include <kainjow/mustache.hpp>
#include <string>

namespace sinter {

// What a browser would not show, or show elsewhere, is spelled out. The template makes the rest text.
std::string shown(const std::string& text);

kainjow::mustache::data list();

// A key whose value is empty is no key: its section is left out.
void set_if(kainjow::mustache::data* object, const std::string& key, const std::string& text);
// "has_KEY" says whether there are any.
void set_list(kainjow::mustache::data* object, const std::string& key, const kainjow::mustache::data& entries);

// "exp.1 = f32[8] exponential(x)  model.py:12" as an entry of a list: its Python line stands apart.
kainjow::mustache::data hlo_line(const std::string& line, const std::string& kind);

// The text of templates/review; a page's {{{style}}} is style.css of that folder.
kainjow::mustache::mustache read_page_template(const std::string& path);
void set_style(kainjow::mustache::data* page);

}  // namespace sinter
