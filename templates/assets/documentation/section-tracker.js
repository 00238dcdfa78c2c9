// Marks the operation in view in the sidebar.

/** Marks the link to the current section, and keeps it visible in the list. */
export function trackSection(sidebar) {
  const links = new Map();
  for (const link of sidebar.querySelectorAll('a[href^="#"]')) {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target !== null) links.set(target, link);
  }
  showIn(sidebar, sidebar.querySelector('[aria-current="page"]'));
  if (links.size === 0) return;
  let current;
  const mark = () => {
    // The current section has passed the upper third of the window; at the end of the page, it is the last one.
    const line = innerHeight / 3;
    const ended = scrollY + innerHeight >= document.documentElement.scrollHeight - 2 && scrollY > 0;
    const reached = [...links.keys()].filter((target) => ended || target.getBoundingClientRect().top <= line);
    const link = links.get(reached.at(-1));
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    current = link;
    showIn(sidebar, link);
  };
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  addEventListener('scroll', soon, { passive: true });
  addEventListener('resize', soon, { passive: true });
  mark();
}

/** Scrolls the list, not the page. In a narrow window, the list of services scrolls. */
function showIn(sidebar, link) {
  const scrolls = (element) => element !== null && element.scrollHeight > element.clientHeight;
  const list = [sidebar, sidebar.querySelector('.groups')].find(scrolls);
  if (!link || list === undefined) return;
  const [outer, inner] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top >= outer.top + 32 && inner.bottom <= outer.bottom - 32) return;
  list.scrollTop += inner.top - outer.top - list.clientHeight / 2;
}
