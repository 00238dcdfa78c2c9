// Adds a button to each sample that copies the visible code.

const FEEDBACK_MS = 2000;

async function copy(text) {
  // Available in secure contexts only.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement('textarea'), { value: text, className: 'hidden' });
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('The browser denied access to the clipboard.');
}

/** Returns the code of a figure, or of its visible call, including folded parts. */
function visibleCode(figure) {
  const calls = [...figure.querySelectorAll('.call')];
  const place = calls.find((call) => call.getClientRects().length > 0) ?? figure;
  return [...place.querySelectorAll('pre')].map((pre) => pre.textContent).join('\n');
}

export function addCopyButton(figure) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  });
  button.setAttribute('aria-live', 'polite');
  let timer;
  button.addEventListener('click', async () => {
    const done = await copy(visibleCode(figure)).then(
      () => true,
      () => false,
    );
    button.textContent = done ? 'Copied' : 'Copy failed';
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = 'Copy'), FEEDBACK_MS);
  });
  figure.append(button);
}
