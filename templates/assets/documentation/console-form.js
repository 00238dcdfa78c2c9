// Bodies of forms, written here: FormData cannot say of a field that it is JSON.

export const MULTIPART = 'multipart/form-data';
export const FORM = 'application/x-www-form-urlencoded';

/** As the HTML standard has names in multipart/form-data. */
const quoted = (name) => `"${name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;

/**
 * The body and the type of a form (RFC 7578, or as addresses write it).
 * @param pairs `{ name, text | json | file }`
 */
export function writeForm(type, pairs) {
  if (type === FORM) {
    const texts = pairs.filter(({ file }) => file === undefined);
    const body = new URLSearchParams(texts.map(({ name, text, json }) => [name, text ?? json]));
    return { type, body: String(body) };
  }
  const boundary = `form-${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
  const parts = pairs.flatMap(({ name, text, json, file }) => {
    const head = [`--${boundary}`, `Content-Disposition: form-data; name=${quoted(name)}`];
    if (file) head[1] += `; filename=${quoted(file.name)}`;
    if (file) head.push(`Content-Type: ${file.type || 'application/octet-stream'}`);
    if (json !== undefined) head.push('Content-Type: application/json');
    return [`${head.join('\r\n')}\r\n\r\n`, file ?? text ?? json, '\r\n'];
  });
  return { type: `${MULTIPART}; boundary=${boundary}`, body: new Blob([...parts, `--${boundary}--\r\n`]) };
}
