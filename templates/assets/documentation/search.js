// The search: a dialog with a box and what it finds, by keyboard throughout.
import { element } from './dom.js';
import { SearchEngine, wordsOf } from './search-engine.js';

let engine;
let dialog;

/** The address of the API's version that this page belongs to, e.g. `/platform/documentation/Atlas-v2`. */
function here() {
  const [path] = /^.*\/platform\/documentation\/[^/]+-v\d+/.exec(location.pathname) ?? [''];
  return path;
}

async function load(url) {
  const answer = await fetch(url, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`Loading the search index failed with ${answer.status}.`);
  return new SearchEngine((await answer.json()).entries);
}

/** A text with what was looked for marked. */
function marked(text, query) {
  const words = wordsOf(query).filter((word) => word.length > 1);
  if (words.length === 0) return [text];
  const pattern = new RegExp(`(${words.join('|')})`, 'giu');
  return text
    .split(pattern)
    .map((part, at) => (at % 2 === 1 ? element('mark', { textContent: part }) : part));
}

function optionOf(entry, at, query) {
  const [method, ...rest] = entry.title.split(' ');
  const title =
    entry.kind === 'operation'
      ? [
          element('span', { className: `method method-${method.toLowerCase()}`, textContent: method }),
          ' ',
          element('span', { className: 'path' }, ...marked(rest.join(' '), query)),
        ]
      : marked(entry.title, query);
  return element(
    'a',
    {
      id: `found-${at}`,
      className: `found found-${entry.kind}`,
      href: entry.url,
      role: 'option',
      tabIndex: -1,
      'aria-selected': 'false',
    },
    element('span', { className: 'found-title' }, ...title),
    element('span', { className: 'found-where', textContent: `${entry.kind} · ${entry.within}` }),
    element('span', { className: 'found-text' }, ...marked(entry.text, query)),
  );
}

function makeDialog(url) {
  const box = element('input', {
    type: 'text',
    inputMode: 'search',
    placeholder: 'Search names, paths, fields, descriptions',
    autocomplete: 'off',
    spellcheck: false,
  });
  const list = element('div', { id: 'found' });
  const status = element('p', { className: 'found-status' });
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
  }))
    box.setAttribute(name, value);
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Search results');
  status.setAttribute('role', 'status');
  const made = element('dialog', { className: 'search' }, box, status, list);
  made.setAttribute('aria-label', 'Search');
  document.body.append(made);

  let selected = -1;
  const select = (at) => {
    const options = list.children;
    options[selected]?.setAttribute('aria-selected', 'false');
    selected = options.length === 0 ? -1 : (at + options.length) % options.length;
    const option = options[selected];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) box.setAttribute('aria-activedescendant', option.id);
    else box.removeAttribute('aria-activedescendant');
  };
  const show = async () => {
    const query = box.value;
    try {
      engine ??= load(url);
      const ready = await engine;
      if (query !== box.value) return;
      const found = ready.find(query, { here: here() });
      list.replaceChildren(...found.map((entry, at) => optionOf(entry, at, query)));
      const nothing = query.trim() === '' ? '' : 'No results.';
      status.textContent =
        found.length > 0 ? `${found.length} result${found.length === 1 ? '' : 's'}` : nothing;
      status.classList.toggle('hidden', found.length > 0);
    } catch (error) {
      engine = undefined;
      list.replaceChildren();
      status.classList.remove('hidden');
      status.textContent = error.message;
    }
    box.setAttribute('aria-expanded', String(list.children.length > 0));
    select(0);
  };
  box.addEventListener('input', show);
  box.addEventListener('focus', show, { once: true });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(selected + 1);
    else if (event.key === 'ArrowUp') select(selected - 1);
    else if (event.key === 'Enter') list.children[selected]?.click();
    else return;
    event.preventDefault();
  });
  // A place on this page is no new page: the dialog is in its way.
  list.addEventListener('click', ({ target }) => target.closest('a') && made.close());
  made.addEventListener('click', ({ target }) => target === made && made.close());
  return { made, box };
}

/** Opens the search. @param url of what is searched in */
export function openSearch(url) {
  dialog ??= makeDialog(url);
  if (!dialog.made.open) dialog.made.showModal();
  dialog.box.focus();
  dialog.box.select();
}
