// Progressive enhancement of documentation pages, which are complete without scripts.
import { addCopyButton } from './copy.js';
import { prepareFilter } from './filter.js';
import { preparePager } from './pager.js';
import { prepareGroups } from './sidebar-groups.js';
import { prepareSamples } from './samples.js';
import { trackSection } from './section-tracker.js';
import { createTabs, revealTarget } from './tabs.js';
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
    const { openConsole } = await import('./console.js');
    openConsole(place, JSON.parse(place.dataset.console));
  });
}

const opener = document.querySelector('[data-search]');
const search = async () => (await import('./search.js')).openSearch(opener.dataset.search);
opener?.addEventListener('click', search);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input:not([type=radio]), textarea, select, [contenteditable]');
  const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isSlash || isTyping || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  search();
});
