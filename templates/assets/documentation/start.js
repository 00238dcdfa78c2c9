// Runs before the first paint, so that saved preferences cause no flash or layout shift.
{
  const root = document.documentElement;
  root.dataset.script = 'on';
  for (const name of ['theme', 'language']) {
    try {
      const chosen = localStorage.getItem(`platform.${name}`);
      if (chosen !== null && /^[a-z]+$/.test(chosen)) root.dataset[name] = chosen;
    } catch {
      // Without storage, nothing is saved.
    }
  }
}
