// The theme switch of documentation and admin pages: light or dark, by default that of the system.
import { onReturn, preference, setPreference } from './preferences.js';

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
/** Another page, of the documentation or the admin, selected a theme. */
function adopt(theme) {
  if (!/^(light|dark)$/.test(theme ?? '')) return;
  document.documentElement.dataset.theme = theme;
  showTheme();
}
addEventListener('storage', ({ key, newValue }) => {
  if (key === 'platform.theme') adopt(newValue);
});
onReturn('theme', adopt);
showTheme();
