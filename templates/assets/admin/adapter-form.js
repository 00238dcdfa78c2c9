// The form of an adapter: looks at what is typed while it is typed, and unfolds what a scheme needs.

const form = document.querySelector('form[data-check]');
const PAUSE = 500;
/** What nobody has come to yet is not found fault with. */
const touched = new Set();

/** Asks the page itself, as its button "Check" does. */
async function look(signal) {
  const fields = new URLSearchParams(new FormData(form));
  fields.set('do', 'check');
  const answer = await fetch(location.href, { method: 'POST', body: fields, signal });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  showFindings(page);
  for (const name of touched) showError(page, name);
}

function showFindings(page) {
  const [found, here] = [page, document].map((one) => one.getElementById('findings'));
  if (!found || !here) return;
  for (const one of found.querySelectorAll('[data-level="bad"]')) {
    if (!isTouched(one.dataset.pointer)) one.remove();
  }
  if (!found.querySelector('.found')) found.replaceChildren();
  if (found.textContent !== here.textContent) here.replaceChildren(...found.childNodes);
}

function isTouched(pointer) {
  const control = form.elements[pointer];
  const value = control instanceof RadioNodeList ? '' : (control?.value ?? '');
  return touched.has(pointer) || value !== '';
}

/** The error of one field as the answer has it, or none any more. */
function showError(page, name) {
  const control = form.querySelector(`[name="${CSS.escape(name)}"]`);
  const own = control?.closest('.field');
  const id = own?.querySelector('[id]')?.id;
  const other = id ? page.getElementById(id)?.closest('.field') : undefined;
  if (!own || !other) return;
  own.querySelector('.error')?.remove();
  const error = other.querySelector('.error');
  const before = own.querySelector('.hint') ?? own.querySelector('label, legend');
  if (error) before.after(error);
  for (const attribute of ['aria-invalid', 'aria-describedby']) {
    for (const one of own.querySelectorAll('[id]')) {
      const value = page.getElementById(one.id)?.getAttribute(attribute);
      if (value) one.setAttribute(attribute, value);
      else one.removeAttribute(attribute);
    }
  }
}

if (form) {
  let timer;
  let running;
  form.addEventListener('input', (event) => {
    touched.add(event.target.name);
    clearTimeout(timer);
    timer = setTimeout(() => {
      running?.abort();
      running = new AbortController();
      look(running.signal).catch(() => undefined);
    }, PAUSE);
  });
  form.addEventListener('change', (event) => {
    if (event.target.name !== '/options/accept_schemes' || !event.target.checked) return;
    const scheme = JSON.parse(event.target.value);
    for (const group of form.querySelectorAll('details[data-group]')) {
      if (group.dataset.group.toLowerCase() === scheme) group.open = true;
    }
  });
}
