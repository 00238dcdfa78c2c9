// The pages of a very large API: the next one is appended on demand.
import { loadPage } from './sidebar-groups.js';

/** @param nav with links to other pages */
export function preparePager(nav) {
  let isLoading = false;
  nav.addEventListener('click', async (event) => {
    const link = event.target.closest('[data-more]');
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // The second click of a double click is for the same page, whose content is moved here once.
    if (isLoading) return;
    isLoading = true;
    try {
      const page = await loadPage(link.href);
      const groups = [...page.querySelectorAll('main > .operations')];
      nav.before(...groups);
      nav.replaceChildren(...page.querySelector('.pager').childNodes);
      groups[0]?.querySelector('summary').focus();
    } catch {
      location.assign(link.href);
    } finally {
      isLoading = false;
    }
  });
}
