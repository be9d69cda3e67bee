// Menus close on Escape. The current place of an event is scrolled into view. A fault that came with the page goes as soon as its field changes.
// Without this file menus close by a click elsewhere, and a fault stays until the form is sent again.
(() => {
  "use strict";
  const OWN = "form[data-look]"; // check.js keeps the faults of these forms up to date

  for (const here of document.querySelectorAll(".places [aria-current]")) {
    const nav = here.closest(".places");
    nav.scrollLeft = here.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      const inside = menu.contains(document.activeElement);
      menu.open = false;
      if (inside) menu.querySelector("summary").focus();
    }
  });

  const changed = (event) => {
    const field = event.target.closest?.(".field.is-wrong");
    if (!field || field.closest(OWN)) return;
    field.classList.remove("is-wrong");
    field.querySelector(".fault")?.remove();
    for (const input of field.querySelectorAll("[aria-invalid]")) {
      input.removeAttribute("aria-invalid");
      const left = (input.getAttribute("aria-describedby") || "").split(" ").filter((id) => document.getElementById(id));
      if (left.length) input.setAttribute("aria-describedby", left.join(" ")); else input.removeAttribute("aria-describedby");
    }
    const link = document.querySelector(`[role=alert] a[href="#${CSS.escape(event.target.id || field.id)}"]`);
    const summary = link?.closest("[role=alert]");
    link?.closest("li").remove();
    if (summary && !summary.querySelector("li")) summary.remove();
  };
  document.addEventListener("input", changed);
  document.addEventListener("change", changed);
})();
