// The credentials of a console: those of its realm, for all operations of the page.
import { choice } from './console-inputs.js';
import { areKept, credentialsOf, observeCredentials, setCredentials, setKept } from './credentials.js';
import { element } from './dom.js';
import { anyOf, t } from './text.js';
import { forgetSessions } from './sign-in.js';

const KNOWN_SCHEMES = ['digest', 'basic'];
const SECRET = { autocomplete: 'off', spellcheck: false };

/** Replaces the credentials for unsupported schemes. */
function unsupportedSignIn(schemes) {
  const textContent = t('signIn.unsupported', { schemes: anyOf(schemes) });
  return { part: element('p', { className: 'quiet', textContent }), credentials: () => undefined };
}

const labelled = (text, input) =>
  element('div', { className: 'input' }, element('label', { for: input.id, textContent: text }), input);

/** User and password, kept by realm. */
function passwordMethod({ schemes, realm }, scheme, idOf) {
  const user = element('input', { id: idOf('user'), type: 'text', ...SECRET });
  const password = element('input', { id: idOf('password'), type: 'password', ...SECRET });
  return {
    label: t('signIn.userAndPassword'),
    key: realm,
    realm,
    schemes,
    inputs: { user, password },
    parts: [labelled(t('signIn.user'), user), labelled(t('signIn.password'), password)],
    credentials: () => ({ scheme, realm, user: user.value, password: password.value }),
    required: { scheme },
  };
}

/** The token of a value that was copied from a header field: `Bearer s3cret`. */
function withoutPrefix(text, prefix) {
  const isWhole = prefix !== '' && text.toLowerCase().startsWith(prefix.toLowerCase());
  return isWhole ? text.slice(prefix.length).trim() : text;
}

/** A token or key, kept by realm and place. */
function tokenMethod({ kind, realm, in: place, name, prefix }, at, idOf) {
  const label = kind === 'bearer' ? t('signIn.bearer') : t('signIn.apiKey', { name });
  const password = element('input', { id: idOf(`token-${at}`), type: 'password', ...SECRET });
  const sent = { scheme: 'token', in: place, name, prefix };
  return {
    label,
    key: JSON.stringify([realm, place, name]),
    realm,
    inputs: { password },
    parts: [labelled(label, password)],
    credentials: () => ({ ...sent, realm, token: withoutPrefix(password.value.trim(), prefix) }),
    required: sent,
  };
}

/** Creates the inputs; undefined for an operation without authentication. */
export function createSignIn(description, idOf) {
  const { schemes, tokens = [], closed } = description;
  const scheme = KNOWN_SCHEMES.find((one) => schemes.includes(one));
  const methods = [
    ...(scheme === undefined ? [] : [passwordMethod(description, scheme, idOf)]),
    ...tokens.map((one, at) => tokenMethod(one, at, idOf)),
  ];
  if (methods.length === 0) return schemes.length === 0 ? undefined : unsupportedSignIn(schemes);
  const isFilled = ({ inputs }) => Object.values(inputs).some(({ value }) => value !== '');
  const keep = element('input', { id: idOf('keep'), type: 'checkbox' });
  const signOut = element('button', {
    type: 'button',
    className: 'cancel',
    textContent: t('signIn.signOut'),
  });
  const labels = methods.map(({ label, realm }, at) =>
    methods.some((one, other) => other !== at && one.label === label) ? `${label}, ${realm}` : label,
  );
  const { input: select, row: selection } = choice(idOf('with'), t('signIn.with'), labels);
  const current = () => methods[Math.max(0, labels.indexOf(select.value))];
  const store = ({ key, inputs }) =>
    setCredentials(key, { user: inputs.user?.value ?? '', password: inputs.password.value });
  const legend = element('legend');
  const show = () => {
    for (const method of methods) for (const part of method.parts) part.hidden = method !== current();
    const { realm } = current();
    legend.textContent = closed ? t('signIn.realm', { realm }) : t('signIn.optional', { realm });
    signOut.hidden = !isFilled(current());
  };
  for (const method of methods)
    for (const input of Object.values(method.inputs)) input.addEventListener('input', () => store(method));
  select.addEventListener('change', show);
  keep.addEventListener('change', () => setKept(keep.checked));
  signOut.addEventListener('click', () => {
    forgetSessions();
    const { key, inputs } = current();
    setCredentials(key, { user: '', password: '' });
    Object.values(inputs)[0].focus();
  });
  observeCredentials(() => {
    for (const { key, inputs } of methods) {
      const stored = credentialsOf(key);
      for (const [name, input] of Object.entries(inputs))
        if (input.value !== stored[name]) input.value = stored[name];
    }
    keep.checked = areKept();
    show();
  });
  // What the reader has entered for another operation.
  const filled = methods.findIndex(isFilled);
  if (filled > 0) select.value = labels[filled];
  show();
  const part = element(
    'fieldset',
    { className: 'console-sign-in' },
    legend,
    ...(methods.length > 1 ? [selection] : []),
    ...methods.flatMap(({ parts }) => parts),
    element(
      'p',
      { className: 'console-keep' },
      keep,
      element('label', { for: keep.id, textContent: t('signIn.keep') }),
      signOut,
    ),
  );
  const credentials = () => (isFilled(current()) ? current().credentials() : undefined);
  return {
    part,
    credentials,
    get required() {
      return closed ? current().required : undefined;
    },
    isToken: () => current().inputs.user === undefined,
  };
}

/** Returns a note about a 401; empty for other responses. */
export function refusalNote({ status }, { closed, schemes }, signIn, credentials) {
  if (status !== 401 || schemes.length === 0) return '';
  const isToken = signIn?.isToken?.() === true;
  if (credentials !== undefined) return isToken ? t('signIn.tokenRefused') : t('signIn.refused');
  if (!closed) return '';
  return isToken ? t('signIn.tokenMissing') : t('signIn.missing');
}
