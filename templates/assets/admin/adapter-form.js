// Checks the form of an adapter while the user types, and opens the options of a selected scheme.

const form = document.querySelector('form[data-check]');
const DELAY_MS = 500;
/** The names of edited fields; errors of other fields are not shown yet. */
const touched = new Set();

/** Submits the form as the button "Check" does, and shows the results. */
async function check(signal) {
  const fields = new URLSearchParams(new FormData(form));
  fields.set('do', 'check');
  const response = await fetch(location.href, { method: 'POST', body: fields, signal });
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  showFindings(page);
  for (const name of touched) showError(page, name);
}

function showFindings(page) {
  const [updated, current] = [page, document].map((one) => one.getElementById('findings'));
  if (!updated || !current) return;
  for (const one of updated.querySelectorAll('[data-level="bad"]')) {
    if (!isTouched(one.dataset.pointer)) one.remove();
  }
  if (!updated.querySelector('.found')) updated.replaceChildren();
  if (updated.textContent !== current.textContent) current.replaceChildren(...updated.childNodes);
}

function isTouched(pointer) {
  const control = form.elements[pointer];
  const value = control instanceof RadioNodeList ? '' : (control?.value ?? '');
  return touched.has(pointer) || value !== '';
}

/** Updates the error of a field. */
function showError(page, name) {
  const control = form.querySelector(`[name="${CSS.escape(name)}"]`);
  const own = control?.closest('.field');
  const id = own?.querySelector('[id]')?.id;
  const other = id ? page.getElementById(id)?.closest('.field') : undefined;
  if (!own || !other) return;
  for (const error of own.querySelectorAll('.error')) error.remove();
  const before = own.querySelector('.hint') ?? own.querySelector('label, legend');
  before.after(...other.querySelectorAll('.error'));
  updateSummary(page, [control.id, own.id]);
  for (const attribute of ['aria-invalid', 'aria-describedby']) {
    for (const one of own.querySelectorAll('[id]')) {
      const value = page.getElementById(one.id)?.getAttribute(attribute);
      if (value) one.setAttribute(attribute, value);
      else one.removeAttribute(attribute);
    }
  }
}

/** Updates the errors of a field in the summary of errors, and removes the summary with its last one. */
function updateSummary(page, ids) {
  const [updated, current] = [page, document].map((one) => one.querySelector('.note-bad[data-focus]'));
  const itemsOf = (summary) =>
    [...(summary?.querySelectorAll('li') ?? [])].filter((item) =>
      ids.includes(item.querySelector('a')?.hash.slice(1)),
    );
  const [items, outdated] = [updated, current].map(itemsOf);
  const textOf = (list) => list.map(({ textContent }) => textContent).join('\n');
  // Screen readers announce each change of the summary.
  if (outdated.length === 0 || textOf(items) === textOf(outdated)) return;
  outdated[0].before(...items);
  for (const item of outdated) item.remove();
  const count = current.querySelectorAll('li').length;
  if (count === 0) current.remove();
  else current.querySelector('h2').textContent = count === 1 ? 'Fix this problem' : `${count} problems found`;
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
      check(running.signal).catch(() => undefined);
    }, DELAY_MS);
  });
  form.addEventListener('change', (event) => {
    if (event.target.name !== '/options/accept_schemes' || !event.target.checked) return;
    const scheme = JSON.parse(event.target.value);
    for (const group of form.querySelectorAll('details[data-group]')) {
      if (group.dataset.group.toLowerCase() === scheme) group.open = true;
    }
  });
}
