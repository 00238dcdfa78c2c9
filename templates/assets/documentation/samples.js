// Code samples: show the page's origin, and the preferred language.
import { preference, setPreference } from './preferences.js';

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
  const available = new Set([...inputs()].map(({ value }) => value));
  if (available.has(preference('language'))) check(preference('language'));
  else if (available.size > 0) delete document.documentElement.dataset.language;
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.languages input')) return;
    // Samples above change their height: keep the position of this one.
    const before = target.getBoundingClientRect().top;
    setPreference('language', target.value);
    check(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}
