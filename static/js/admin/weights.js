"use strict";
/* The total of the facet weights while they are typed. Without this the page tells the saved total. */

addEventListener("DOMContentLoaded", () => {
  const total = document.getElementById("weight-total");
  const group = total && document.getElementById(`${total.dataset.prefix}-group`);
  // Who may only read has no fields: the saved total stands.
  if (!group?.querySelector('input[name$="-weight"]')) return;

  const isRemoved = (row) => row.querySelector('input[name$="-DELETE"]')?.checked;
  const hundredths = (input) => Math.round(Number(input.value) * 100) || 0;

  const tell = () => {
    const rows = [...group.querySelectorAll("tr.form-row:not(.empty-form)")].filter((row) => !isRemoved(row));
    const sum = rows.reduce((so_far, row) => so_far + hundredths(row.querySelector('input[name$="-weight"]')), 0);
    const enough = sum === 10000;
    total.textContent = `The weights as typed come to ${sum / 100} %${enough ? "." : "; they must come to exactly 100 %."}`;
    total.classList.toggle("is-short", !enough);
  };
  group.addEventListener("input", tell);
  tell();
});
