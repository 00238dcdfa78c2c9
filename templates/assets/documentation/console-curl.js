// The curl command for a request.
import { MULTIPART } from './console-form.js';

const quoted = (text) => (/^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const isMultipart = (type) => type?.startsWith(`${MULTIPART}; boundary=`) ?? false;

/** A form field. curl interprets some values unless --form-string is used. */
function fieldOf({ name, text, json, file }) {
  if (file) return `-F ${quoted(`${name}=@${file.name}`)}`;
  if (json !== undefined) {
    const content = json.replace(/["\\]/g, '\\$&');
    return `-F ${quoted(`${name}="${content}";type=application/json`)}`;
  }
  return `${/^[@<"(]|;/.test(text) ? '--form-string' : '-F'} ${quoted(`${name}=${text}`)}`;
}

/**
 * curl prompts for the password, so that it is not in the shell history.
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
      // curl sets the type of a multipart form itself, with the boundary.
      .filter(([, value]) => !isMultipart(value))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(isMultipart(headers['Content-Type'])
      ? pairs.map(fieldOf)
      : body === undefined
        ? []
        : [`--data-binary ${quoted(body)}`]),
  ].join(' \\\n  ');
}
