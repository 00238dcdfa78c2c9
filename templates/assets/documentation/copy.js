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

export function addCopyButton(figure) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  });
  button.setAttribute('aria-live', 'polite');
  let timer;
  button.addEventListener('click', async () => {
    const visible = [...figure.querySelectorAll('pre')].find((pre) => pre.getClientRects().length > 0);
    const done = await copy(visible?.textContent ?? '').then(
      () => true,
      () => false,
    );
    button.textContent = done ? 'Copied' : 'Copy failed';
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = 'Copy'), FEEDBACK_MS);
  });
  figure.append(button);
}
