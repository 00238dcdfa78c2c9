// Code samples: show the page's origin, and the preferred language.
import { onReturn, preference, setPreference } from './preferences.js';

const inputs = () => document.querySelectorAll('.languages input');

function check(language) {
  for (const input of inputs()) input.checked = input.value === language;
}

/** Replaces text in the text nodes of an element; its markup is unchanged. */
function replaceText(place, before, after) {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node.data.includes(before)) node.data = node.data.replaceAll(before, after);
}

export function prepareSamples() {
  for (const sample of document.querySelectorAll('[data-origin]')) {
    const { origin } = sample.dataset;
    if (origin !== location.origin) replaceText(sample, origin, location.origin);
  }
  const available = new Set([...inputs()].map(({ value }) => value));
  if (available.has(preference('language'))) check(preference('language'));
  else if (available.size > 0) delete document.documentElement.dataset.language;
  onReturn('language', (language) => {
    if (!available.has(language)) return;
    document.documentElement.dataset.language = language;
    check(language);
  });
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.languages input')) return;
    // Samples above change their height: keep the position of this one.
    const before = target.getBoundingClientRect().top;
    setPreference('language', target.value);
    check(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}
