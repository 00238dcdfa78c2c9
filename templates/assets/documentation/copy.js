// A button on each sample that copies what is shown of it.

const SHOWN_FOR = 2000;

async function copy(text) {
  // Only there in secure contexts; a service on a plain address in a network has the old way.
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
    const shown = [...figure.querySelectorAll('pre')].find((pre) => pre.getClientRects().length > 0);
    const done = await copy(shown?.textContent ?? '').then(
      () => true,
      () => false,
    );
    button.textContent = done ? 'Copied' : 'Copy failed';
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = 'Copy'), SHOWN_FOR);
  });
  figure.append(button);
}
