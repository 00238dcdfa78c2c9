// Samples of calls: with the address by which the reader came, and in the language that was chosen last.
import { choose, chosen } from './remember.js';

const inputs = () => document.querySelectorAll('.languages input');

function check(language) {
  for (const input of inputs()) input.checked = input.value === language;
}

export function prepareSamples() {
  for (const sample of document.querySelectorAll('[data-origin]')) {
    const { origin } = sample.dataset;
    const code = sample.querySelector('code');
    if (origin !== location.origin) code.textContent = code.textContent.replaceAll(origin, location.origin);
  }
  const known = new Set([...inputs()].map(({ value }) => value));
  if (known.has(chosen('language'))) check(chosen('language'));
  else if (known.size > 0) delete document.documentElement.dataset.language;
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.languages input')) return;
    // What is above grows or shrinks with the choice: the sample that was chosen in stays where it is.
    const before = target.getBoundingClientRect().top;
    choose('language', target.value);
    check(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}
