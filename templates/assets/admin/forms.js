// What makes forms pleasant; every page is complete without it.

/** What is wrong is read out, and reached, at once. */
document.querySelector('[data-focus]')?.focus();

/** Times as the reader's clock has them. */
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
for (const time of document.querySelectorAll('time[datetime]')) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) continue;
  time.title = time.textContent ?? '';
  time.textContent = format.format(at);
}

/** A form that is on its way is not sent twice. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return;
  if (form.dataset.sent === 'yes') event.preventDefault();
  form.dataset.sent = 'yes';
  form.setAttribute('aria-busy', 'true');
});

/** A page that comes back from the browser's memory can be sent again. */
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) {
    delete form.dataset.sent;
    form.removeAttribute('aria-busy');
  }
});

/** "Discard" on the difference leads back to the form, with what was typed. */
for (const link of document.querySelectorAll('a[data-back]')) {
  link.addEventListener('click', (event) => {
    if (history.length < 2 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.back();
  });
}
