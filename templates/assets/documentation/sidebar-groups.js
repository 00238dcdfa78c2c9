// Groups of the sidebar list their services when they are opened: those of the page of the API, to which they link.
import { element } from './dom.js';

/** URL → the page, loaded once */
const pages = new Map();

async function fetchPage(url) {
  const answer = await fetch(url, { headers: { accept: 'text/html' } });
  if (!answer.ok) throw new Error(`${url} responds ${answer.status}.`);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Returns a page; a failed request is repeated with the next use. */
export function loadPage(url) {
  if (!pages.has(url)) {
    const page = fetchPage(url);
    pages.set(url, page);
    page.catch(() => pages.delete(url));
  }
  return pages.get(url);
}

/** A name that may break between its words, as the server writes it. */
const breakable = (name) =>
  name.split(/(?<=[a-z0-9])(?=[A-Z])/).flatMap((word, at) => (at === 0 ? [word] : [element('wbr'), word]));

function serviceList(section) {
  const addresses = [...section.querySelectorAll('a[href*="#"]')].map((link) => link.getAttribute('href'));
  const services = new Set(addresses.map((address) => address.slice(0, address.indexOf('#'))));
  return element(
    'ul',
    { className: 'services' },
    ...[...services].map((href) => {
      const name = decodeURIComponent(href.slice(href.lastIndexOf('/') + 1));
      return element('li', {}, element('a', { href }, ...breakable(name)));
    }),
  );
}

/** Replaces the link of a group by its services. Without a response, the link remains. */
async function load(group) {
  const link = group.querySelector('[data-group]');
  if (link === null) return;
  const { href, hash } = link;
  try {
    const page = await loadPage(href.slice(0, href.length - hash.length));
    const section = page.getElementById(decodeURIComponent(hash.slice(1)));
    if (section !== null && link.isConnected) link.parentElement.replaceWith(serviceList(section));
  } catch {
    // Offline: the link leads to the page.
  }
}

/** @returns a function that loads all groups */
export function prepareGroups(sidebar) {
  const groups = [...sidebar.querySelectorAll('.group')];
  for (const group of groups)
    group.addEventListener('toggle', () => {
      if (group.open) load(group);
    });
  return () => Promise.all(groups.map(load));
}
