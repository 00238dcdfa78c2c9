// The signed-in reader in the header. Pages are the same for all readers, so that they can be cached: the name is
// requested here.
import { t } from './text.js';

/** @param place with the link to the sign-in */
export async function showReader(place) {
  const { reader: path } = place.dataset;
  const link = place.querySelector('a');
  const { pathname, search, hash } = location;
  link.href = `${path}?return=${encodeURIComponent(pathname + search + hash)}`;
  const response = await fetch(`${path}/session`, { headers: { Accept: 'application/json' } });
  const { name } = response.ok ? await response.json() : { name: null };
  if (name === null) return;
  link.href = `${path}/account`;
  link.textContent = name;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = t('signIn.signOut');
  button.addEventListener('click', async () => {
    const signedOut = `${path}/signed-out?return=${encodeURIComponent(pathname + search)}`;
    const options = { method: 'POST', redirect: 'manual' };
    const answer = await fetch(`${path}/sign-out`, options).catch(() => undefined);
    // Otherwise the reader is still signed in: the page of the account has a form, which shows why.
    location.assign(answer?.type === 'opaqueredirect' ? signedOut : `${path}/account`);
  });
  place.append(button);
}
