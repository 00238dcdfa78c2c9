// Progressive enhancement of the adapter and rule forms of an API.

/** Selects "These adapters" when an adapter is checked, and unchecks the adapters when another option is selected. */
document.querySelector('form[data-adapters]')?.addEventListener('change', ({ target }) => {
  const entry = target.closest('fieldset');
  if (target.type === 'radio' && target.value !== 'some')
    for (const adapter of entry.querySelectorAll('input[type="checkbox"]')) adapter.checked = false;
  const some = entry?.querySelector('input[type="radio"][value="some"]');
  if (target.type === 'checkbox' && target.checked && some) some.checked = true;
});

/** Shows the field for names only for rules with names. */
for (const select of document.querySelectorAll('form[data-rules] select')) {
  const names = select.parentElement.querySelector('input');
  const show = () => {
    names.hidden = select.value !== 'names';
    // Names with another option would mean them.
    names.disabled = names.hidden;
  };
  select.addEventListener('change', () => {
    show();
    if (!names.hidden) names.focus();
  });
  show();
}
