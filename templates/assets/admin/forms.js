// Progressive enhancement of all admin pages.

/** Focuses errors, so that screen readers announce them. */
document.querySelector('[data-focus]')?.focus();

/** What is shown only once came with a form: reloading the page must not submit it again. */
if (document.querySelector('[data-shown-once]')) history.replaceState(null, '', location.href);

/** Displays times in the local time zone. */
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
for (const time of document.querySelectorAll('time[datetime]')) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) continue;
  time.title = time.textContent ?? '';
  time.textContent = format.format(at);
}

/** Prevents submitting a form twice. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return;
  if (form.dataset.sent === 'yes') event.preventDefault();
  form.dataset.sent = 'yes';
  form.setAttribute('aria-busy', 'true');
});

function allowSubmitting() {
  for (const form of document.querySelectorAll('form[data-sent]')) {
    delete form.dataset.sent;
    form.removeAttribute('aria-busy');
  }
}

/** The page is back from the back/forward cache, or was never left: the user stopped loading, by a button or by Esc. */
addEventListener('pageshow', allowSubmitting);
window.navigation?.addEventListener('navigateerror', allowSubmitting);
// Browsers without the Navigation API.
addEventListener('keydown', ({ key }) => key === 'Escape' && allowSubmitting());
