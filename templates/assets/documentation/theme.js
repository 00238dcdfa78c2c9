// The look: the system's, light, or dark.
import { choose, chosen } from './remember.js';

const THEMES = [undefined, 'light', 'dark'];

export function addThemeSwitch(button) {
  const tell = () => button.setAttribute('aria-label', `Theme: ${chosen('theme') ?? 'system'}`);
  tell();
  button.addEventListener('click', () => {
    choose('theme', THEMES[(THEMES.indexOf(chosen('theme')) + 1) % THEMES.length]);
    tell();
  });
}
