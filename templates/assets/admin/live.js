// Submits a GET form while the user types, and replaces the element whose id is in data-live.

const DELAY_MS = 200;

for (const form of document.querySelectorAll('form[data-live]')) {
  const id = form.dataset.live;
  let timer;
  let latest = 0;

  const show = async () => {
    const number = ++latest;
    const address = new URL(form.action);
    address.hash = '';
    address.search = new URLSearchParams(new FormData(form)).toString();
    const response = await fetch(address, { headers: { accept: 'text/html' } });
    if (!response.ok || response.redirected || number !== latest) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [current, updated] = [document.getElementById(id), page.getElementById(id)];
    if (number !== latest || !current || !updated) return;
    current.replaceChildren(...updated.childNodes);
    history.replaceState(null, '', address);
  };

  form.addEventListener('input', () => {
    clearTimeout(timer);
    // After a network error, the submit button still works.
    timer = setTimeout(() => show().catch(() => undefined), DELAY_MS);
  });
}
