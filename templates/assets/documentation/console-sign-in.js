// The credentials of a console: those of its realm, for all operations of the page.
import { areKept, credentialsOf, observeCredentials, setCredentials, setKept } from './credentials.js';
import { element } from './dom.js';
import { anyOf, t } from './text.js';
import { forgetSessions } from './sign-in.js';

const KNOWN_SCHEMES = ['digest', 'basic'];

/** Replaces the credentials for unsupported schemes. */
function unsupportedSignIn(schemes) {
  const textContent = t('signIn.unsupported', { schemes: anyOf(schemes) });
  return { part: element('p', { className: 'quiet', textContent }), credentials: () => undefined };
}

const labelled = (text, input) =>
  element('div', { className: 'input' }, element('label', { for: input.id, textContent: text }), input);

/** Creates the inputs; undefined for an operation without authentication. */
export function createSignIn({ schemes, realm, closed }, idOf) {
  const scheme = KNOWN_SCHEMES.find((one) => schemes.includes(one));
  if (scheme === undefined) return schemes.length === 0 ? undefined : unsupportedSignIn(schemes);
  const shared = { autocomplete: 'off', spellcheck: false };
  const user = element('input', { id: idOf('user'), type: 'text', ...shared });
  const password = element('input', { id: idOf('password'), type: 'password', ...shared });
  const keep = element('input', { id: idOf('keep'), type: 'checkbox' });
  const signOut = element('button', {
    type: 'button',
    className: 'cancel',
    textContent: t('signIn.signOut'),
  });
  for (const input of [user, password])
    input.addEventListener('input', () =>
      setCredentials(realm, { user: user.value, password: password.value }),
    );
  keep.addEventListener('change', () => setKept(keep.checked));
  signOut.addEventListener('click', () => {
    forgetSessions();
    setCredentials(realm, { user: '', password: '' });
    user.focus();
  });
  observeCredentials(() => {
    const current = credentialsOf(realm);
    if (user.value !== current.user) user.value = current.user;
    if (password.value !== current.password) password.value = current.password;
    keep.checked = areKept();
    signOut.hidden = current.user === '' && current.password === '';
  });
  const part = element(
    'fieldset',
    { className: 'console-sign-in' },
    element('legend', {
      textContent: closed ? t('signIn.realm', { realm }) : t('signIn.optional', { realm }),
    }),
    labelled(t('signIn.user'), user),
    labelled(t('signIn.password'), password),
    element(
      'p',
      { className: 'console-keep' },
      keep,
      element('label', { for: keep.id, textContent: t('signIn.keep') }),
      signOut,
    ),
  );
  const credentials = () =>
    user.value === '' && password.value === ''
      ? undefined
      : { scheme, realm, user: user.value, password: password.value };
  return { part, credentials, required: closed ? { scheme } : undefined };
}

/** Returns a note about a 401; empty for other responses. */
export function refusalNote({ status }, { closed, schemes }, credentials) {
  if (status !== 401 || schemes.length === 0) return '';
  if (credentials !== undefined) return t('signIn.refused');
  return closed ? t('signIn.missing') : '';
}
