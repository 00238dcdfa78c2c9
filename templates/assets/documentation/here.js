// Navigation that knows where the reader is: the operation in view is marked in the sidebar.

/** Marks the link to what is read, and keeps it in the view of its list. */
export function followReading(sidebar) {
  const links = new Map();
  for (const link of sidebar.querySelectorAll('a[href^="#"]')) {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target !== null) links.set(target, link);
  }
  showIn(sidebar, sidebar.querySelector('[aria-current="page"]'));
  if (links.size === 0) return;
  let current;
  const mark = () => {
    // What has passed the upper third of the window is what is read; at the end of the page, the last.
    const line = innerHeight / 3;
    const ended = scrollY + innerHeight >= document.documentElement.scrollHeight - 2 && scrollY > 0;
    const passed = [...links.keys()].filter((target) => ended || target.getBoundingClientRect().top <= line);
    const link = links.get(passed.at(-1));
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

/** Scrolls the list, never the page; in a narrow window it is the services that scroll. */
function showIn(sidebar, link) {
  const scrolls = (element) => element !== null && element.scrollHeight > element.clientHeight;
  const list = [sidebar, sidebar.querySelector('.groups')].find(scrolls);
  if (!link || list === undefined) return;
  const [outer, inner] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top >= outer.top + 32 && inner.bottom <= outer.bottom - 32) return;
  list.scrollTop += inner.top - outer.top - list.clientHeight / 2;
}
