// A GET form whose result is shown as one types: the page that it leads to is fetched, and the part of it that the
// form names in data-live put in place.

const PAUSE = 200;

for (const form of document.querySelectorAll('form[data-live]')) {
  const id = form.dataset.live;
  let timer;
  let latest = 0;

  const show = async () => {
    const mine = ++latest;
    const address = new URL(form.action);
    address.hash = '';
    address.search = new URLSearchParams(new FormData(form)).toString();
    const answer = await fetch(address, { headers: { accept: 'text/html' } });
    if (!answer.ok || answer.redirected || mine !== latest) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
    if (mine !== latest || !old || !fresh) return;
    old.replaceChildren(...fresh.childNodes);
    history.replaceState(null, '', address);
  };

  form.addEventListener('input', () => {
    clearTimeout(timer);
    // Offline, the button still says so.
    timer = setTimeout(() => show().catch(() => undefined), PAUSE);
  });
}
