// Form bodies, encoded here because FormData cannot set the type of a text field to JSON.

export const MULTIPART = 'multipart/form-data';
export const FORM = 'application/x-www-form-urlencoded';

/** Escapes a name in multipart/form-data (HTML Standard). */
const quoted = (name) => `"${name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;

/**
 * Encodes a form as multipart (RFC 7578) or URL-encoded.
 * @param pairs `{ name, text | json | file }`
 */
export function encodeForm(type, pairs) {
  if (type === FORM) {
    const texts = pairs.filter(({ file }) => file === undefined);
    const body = new URLSearchParams(texts.map(({ name, text, json }) => [name, text ?? json]));
    return { type, body: String(body) };
  }
  const boundary = `form-${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
  const parts = pairs.flatMap(({ name, text, json, file }) => {
    const header = [`--${boundary}`, `Content-Disposition: form-data; name=${quoted(name)}`];
    if (file) header[1] += `; filename=${quoted(file.name)}`;
    if (file) header.push(`Content-Type: ${file.type || 'application/octet-stream'}`);
    if (json !== undefined) header.push('Content-Type: application/json');
    return [`${header.join('\r\n')}\r\n\r\n`, file ?? text ?? json, '\r\n'];
  });
  return { type: `${MULTIPART}; boundary=${boundary}`, body: new Blob([...parts, `--${boundary}--\r\n`]) };
}
