"use strict";
/* A form that comes back begins at its first field in error. Without this it begins at the top, which says there is one. */

addEventListener("load", () => {
  const fields = [...document.querySelectorAll('#content [aria-invalid="true"]')];
  const first = fields.find((field) => field.offsetParent);
  if (!first) return;
  const searched = first.classList.contains("select2-hidden-accessible");
  const typed = searched ? first.nextElementSibling.querySelector(".select2-selection") : first;
  typed.focus();
  typed.scrollIntoView({ block: "center" });
});
