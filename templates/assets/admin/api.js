// Progressive enhancement of the adapter and rule forms of an API.

/** Selects "These adapters" when an adapter is checked. */
document.querySelector('form[data-adapters]')?.addEventListener('change', ({ target }) => {
  if (target.type !== 'checkbox' || !target.checked) return;
  const some = target.closest('fieldset')?.querySelector('input[type="radio"][value="some"]');
  if (some) some.checked = true;
});

/** Shows the field for names only for rules with names. */
for (const select of document.querySelectorAll('form[data-rules] select')) {
  const names = select.parentElement.querySelector('input');
  const show = () => {
    names.hidden = select.value !== 'names';
  };
  select.addEventListener('change', () => {
    show();
    if (!names.hidden) names.focus();
  });
  show();
}
