// What every bare server implements of HTTP: it parses paths and `Accept`, and sends text.

/** The path of a target, without its query. @param {string} target */
export function pathOf(target) {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

/**
 * Whether JSON of this type is acceptable (RFC 9110, 12.5.1), computed once per header value.
 * @param {string} type @returns {(accept: string | undefined) => boolean}
 */
export function accepts(type) {
  const known = new Map();
  const [major] = type.split('/');
  const decide = (accept) =>
    accept.split(',').some((range) => {
      const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
      return !refused && (name === type || name === `${major}/*` || name === '*/*');
    });
  return (accept) => {
    if (accept === undefined) return true;
    let decided = known.get(accept);
    if (decided === undefined) {
      decided = decide(accept);
      if (known.size >= 256) known.clear();
      known.set(accept, decided);
    }
    return decided;
  };
}

/** @param {import('node:http').ServerResponse} response */
export function send(response, status, type, text) {
  response.writeHead(status, ['Content-Type', type, 'Content-Length', Buffer.byteLength(text)]);
  response.end(text);
}

/** @param {import('node:http').ServerResponse} response */
export function refuse(response, status) {
  send(response, status, 'application/problem+json', JSON.stringify({ status }));
}
