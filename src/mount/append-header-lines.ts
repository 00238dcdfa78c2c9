import type { ServerResponse } from 'node:http';

/** The fields of the host that stay: each says something more, such as another field that a cached response depends on. */
const ADDED: readonly string[] = ['set-cookie', 'vary'];

/**
 * Lets `writeHead` add a list of header lines to the fields that the host has set: Node 20 would keep only the last line
 * of each field then, such as one challenge or cookie of several. Middleware of the host can read them as well. Lines
 * replace a field of the host, except for cookies and `Vary`.
 */
export function appendHeaderLines(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: readonly unknown[]): ServerResponse => {
    const [lines] = rest;
    if (rest.length !== 1 || !Array.isArray(lines))
      return Reflect.apply(writeHead, undefined, [status, ...rest]) as ServerResponse;
    const texts = lines.map(String);
    const replaced = removeFields(response, texts);
    try {
      for (const [name, value] of replaced)
        // A copy, to which Node adds.
        if (ADDED.includes(name.toLowerCase())) response.setHeader(name, [value].flat().map(String));
      for (let at = 0; at < texts.length; at += 2)
        response.appendHeader(texts[at] ?? '', texts[at + 1] ?? '');
      return writeHead(status);
    } catch (error) {
      // The response that reports the error has fields of its own.
      removeFields(response, texts);
      for (const [name, value] of replaced) response.setHeader(name, value);
      throw error;
    }
  };
}

/** Removes the fields of header lines. @returns those that the response had, with their values */
function removeFields(
  response: ServerResponse,
  lines: readonly string[],
): readonly (readonly [name: string, value: number | string | string[]])[] {
  const removed: (readonly [string, number | string | string[]])[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at] ?? '';
    const value = response.getHeader(name);
    if (value === undefined) continue;
    removed.push([name, value]);
    response.removeHeader(name);
  }
  return removed;
}
