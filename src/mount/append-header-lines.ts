import type { ServerResponse } from 'node:http';

/**
 * Lets `writeHead` add a list of header lines to the fields that the host has set: Node 20 would keep only the last line
 * of each field then, such as one challenge or cookie of several. Middleware of the host can read them as well.
 */
export function appendHeaderLines(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: readonly unknown[]): ServerResponse => {
    const [lines] = rest;
    if (rest.length !== 1 || !Array.isArray(lines))
      return Reflect.apply(writeHead, undefined, [status, ...rest]) as ServerResponse;
    const texts = lines.map(String);
    for (let at = 0; at < texts.length; at += 2) response.removeHeader(texts[at] ?? '');
    for (let at = 0; at < texts.length; at += 2) response.appendHeader(texts[at] ?? '', texts[at + 1] ?? '');
    return writeHead(status);
  };
}
