
// Hides what is not searched for, and opens what is linked to where the browser does not. Nothing else needs it.
"use strict";
(() => {
  const form = document.querySelector("form.search");
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const kernels = [...document.querySelectorAll("details.kernel")];
  const others = [...document.querySelectorAll("[data-kernel]:not(details)")];
  const instructions = [...document.querySelectorAll(".k circle, .k .node")];
  const text = new Map();  // of elements, in small letters; read when it is first searched
  const textOf = (element) => {
    if (!text.has(element)) text.set(element, element.textContent.toLowerCase());
    return text.get(element);
  };
  const titleOf = (element) => {
    if (!text.has(element)) text.set(element, element.querySelector("title").textContent.toLowerCase());
    return text.get(element);
  };
  let matching = kernels;
  let next = 0;

  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const has = (content) => words.every((word) => content.includes(word));
    matching = kernels.filter((kernel) => has(textOf(kernel)));
    next = 0;
    const ids = new Set(matching.map((kernel) => kernel.dataset.kernel));
    for (const kernel of kernels) kernel.hidden = !ids.has(kernel.dataset.kernel);
    for (const other of others) {
      const off = other.dataset.kernel !== "" && !ids.has(other.dataset.kernel);
      if (other.localName === "tr") other.hidden = off;
      else other.classList.toggle("off", off);
    }
    for (const instruction of instructions) {
      instruction.classList.toggle("hit", words.length !== 0 && has(titleOf(instruction)));
    }
    found.textContent = words.length === 0 ? "" : `${matching.length} of ${kernels.length} kernels`;
  };

  const open = (kernel) => {
    kernel.open = true;
    kernel.scrollIntoView();
    kernel.querySelector("summary").focus({preventScroll: true});
  };

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const kernel = target === null ? null : target.closest("details");
    if (kernel === null) return;
    kernel.hidden = false;
    kernel.open = true;
    target.scrollIntoView();
  };

  form.hidden = false;
  let waiting = 0;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 120);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    const at = next;
    search();
    if (matching.length === 0) return;
    open(matching[at % matching.length]);
    next = at + 1;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== field && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (event.key === "Escape" && field.value !== "") {
      field.value = "";
      search();
    }
  });
  addEventListener("hashchange", reveal);
  reveal();
})();
