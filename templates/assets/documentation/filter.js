// The filter of the sidebar shows the services whose names contain all words.

/** @param input hidden without scripts */
export function prepareFilter(input) {
  const sidebar = input.closest('.sidebar');
  const status = sidebar.querySelector('[role=status]');
  const groups = [...sidebar.querySelectorAll('.group')];
  const wasOpen = new Map(groups.map((group) => [group, group.open]));
  const items = [...sidebar.querySelectorAll('.services > li')].map((item) => ({
    item,
    text: item.querySelector('a').textContent.toLowerCase(),
  }));
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { item, text } of items) {
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) count += 1;
    }
    for (const group of groups) {
      group.hidden = group.querySelector('.services > li:not([hidden])') === null;
      group.open = words.length === 0 ? wasOpen.get(group) : !group.hidden;
    }
    status.textContent = words.length === 0 ? '' : `${count} service${count === 1 ? '' : 's'}`;
  });
}
