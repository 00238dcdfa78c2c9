// Updates the preview of documentation texts while the user types, and removes the preview button.

const DELAY_MS = 400;

for (const form of document.querySelectorAll('form[data-preview]')) {
  form.querySelector('[data-preview-button]')?.remove();
  let timer;
  let latest = 0;

  const show = async () => {
    const number = ++latest;
    const fields = new URLSearchParams(new FormData(form));
    fields.set('preview', 'yes');
    const response = await fetch(form.action, {
      method: 'POST',
      body: fields,
      headers: { accept: 'text/html' },
    });
    if (!response.ok || response.redirected || number !== latest) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const current of form.querySelectorAll('.preview')) {
      const updated = page.getElementById(current.id);
      if (updated && updated.innerHTML !== current.innerHTML) current.replaceChildren(...updated.childNodes);
    }
  };

  form.addEventListener('input', () => {
    clearTimeout(timer);
    // After a network error, the preview stays unchanged.
    timer = setTimeout(() => show().catch(() => undefined), DELAY_MS);
  });
}
