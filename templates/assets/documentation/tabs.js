// Shows alternatives and statuses as tabs (WAI-ARIA Authoring Practices); without scripts, they are listed in order.
import { element } from './dom.js';

const panelsOf = (place) => [...place.querySelectorAll(':scope > .tab')];

/** Shows one panel of a set of tabs. */
function select(place, panel) {
  for (const one of panelsOf(place)) {
    const tab = document.getElementById(`${one.id}-tab`);
    tab.setAttribute('aria-selected', String(one === panel));
    tab.tabIndex = one === panel ? 0 : -1;
    // The browser's search in the page finds hidden panels if it supports that.
    one.hidden = one === panel ? false : 'until-found';
  }
}

const KEYS = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Converts the sections of an element to tabs. */
export function createTabs(place) {
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
    // With Alt, Ctrl or Cmd, the browser has these keys: Alt+ArrowLeft is the page before.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
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

/** Returns the element of a fragment, or of the enclosing member if that one is described elsewhere. */
function nearest(id) {
  for (let at = id; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const target = document.getElementById(at);
    if (target !== null) return target;
  }
  return null;
}

/** Reveals the target of the URL fragment: opens enclosing details and tabs. */
export function revealTarget() {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // Malformed encoding: used unchanged.
  }
  const target = nearest(id);
  if (target === null) return;
  for (let at = target; at !== null; at = at.parentElement) {
    if (at.matches('details')) at.open = true;
    if (at.matches('.are-tabs > .tab')) select(at.parentElement, at);
  }
  // Show the nested members of a member, too.
  if (target.matches('.fields > li')) target.querySelector(':scope > details')?.setAttribute('open', '');
  target.scrollIntoView({ block: 'start', behavior: 'instant' });
}
