// The request that was sent, as a command line.
import { MULTIPART } from './console-form.js';

const quoted = (text) => (/^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const isMultipart = (type) => type?.startsWith(`${MULTIPART}; boundary=`) ?? false;

/** A field of a form; curl reads meaning into some texts unless told not to. */
function fieldOf({ name, text, json, file }) {
  if (file) return `-F ${quoted(`${name}=@${file.name}`)}`;
  if (json !== undefined) {
    const content = json.replace(/["\\]/g, '\\$&');
    return `-F ${quoted(`${name}="${content}";type=application/json`)}`;
  }
  return `${/^[@<"(]|;/.test(text) ? '--form-string' : '-F'} ${quoted(`${name}=${text}`)}`;
}

/**
 * curl asks for the password itself: it stands in no history.
 * @param pairs the fields of a form
 */
export function curlOf({ url, init, credentials, pairs }) {
  const { method, headers, body } = init;
  const options = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method];
  const signIn =
    credentials === undefined
      ? []
      : [`${credentials.scheme === 'digest' ? '--digest ' : ''}-u ${quoted(credentials.user)}`];
  return [
    ['curl', ...options, quoted(url)].join(' '),
    ...signIn,
    ...Object.entries(headers)
      // Of a form with files curl writes the type itself: it knows the boundary.
      .filter(([, value]) => !isMultipart(value))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(isMultipart(headers['Content-Type'])
      ? pairs.map(fieldOf)
      : body === undefined
        ? []
        : [`--data-binary ${quoted(body)}`]),
  ].join(' \\\n  ');
}
