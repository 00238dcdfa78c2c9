// Search results as options of a listbox.
import { element } from './dom.js';
import { t } from './text.js';

/** Highlights parts of a text. @param marks pairs of start and end, ascending */
function marked(text, marks) {
  const parts = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(text.slice(at, start), element('mark', { textContent: text.slice(start, end) }));
    at = end;
  }
  return [...parts, text.slice(at)];
}

function titleOf({ title, marks, method, path }) {
  if (method === undefined) return marked(title, marks.title);
  const badge = element('span', {
    className: `method method-${method.toLowerCase()}`,
    textContent: method,
  });
  const name =
    title === `${method} ${path}`
      ? element('span', { className: 'path', textContent: path })
      : // A title has the direction of its own text, not that of the method.
        element('bdi', {}, ...marked(title, marks.title));
  return [badge, ' ', name];
}

/** Creates the option of a result. @param at its position */
export function optionOf(result, at) {
  const { kind, within, url, text, marks, method, path, title } = result;
  const hasSummary = path !== undefined && title !== `${method} ${path}`;
  return element(
    'a',
    {
      id: `found-${at}`,
      className: `found found-${kind}`,
      href: url,
      role: 'option',
      tabIndex: -1,
      'aria-selected': 'false',
    },
    element('span', { className: 'found-title' }, ...titleOf(result)),
    element('span', {
      className: 'found-where',
      textContent: [t(`search.kind.${kind}`), within].filter(Boolean).join(' · '),
    }),
    hasSummary
      ? element(
          'span',
          { className: 'found-text' },
          element('span', { className: 'path', textContent: path }),
        )
      : undefined,
    text === '' ? undefined : element('span', { className: 'found-text' }, ...marked(text, marks.text)),
  );
}
