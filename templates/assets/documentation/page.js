// Progressive enhancement of documentation pages, which are complete without scripts.
import { addCopyButton } from './copy.js';
import { element } from './dom.js';
import { prepareFilter } from './filter.js';
import { preparePager } from './pager.js';
import { prepareGroups } from './sidebar-groups.js';
import { prepareSamples } from './samples.js';
import { trackSection } from './section-tracker.js';
import { createTabs, revealTarget } from './tabs.js';
import { t } from './text.js';
import './theme.js';

prepareSamples();
for (const figure of document.querySelectorAll('.sample')) addCopyButton(figure);
for (const place of document.querySelectorAll('[data-tabs]')) createTabs(place);
if (location.hash !== '') revealTarget();
addEventListener('hashchange', revealTarget);
for (const sidebar of document.querySelectorAll('.sidebar')) {
  trackSection(sidebar);
  const loadAll = prepareGroups(sidebar);
  for (const input of sidebar.querySelectorAll('[data-filter]')) prepareFilter(input, loadAll);
}
for (const nav of document.querySelectorAll('.pager')) preparePager(nav);

/** The console and the search are loaded on demand. */
for (const place of document.querySelectorAll('[data-console]')) {
  place.querySelector('button')?.addEventListener('click', async () => {
    const loaded = await import('./console.js').catch(() => undefined);
    if (loaded !== undefined) loaded.openConsole(place, JSON.parse(place.dataset.console));
    else if (place.querySelector('[role=status]') === null)
      place.append(element('p', { role: 'status', textContent: t('console.unavailable') }));
  });
}

for (const place of document.querySelectorAll('[data-reader]')) {
  import('./reader.js')
    .then(({ showReader }) => showReader(place))
    // The link to the sign-in remains.
    .catch(() => undefined);
}

const opener = document.querySelector('[data-search]');
/** What was typed since the search was opened, until it is loaded. */
let typed;
/** Whether the last key was Enter. */
let isEntered = false;
/** Returns the URL of the search page with a text. */
function searchPage(address, text) {
  const url = new URL(address, location.href);
  if (text !== '') url.searchParams.set('q', text);
  return url;
}
const search = async () => {
  if (typed !== undefined) return;
  typed = '';
  isEntered = false;
  // The link for pages without scripts has the version of the page.
  const address = document.querySelector('.search-link')?.href || opener.dataset.search;
  const loaded = await import('./search.js').catch(() => undefined);
  const text = typed;
  typed = undefined;
  if (loaded === undefined) location.assign(searchPage(address, text));
  else loaded.openSearch(address, text, isEntered);
};
opener?.addEventListener('click', search);
for (const key of /Mac|iP(hone|ad)/.test(navigator.platform) ? document.querySelectorAll('[data-key]') : [])
  key.textContent = `⌘${key.dataset.key}`;

/** `/` outside of inputs, and Ctrl+K or Cmd+K everywhere. */
function isSearchKey({ key, target, ctrlKey, metaKey, altKey, shiftKey }) {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !shiftKey;
  const input = target.closest?.('input:not([type=radio]), textarea, select, [contenteditable]');
  // That of a dialog that was just closed still has the focus.
  const isShown = input?.getClientRects().length > 0;
  return key === '/' && !isShown;
}

/** Adds a key to what was typed. @returns whether it is meant for the search */
function type({ key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return false;
  if (key === 'Escape') isEntered = false;
  if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  else if (key !== 'Enter') return false;
  isEntered = key === 'Enter';
  return true;
}

document.addEventListener('keydown', (event) => {
  if (typed !== undefined && type(event)) {
    event.preventDefault();
    return;
  }
  if (opener === null || !isSearchKey(event)) return;
  const isOpen = document.querySelector('dialog.search[open]') !== null;
  if (document.querySelector('dialog[open]') !== null && !isOpen) return;
  // The browser's own Ctrl+K leaves the page.
  event.preventDefault();
  if (!isOpen) search();
});
