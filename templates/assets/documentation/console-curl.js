// The request that was sent, as a command line.

const quoted = (text) => (/^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** curl asks for the password itself: it stands in no history. */
export function curlOf({ url, init, credentials }) {
  const { method, headers, body } = init;
  const options = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method];
  const signIn =
    credentials === undefined
      ? []
      : [`${credentials.scheme === 'digest' ? '--digest ' : ''}-u ${quoted(credentials.user)}`];
  return [
    ['curl', ...options, quoted(url)].join(' '),
    ...signIn,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body instanceof FormData
      ? [...body].map(
          ([name, value]) => `-F ${quoted(`${name}=${value instanceof File ? `@${value.name}` : value}`)}`,
        )
      : body === undefined
        ? []
        : [`--data-binary ${quoted(body)}`]),
  ].join(' \\\n  ');
}
