// Runs before the page is shown, so that nothing moves or flashes: what the reader chose before.
{
  const root = document.documentElement;
  root.dataset.script = 'on';
  for (const name of ['theme', 'language']) {
    try {
      const chosen = localStorage.getItem(`platform.${name}`);
      if (chosen !== null && /^[a-z]+$/.test(chosen)) root.dataset[name] = chosen;
    } catch {
      // Without storage nothing is remembered.
    }
  }
}
