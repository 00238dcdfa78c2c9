import path from 'node:path';
import { isTree, StartError } from '../framework';
import { addressesOf, readdress, readdressFormats } from './docs-page';
import { fileOf, relativeAddress, type Place } from './docs-place';

const DOCUMENTATION = '/platform/documentation';
const GUIDES = '/platform/guides/';
const ASSETS = '/platform/assets/';

/** A file of the site, before its links are those between files. */
interface Item {
  readonly url: URL;
  readonly file: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** What is known of the APIs: which version answers where an address names none. */
type DefaultVersions = ReadonlyMap<string, number>;

/**
 * Everything that guests may read of a server's documentation, in every format, as files that lead to one another.
 * @param base origin and base path of the server
 * @returns contents by path from the site's root
 * @throws StartError where guests may not read it
 */
export async function siteOf(base: string): Promise<ReadonlyMap<string, Buffer>> {
  return new Site(base).collect();
}

class Site {
  readonly #base: string;
  /** By what an address means. */
  readonly #items = new Map<string, Item>();
  readonly #missing = new Set<string>();
  /** Names of files in lower case. */
  readonly #taken = new Set<string>();
  #defaults: DefaultVersions = new Map();

  constructor(base: string) {
    this.#base = base;
  }

  async collect(): Promise<ReadonlyMap<string, Buffer>> {
    const waiting = [...(await this.#scopes())].map((one) => new URL(`${this.#base}${DOCUMENTATION}${one}`));
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      waiting.push(...(await this.#take(url)));
    }
    return this.#files();
  }

  /** Takes what an address leads to, once. @returns what that leads to */
  async #take(url: URL): Promise<readonly URL[]> {
    const key = this.#keyOf(url);
    if (key === undefined || this.#items.has(key) || this.#missing.has(key)) return [];
    const answer = await fetch(url, { headers: { accept: 'text/html, */*;q=0.1' } });
    if (answer.status !== 200) {
      this.#missing.add(key);
      return [];
    }
    const contentType = answer.headers.get('content-type') ?? '';
    const bytes = Buffer.from(await answer.arrayBuffer());
    const place = this.#placeOf(url);
    const file = place === undefined ? this.#assetOf(url) : fileOf(place, contentType);
    this.#items.set(key, { url, file: this.#unlike(file ?? key), contentType, bytes });
    const addresses = [
      ...[...(answer.headers.get('link') ?? '').matchAll(/<([^>]*)>;\s*rel="alternate"/g)].map(
        ([, to = '']) => to,
      ),
      ...(contentType.startsWith('text/html') ? addressesOf(bytes.toString()) : []),
    ];
    return addresses.flatMap((address) => this.#ofServer(address, url) ?? []);
  }

  /** Where letter case makes no difference, two files must not become one. */
  #unlike(file: string): string {
    const { dir, name, ext } = path.posix.parse(file);
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? file : path.posix.join(dir, `${name}~${count}${ext}`);
      if (this.#taken.has(candidate.toLowerCase())) continue;
      this.#taken.add(candidate.toLowerCase());
      return candidate;
    }
  }

  #files(): ReadonlyMap<string, Buffer> {
    return new Map([...this.#items.values()].map((item) => [item.file, this.#contentOf(item)]));
  }

  #contentOf(item: Item): Buffer {
    const { contentType, bytes } = item;
    const replace = (address: string): string | undefined => this.#readdressed(item, address);
    if (contentType.startsWith('text/html')) return Buffer.from(readdress(bytes.toString(), replace));
    if (contentType.startsWith('text/markdown'))
      return Buffer.from(readdressFormats(bytes.toString(), replace));
    return bytes;
  }

  #readdressed({ url, file }: Item, address: string): string | undefined {
    if (address.startsWith('#')) return address;
    const target = this.#ofServer(address, url);
    if (target === undefined) return address;
    const found = this.#items.get(this.#keyOf(target) ?? '');
    return found === undefined ? undefined : relativeAddress(file, found.file) + target.hash;
  }

  /** An address of this very server; undefined for others. */
  #ofServer(address: string, from: URL): URL | undefined {
    if (!URL.canParse(address, from.href)) return undefined;
    const url = new URL(address, from);
    return url.origin === from.origin ? url : undefined;
  }

  /** What an address means, the same for all that mean it; undefined for what is no part of a site. */
  #keyOf(url: URL): string | undefined {
    const place = this.#placeOf(url);
    if (place === undefined) return this.#assetOf(url);
    const { scope, query, format } = place;
    return JSON.stringify([scope, query, format ?? 'html']);
  }

  #assetOf({ pathname }: URL): string | undefined {
    const below = new URL(`${this.#base}${ASSETS}`).pathname;
    // The client has resolved dots already: what is left of them is a name.
    return pathname.startsWith(below) ? `assets/${pathname.slice(below.length)}` : undefined;
  }

  #placeOf({ pathname, searchParams }: URL): Place | undefined {
    const home = new URL(`${this.#base}/`).pathname;
    const scope = this.#scopeOf(pathname.startsWith(home) ? `/${pathname.slice(home.length)}` : '');
    if (scope === undefined) return undefined;
    const query = [...searchParams].filter(([name]) => name !== 'format').map((pair) => pair.join('-'));
    const format = searchParams.get('format') ?? undefined;
    return { scope, query: query.join('-'), format };
  }

  /** @param path below the server's base path */
  #scopeOf(path: string): readonly string[] | undefined {
    // The server's own home leads to its documentation.
    if (path === '/' || path === DOCUMENTATION) return [];
    if (path.startsWith(GUIDES)) return ['guides', decodeURIComponent(path.slice(GUIDES.length))];
    if (!path.startsWith(`${DOCUMENTATION}/`)) return undefined;
    const [api, ...service] = path
      .slice(DOCUMENTATION.length)
      .split('/')
      .filter(Boolean)
      .map(decodeURIComponent);
    return api === undefined ? [] : [this.#versioned(api), ...service];
  }

  #versioned(api: string): string {
    const version = this.#defaults.get(api);
    return version === undefined ? api : `${api}-v${version}`;
  }

  /** The paths below the documentation's: of the list, of every version of every API, and of their services. */
  async #scopes(): Promise<readonly string[]> {
    const scopes = [''];
    const defaults = new Map<string, number>();
    for (const { name, versions } of members(await this.#read(''))) {
      if (typeof name !== 'string' || !Array.isArray(versions)) continue;
      defaults.set(name, Number((await this.#read(`/${name}`)).version));
      for (const version of versions as unknown[]) {
        const api = `/${name}-v${String(version)}`;
        const { services } = await this.#read(api);
        const names = members(services).flatMap((one) => (typeof one.name === 'string' ? [one.name] : []));
        scopes.push(api, ...names.map((service) => `${api}/${encodeURIComponent(service)}`));
      }
    }
    this.#defaults = defaults;
    return scopes;
  }

  async #read(scope: string): Promise<Readonly<Record<string, unknown>>> {
    const address = `${this.#base}${DOCUMENTATION}${scope}`;
    const answer = await fetch(address, { headers: { accept: 'application/json' } });
    const body: unknown = answer.status === 200 ? await answer.json() : undefined;
    if (typeof body === 'object' && body !== null) return { ...body };
    throw new StartError(
      `${DOCUMENTATION}${scope} answers ${answer.status}: what is exported is what guests may read, as JSON among others. See platform-mvc-auth.authorization and platform-content-negotiation.selectors.Documentation.`,
    );
  }
}

function members(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return typeof list === 'object' && list !== null ? Object.values(list).filter(isTree) : [];
}
