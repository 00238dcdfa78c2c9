// Alternatives and statuses as tabs (WAI-ARIA Authoring Practices, tabs); without this they are below one another.
import { element } from './dom.js';

const panelsOf = (place) => [...place.querySelectorAll(':scope > .tab')];

/** Shows one panel of a set of tabs. */
function select(place, panel) {
  for (const one of panelsOf(place)) {
    const tab = document.getElementById(`${one.id}-tab`);
    tab.setAttribute('aria-selected', String(one === panel));
    tab.tabIndex = one === panel ? 0 : -1;
    // Found by the browser's own search, where it can.
    one.hidden = one === panel ? false : 'until-found';
  }
}

const KEYS = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Makes tabs of the sections in a place. */
export function makeTabs(place) {
  const panels = panelsOf(place);
  if (panels.length < 2) return;
  const tabs = panels.map((panel) =>
    element('button', {
      type: 'button',
      role: 'tab',
      id: `${panel.id}-tab`,
      'aria-controls': panel.id,
      textContent: panel.dataset.tab,
      className: [...(panel.querySelector(':scope > h4 .response-status')?.classList ?? [])].join(' '),
    }),
  );
  const list = element('div', { role: 'tablist', 'aria-label': place.dataset.tabs }, ...tabs);
  list.addEventListener('click', ({ target }) => {
    const at = tabs.indexOf(target.closest('[role=tab]'));
    if (at >= 0) select(place, panels[at]);
  });
  list.addEventListener('keydown', (event) => {
    const at = KEYS[event.key]?.(tabs.indexOf(event.target), tabs.length);
    if (at === undefined) return;
    event.preventDefault();
    select(place, panels[at]);
    tabs[at].focus();
  });
  panels.forEach((panel, at) => {
    panel.setAttribute('role', 'tabpanel');
    panel.removeAttribute('aria-label');
    panel.setAttribute('aria-labelledby', tabs[at].id);
    panel.addEventListener('beforematch', () => select(place, panel));
  });
  panels[0].before(list);
  place.classList.add('are-tabs');
  select(place, panels[0]);
}

/** Opens everything around what the address leads to: folded members, and tabs that are not shown. */
export function revealTarget() {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // It is taken as it is written.
  }
  const target = document.getElementById(id);
  if (target === null) return;
  for (let at = target; at !== null; at = at.parentElement) {
    if (at.matches('details')) at.open = true;
    if (at.matches('.are-tabs > .tab')) select(at.parentElement, at);
  }
  // A member is looked at with what it encloses.
  if (target.matches('.fields > li')) target.querySelector(':scope > details')?.setAttribute('open', '');
  target.scrollIntoView({ block: 'start', behavior: 'instant' });
}
