// The reader's credentials by realm, shared by all consoles of the page. They are kept in memory; the session storage
// of the tab, which other pages read, has them only if the reader chooses so.

const KEY = 'platform.credentials';
const NONE = { user: '', password: '' };

/** Called after each change. */
const listeners = new Set();
const stored = readStored();
const byRealm = new Map(stored);
let kept = stored !== undefined;

function readStored() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY));
    if (!Array.isArray(found)) return undefined;
    return found.filter(([, one]) => typeof one?.user === 'string' && typeof one.password === 'string');
  } catch {
    return undefined;
  }
}

function changed() {
  try {
    if (kept && byRealm.size > 0) sessionStorage.setItem(KEY, JSON.stringify([...byRealm]));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage, they apply to this page only.
  }
  for (const listener of listeners) listener();
}

export const credentialsOf = (realm) => byRealm.get(realm) ?? NONE;

/** Whether other pages of this tab use the credentials, too. */
export const areKept = () => kept;

export function setCredentials(realm, { user, password }) {
  if (user === '' && password === '') byRealm.delete(realm);
  else byRealm.set(realm, { user, password });
  changed();
}

export function setKept(value) {
  kept = value;
  changed();
}

/** Calls a function now, and after each change. */
export function observeCredentials(listener) {
  listeners.add(listener);
  listener();
}
