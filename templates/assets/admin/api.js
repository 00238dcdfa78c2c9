// What makes the forms of an API's adapters and rules pleasant; they are complete without it.

/** Who chooses an adapter means "These adapters". */
document.querySelector('form[data-adapters]')?.addEventListener('change', ({ target }) => {
  if (target.type !== 'checkbox' || !target.checked) return;
  const some = target.closest('fieldset')?.querySelector('input[type="radio"][value="some"]');
  if (some) some.checked = true;
});

/** Names are asked for where a rule has names; who types some means them. */
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
