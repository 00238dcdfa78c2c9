// The curl command for a request.
import { MULTIPART } from './console-form.js';
import { createCopyButton } from './copy.js';
import { element } from './dom.js';
import { t } from './text.js';

const quoted = (text) => (/^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const isMultipart = (type) => type?.startsWith(`${MULTIPART}; boundary=`) ?? false;

const escaped = (text) => text.replace(/["\\]/g, '\\$&');

/** A form field. curl interprets some values unless --form-string is used, and guesses the types of few files. */
function fieldOf({ name, text, json, file }) {
  if (file) {
    const type = file.type || 'application/octet-stream';
    return `-F ${quoted(`${name}=@"${escaped(file.name)}";type=${type}`)}`;
  }
  if (json !== undefined) return `-F ${quoted(`${name}="${escaped(json)}";type=application/json`)}`;
  return `${/^[@<"(]|;/.test(text) ? '--form-string' : '-F'} ${quoted(`${name}=${text}`)}`;
}

const placeholder = ({ prefix }) => (prefix === '' ? 'API_KEY' : 'TOKEN');

function withKey(url, credentials, tokenOf) {
  const pair = new URLSearchParams({ [credentials.name]: tokenOf(credentials) });
  return `${url}${url.includes('?') ? '&' : '?'}${pair}`;
}

/** The header field of a token; none for a guest, and for a key in the query. */
function tokenField(credentials, tokenOf) {
  if (credentials?.in !== 'header') return [];
  return [`-H ${quoted(`${credentials.name}: ${credentials.prefix}${tokenOf(credentials)}`)}`];
}

/**
 * curl prompts for the password, so that it is not in the shell history.
 * @param pairs the fields of a form
 * @param userOf returns the argument of `-u` for credentials
 * @param tokenOf returns the token or key to write
 */
export function curlOf(
  { url: address, init, credentials, pairs },
  userOf = ({ user }) => user,
  tokenOf = placeholder,
) {
  const { method, headers, body } = init;
  const isToken = credentials?.scheme === 'token';
  const url = isToken && credentials.in === 'query' ? withKey(address, credentials, tokenOf) : address;
  const options = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method];
  const signIn =
    credentials === undefined || isToken
      ? tokenField(credentials, tokenOf)
      : [`${credentials.scheme === 'digest' ? '--digest ' : ''}-u ${quoted(userOf(credentials))}`];
  return [
    ['curl', ...options, quoted(url)].join(' '),
    ...signIn,
    ...Object.entries(headers)
      // curl sets the type of a multipart form itself, with the boundary.
      .filter(([, value]) => !isMultipart(value))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(isMultipart(headers['Content-Type'])
      ? pairs.map(fieldOf)
      : body === undefined
        ? []
        : // curl would read a file for a body of --data-binary that begins with "@".
          [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/**
 * Returns a button that copies the request of the form, without sending it, and a choice of what it includes.
 * @param request returns the request, see `curlOf`
 * @param signIn undefined for an operation without authentication; `required` is set if guests may not call it
 */
export function createCurlButton(request, signIn, idOf) {
  const secret = element('input', { id: idOf('secret'), type: 'checkbox' });
  const userOf = ({ user, password }) =>
    secret.checked && password !== undefined ? `${user}:${password}` : 'USER';
  const tokenOf = (credentials) =>
    secret.checked && credentials.token !== undefined ? credentials.token : placeholder(credentials);
  const button = createCopyButton(t('copy.curl'), 'cancel', () => {
    const current = request();
    return curlOf({ ...current, credentials: current.credentials ?? signIn?.required }, userOf, tokenOf);
  });
  if (signIn === undefined) return [button];
  const label = element('label', { for: secret.id, textContent: t('copy.credentials') });
  return [button, element('span', { className: 'console-secret' }, secret, label)];
}
