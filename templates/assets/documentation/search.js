// The search dialog, usable with the keyboard.
import { element } from './dom.js';
import { SearchEngine, wordsOf } from './search-engine.js';

let engine;
let dialog;

/** Returns the URL path of the current API version, e.g. `/platform/documentation/Atlas-v2`. */
function currentVersion() {
  const [path] = /^.*\/platform\/documentation\/[^/]+-v\d+/.exec(location.pathname) ?? [''];
  return path;
}

async function load(url) {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`Loading the search index failed with ${response.status}.`);
  return new SearchEngine((await response.json()).entries);
}

/** Highlights the words of a query in a text. */
function highlighted(text, query) {
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
          element('span', { className: 'path' }, ...highlighted(rest.join(' '), query)),
        ]
      : highlighted(entry.title, query);
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
    element('span', { className: 'found-text' }, ...highlighted(entry.text, query)),
  );
}

function createDialog(url) {
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
  const created = element('dialog', { className: 'search' }, box, status, list);
  created.setAttribute('aria-label', 'Search');
  document.body.append(created);

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
      const found = ready.find(query, { here: currentVersion() });
      list.replaceChildren(...found.map((entry, at) => optionOf(entry, at, query)));
      const noResults = query.trim() === '' ? '' : 'No results.';
      status.textContent =
        found.length > 0 ? `${found.length} result${found.length === 1 ? '' : 's'}` : noResults;
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
  // Links within this page do not navigate away, so the dialog must be closed.
  list.addEventListener('click', ({ target }) => target.closest('a') && created.close());
  created.addEventListener('click', ({ target }) => target === created && created.close());
  return { dialog: created, box };
}

/** Opens the search. @param url of the search index */
export function openSearch(url) {
  dialog ??= createDialog(url);
  if (!dialog.dialog.open) dialog.dialog.showModal();
  dialog.box.focus();
  dialog.box.select();
}
