/** A browser without a screen: keeps cookies by host and path, and follows redirects step by step. */
export class CookieBrowser {
  /** By host, path and name. */
  readonly #cookies = new Map<
    string,
    { readonly host: string; readonly path: string; readonly pair: string }
  >();

  async get(url: string | URL, headers: Record<string, string> = {}): Promise<Response> {
    return await this.send(url, { headers });
  }

  /** Submits a form. */
  async post(
    url: string | URL,
    fields: Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ) {
    return await this.send(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  async send(url: string | URL, init: RequestInit): Promise<Response> {
    const to = new URL(url);
    const headers = new Headers(init.headers);
    const cookies = this.cookiesFor(to);
    if (cookies !== '') headers.set('Cookie', cookies);
    const response = await fetch(to, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) this.#keep(to.host, line);
    return response;
  }

  /** Follows redirects from a response. @returns the first response without a redirect, or with one that `until` accepts */
  async follow(response: Response, until: (location: URL) => boolean = () => false): Promise<Response> {
    let current = response;
    for (let step = 0; step < 10; step++) {
      const location = locationOf(current);
      if (location === undefined || until(location)) return current;
      current = await this.get(location);
    }
    throw new Error('Too many redirects.');
  }

  /** The `Cookie` field for a URL. */
  cookiesFor({ host, pathname }: URL): string {
    return [...this.#cookies.values()]
      .filter((cookie) => cookie.host === host && pathname.startsWith(cookie.path))
      .map(({ pair }) => pair)
      .join('; ');
  }

  #keep(host: string, line: string): void {
    const [pair = '', ...attributes] = line.split(/; */);
    const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? '/';
    const name = pair.split('=', 1)[0] ?? '';
    const key = `${host} ${path} ${name}`;
    const isRemoved = attributes.some(
      (one) => /^max-age=0$/i.test(one) || (/^expires=/i.test(one) && Date.parse(one.slice(8)) < Date.now()),
    );
    if (isRemoved) this.#cookies.delete(key);
    else this.#cookies.set(key, { host, path, pair });
  }
}

/** Where a response redirects to. */
export function locationOf(response: Response): URL | undefined {
  const location = response.headers.get('location');
  return location === null ? undefined : new URL(location, response.url);
}
