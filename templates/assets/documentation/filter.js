// The filter of the sidebar shows the services whose names contain all words.
import { t } from './text.js';

/**
 * @param input hidden without scripts
 * @param loadAll loads the services of all groups
 */
export function prepareFilter(input, loadAll) {
  const sidebar = input.closest('.sidebar');
  const status = sidebar.querySelector('[role=status]');
  const groups = [...sidebar.querySelectorAll('.group')];
  let wasOpen;
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const item of sidebar.querySelectorAll('.services > li')) {
      const text = item.querySelector('a').textContent.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) count += 1;
    }
    // While the filter is empty, groups are as they were opened.
    if (words.length > 0) wasOpen ??= new Map(groups.map((group) => [group, group.open]));
    for (const group of groups) {
      group.hidden = words.length > 0 && group.querySelector('.services > li:not([hidden])') === null;
      if (wasOpen !== undefined) group.open = words.length === 0 ? wasOpen.get(group) : !group.hidden;
    }
    if (words.length === 0) wasOpen = undefined;
    status.textContent = words.length === 0 ? '' : t('filter.services', { count });
  };
  input.addEventListener('input', async () => {
    await loadAll();
    apply();
  });
}
