// The search dialog, usable with the keyboard.
import { element } from './dom.js';
import { t } from './text.js';
import { OfflineError, SearchClient } from './search-client.js';
import { optionOf } from './search-results.js';

/** Milliseconds without a key press before results are requested. */
const PAUSE = 80;

let dialog;

/** Returns the URL of the search, which ranks entries of the current API version higher. */
function searchUrl(address) {
  const url = new URL(address, location.href);
  const [, api] = /\/platform\/documentation\/([\w.]+-v\d+)/.exec(location.pathname) ?? [];
  // Error pages do not name it.
  if (api !== undefined && !url.searchParams.has('api')) url.searchParams.set('api', api);
  return url;
}

/** Creates the dialog without its behaviour. */
function createElements() {
  const box = element('input', {
    type: 'text',
    inputMode: 'search',
    maxLength: 200,
    placeholder: t('search.placeholder'),
    autocomplete: 'off',
    spellcheck: false,
    role: 'combobox',
    'aria-label': t('search.label'),
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
  });
  const status = element('p', { className: 'found-status', role: 'status' });
  const retry = element('button', {
    type: 'button',
    className: 'found-retry',
    textContent: t('search.retry'),
  });
  retry.hidden = true;
  const list = element('div', { id: 'found', role: 'listbox', 'aria-label': t('search.results') });
  const created = element(
    'dialog',
    { className: 'search', 'aria-label': t('search.title') },
    box,
    status,
    retry,
    list,
  );
  return { box, status, retry, list, dialog: created };
}

/** Moves the selection through the options of a listbox. */
function createSelection(box, list) {
  let selected = -1;
  return {
    option: () => list.children[selected],
    select(at) {
      const options = list.children;
      options[selected]?.setAttribute('aria-selected', 'false');
      selected = options.length === 0 ? -1 : (at + options.length) % options.length;
      const option = options[selected];
      option?.setAttribute('aria-selected', 'true');
      option?.scrollIntoView({ block: 'nearest' });
      if (option) box.setAttribute('aria-activedescendant', option.id);
      else box.removeAttribute('aria-activedescendant');
      box.setAttribute('aria-expanded', String(options.length > 0));
    },
    next(step) {
      this.select(selected + step);
    },
  };
}

function statusOf({ query, total, results }) {
  if (query === '') return '';
  if (total === 0) return t('search.none');
  if (total > results.length) return t('search.best', { count: results.length, total });
  return t('search.count', { count: total });
}

function createDialog(address) {
  const parts = createElements();
  const { box, status, retry, list } = parts;
  const client = new SearchClient(searchUrl(address));
  client.prepare();
  const selection = createSelection(box, list);
  /** The query whose results are shown. */
  let shown;
  let timer;

  const report = (text, { isHidden = false, canRetry = false } = {}) => {
    status.textContent = text;
    status.classList.toggle('hidden', isHidden);
    retry.hidden = !canRetry;
  };
  const display = (found, query) => {
    shown = query;
    list.replaceChildren(...found.results.map(optionOf));
    report(statusOf(found), { isHidden: found.results.length > 0 });
    selection.select(0);
  };
  const show = async () => {
    clearTimeout(timer);
    const query = box.value.trim();
    try {
      const found = query === '' ? { query, total: 0, results: [] } : await client.search(query);
      if (found !== undefined && query === box.value.trim()) display(found, query);
    } catch (error) {
      shown = undefined;
      list.replaceChildren();
      selection.select(0);
      const isOffline = error instanceof OfflineError;
      report(isOffline ? t('search.offline') : error.message, {
        canRetry: true,
      });
    }
  };
  const showSoon = () => {
    clearTimeout(timer);
    const query = box.value.trim();
    if (query === '' || client.has(query)) void show();
    else timer = setTimeout(show, PAUSE);
  };
  const open = async () => {
    const query = box.value.trim();
    if (shown !== query) await show();
    // Meanwhile, the query may have changed, or the dialog been closed.
    if (shown === query && parts.dialog.open) selection.option()?.click();
  };
  box.addEventListener('input', showSoon);
  box.addEventListener('keydown', (event) => {
    // The keys of an input method select its suggestions. In Safari, the last one has only its code to recognize it by.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'ArrowDown') selection.next(1);
    else if (event.key === 'ArrowUp') selection.next(-1);
    else if (event.key === 'Enter') void open();
    else return;
    event.preventDefault();
  });
  retry.addEventListener('click', async () => {
    box.focus();
    await show();
  });
  addEventListener('online', () => !retry.hidden && show());
  // Links within this page do not navigate away, so the dialog must be closed.
  list.addEventListener('click', ({ target }) => target.closest('a') && parts.dialog.close());
  parts.dialog.addEventListener('click', ({ target }) => target === parts.dialog && parts.dialog.close());
  document.body.append(parts.dialog);
  return { ...parts, openFirst: open };
}

/**
 * Opens the search.
 * @param address of the search page
 * @param text what was typed before
 * @param isEntered whether Enter was pressed after it, which opens the first result
 */
export function openSearch(address, text = '', isEntered = false) {
  dialog ??= createDialog(address);
  if (!dialog.dialog.open) dialog.dialog.showModal();
  dialog.box.focus();
  dialog.box.select();
  if (text === '') return;
  dialog.box.value = text;
  if (isEntered) void dialog.openFirst();
  else dialog.box.dispatchEvent(new Event('input'));
}
