// The theme switch of documentation and admin pages: light or dark, by default that of the system.
import { preference, setPreference } from './preferences.js';

const system = matchMedia('(prefers-color-scheme: dark)');
const buttons = [...document.querySelectorAll('[data-theme-switch] button')];

function showTheme() {
  const theme = preference('theme') ?? (system.matches ? 'dark' : 'light');
  for (const button of buttons) button.setAttribute('aria-pressed', String(button.value === theme));
}

for (const button of buttons) {
  button.addEventListener('click', () => {
    setPreference('theme', button.value);
    showTheme();
  });
}
system.addEventListener('change', showTheme);
// Another tab, of the documentation or the admin pages, selected a theme.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== 'platform.theme' || !/^(light|dark)$/.test(newValue ?? '')) return;
  document.documentElement.dataset.theme = newValue;
  showTheme();
});
showTheme();
