// The colour theme: system, light or dark.
import { preference, setPreference } from './preferences.js';

const THEMES = [undefined, 'light', 'dark'];

export function addThemeSwitch(button) {
  const updateLabel = () => button.setAttribute('aria-label', `Theme: ${preference('theme') ?? 'system'}`);
  updateLabel();
  button.addEventListener('click', () => {
    setPreference('theme', THEMES[(THEMES.indexOf(preference('theme')) + 1) % THEMES.length]);
    updateLabel();
  });
}
