// What makes pages of the documentation pleasant; every page is complete without it.
import { addCopyButton } from './copy.js';
import { prepareFilter } from './filter.js';
import { followReading } from './here.js';
import { prepareSamples } from './samples.js';
import { makeTabs, revealTarget } from './tabs.js';
import { addThemeSwitch } from './theme.js';

prepareSamples();
for (const figure of document.querySelectorAll('.sample')) addCopyButton(figure);
for (const place of document.querySelectorAll('[data-tabs]')) makeTabs(place);
if (location.hash !== '') revealTarget();
addEventListener('hashchange', revealTarget);
for (const sidebar of document.querySelectorAll('.sidebar')) followReading(sidebar);
for (const input of document.querySelectorAll('[data-filter]')) prepareFilter(input);
for (const button of document.querySelectorAll('[data-theme-switch]')) addThemeSwitch(button);

/** What few readers need comes when they ask for it. */
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
