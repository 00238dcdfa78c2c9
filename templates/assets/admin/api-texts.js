// The preview of the documentation's texts as one types: the form is asked for its preview, and what is new put in
// place. The button that asks without a script goes.

const PAUSE = 400;

for (const form of document.querySelectorAll('form[data-preview]')) {
  form.querySelector('[data-preview-button]')?.remove();
  let timer;
  let latest = 0;

  const show = async () => {
    const mine = ++latest;
    const fields = new URLSearchParams(new FormData(form));
    fields.set('preview', 'yes');
    const answer = await fetch(form.action, {
      method: 'POST',
      body: fields,
      headers: { accept: 'text/html' },
    });
    if (!answer.ok || answer.redirected || mine !== latest) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const old of form.querySelectorAll('.preview')) {
      const fresh = page.getElementById(old.id);
      if (fresh && fresh.innerHTML !== old.innerHTML) old.replaceChildren(...fresh.childNodes);
    }
  };

  form.addEventListener('input', () => {
    clearTimeout(timer);
    // Without an answer, the preview stays as it was.
    timer = setTimeout(() => show().catch(() => undefined), PAUSE);
  });
}
