// Buttons that copy: the visible code of a sample, and other text.
import { t } from './text.js';

const FEEDBACK_MS = 2000;

async function copyText(text) {
  // Available in secure contexts only.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const area = Object.assign(document.createElement('textarea'), { value: text, className: 'hidden' });
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  focused?.focus();
  if (!done) throw new Error('The browser denied access to the clipboard.');
}

/** Returns the code of a figure, or of its visible call, including folded parts. */
function visibleCode(figure) {
  const calls = [...figure.querySelectorAll('.call')];
  const place = calls.find((call) => call.getClientRects().length > 0) ?? figure;
  return [...place.querySelectorAll('pre')].map((pre) => pre.textContent).join('\n');
}

/** Returns a button that copies the text of a function, and says so. */
export function createCopyButton(label, className, textOf) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className,
    textContent: label,
  });
  button.setAttribute('aria-live', 'polite');
  let timer;
  button.addEventListener('click', async () => {
    const done = await copyText(textOf()).then(
      () => true,
      () => false,
    );
    button.textContent = done ? t('copy.done') : t('copy.failed');
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = label), FEEDBACK_MS);
  });
  return button;
}

export function addCopyButton(figure) {
  figure.append(createCopyButton(t('copy.copy'), 'copy', () => visibleCode(figure)));
}
