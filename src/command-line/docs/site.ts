import path from 'node:path';
import { isObject, percentDecoded } from '../../framework';
import { UsageError } from '../usage-error';
import { addressesOf, readdress, replaceFormatLinks } from './page-links';
import { fileOf, relativeAddress, type PageAddress } from './export-path';

const DOCUMENTATION = '/platform/documentation';
const GUIDES = '/platform/guides/';
const GUIDE_IMAGES = `${GUIDES}images/`;
const ASSETS = '/platform/assets/';

/** A file of the site, before its links are rewritten. */
interface SiteFile {
  readonly url: URL;
  readonly file: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The default version by API, for addresses without a version. */
type DefaultVersions = ReadonlyMap<string, number>;

/**
 * Crawls the documentation that guests may read, in every format, and rewrites its links to relative ones.
 * @param base origin and base path of the server
 * @returns contents by path from the site's root
 * @throws UsageError if guests may not read it
 */
export async function crawlSite(base: string): Promise<ReadonlyMap<string, Buffer>> {
  return new Site(base).crawl();
}

class Site {
  readonly #base: string;
  /** By the canonical key of the address. */
  readonly #items = new Map<string, SiteFile>();
  readonly #missing = new Set<string>();
  /** File names in lower case. */
  readonly #fileNames = new Set<string>();
  #defaults: DefaultVersions = new Map();

  constructor(base: string) {
    this.#base = base;
  }

  async crawl(): Promise<ReadonlyMap<string, Buffer>> {
    const waiting = [...(await this.#scopes())].map((one) => new URL(`${this.#base}${DOCUMENTATION}${one}`));
    // The list grows during iteration.
    for (const url of waiting) for (const next of await this.#fetch(url)) waiting.push(next);
    return this.#files();
  }

  /** Fetches an address once. @returns the addresses that it links to */
  async #fetch(url: URL): Promise<readonly URL[]> {
    const key = this.#keyOf(url);
    if (key === undefined || this.#items.has(key) || this.#missing.has(key)) return [];
    const answer = await fetch(url, { headers: { accept: 'text/html, */*;q=0.1' } });
    if (answer.status !== 200) {
      this.#missing.add(key);
      return [];
    }
    const contentType = answer.headers.get('content-type') ?? '';
    const bytes = Buffer.from(await answer.arrayBuffer());
    const page = this.#pageAt(url);
    const file = page === undefined ? this.#assetOf(url) : fileOf(page, contentType);
    this.#items.set(key, { url, file: this.#uniqueName(file ?? key), contentType, bytes });
    const addresses = [
      ...[...(answer.headers.get('link') ?? '').matchAll(/<([^>]*)>;\s*rel="alternate"/g)].map(
        ([, to = '']) => to,
      ),
      ...(contentType.startsWith('text/html') ? addressesOf(bytes.toString()) : []),
    ];
    return addresses.flatMap((address) => this.#onServer(address, url) ?? []);
  }

  /** Makes a file name unique on file systems that ignore letter case. */
  #uniqueName(file: string): string {
    const { dir, name, ext } = path.posix.parse(file);
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? file : path.posix.join(dir, `${name}~${count}${ext}`);
      if (this.#fileNames.has(candidate.toLowerCase())) continue;
      this.#fileNames.add(candidate.toLowerCase());
      return candidate;
    }
  }

  #files(): ReadonlyMap<string, Buffer> {
    return new Map([...this.#items.values()].map((item) => [item.file, this.#contentOf(item)]));
  }

  #contentOf(item: SiteFile): Buffer {
    const { contentType, bytes } = item;
    const replace = (address: string): string | undefined => this.#readdressed(item, address);
    if (contentType.startsWith('text/html')) return Buffer.from(readdress(bytes.toString(), replace));
    if (contentType.startsWith('text/markdown'))
      return Buffer.from(replaceFormatLinks(bytes.toString(), replace));
    return bytes;
  }

  #readdressed({ url, file }: SiteFile, address: string): string | undefined {
    if (address.startsWith('#')) return address;
    const target = this.#onServer(address, url);
    if (target === undefined) return address;
    const found = this.#items.get(this.#keyOf(target) ?? '');
    return found === undefined ? undefined : relativeAddress(file, found.file) + target.hash;
  }

  /** Resolves an address; undefined for other origins. */
  #onServer(address: string, from: URL): URL | undefined {
    if (!URL.canParse(address, from.href)) return undefined;
    const url = new URL(address, from);
    return url.origin === from.origin ? url : undefined;
  }

  /** Returns the canonical key of an address; undefined if it is not part of the site. */
  #keyOf(url: URL): string | undefined {
    const page = this.#pageAt(url);
    if (page === undefined) return this.#assetOf(url);
    const { scope, query, format } = page;
    return JSON.stringify([scope, query, format ?? 'html']);
  }

  #assetOf({ pathname }: URL): string | undefined {
    const folders = { [ASSETS]: 'assets/', [GUIDE_IMAGES]: 'guides/images/' };
    for (const [path, folder] of Object.entries(folders)) {
      const below = new URL(`${this.#base}${path}`).pathname;
      // URL parsing has already resolved dot segments.
      if (pathname.startsWith(below)) return folder + pathname.slice(below.length);
    }
    return undefined;
  }

  #pageAt({ pathname, searchParams }: URL): PageAddress | undefined {
    const home = new URL(`${this.#base}/`).pathname;
    const scope = this.#scopeOf(pathname.startsWith(home) ? `/${pathname.slice(home.length)}` : '');
    if (scope === undefined) return undefined;
    const query = [...searchParams]
      .filter(([name]) => name !== 'format')
      .map((pair) => pair.filter(Boolean).join('-'));
    const format = searchParams.get('format') ?? undefined;
    return { scope, query: query.join('-'), format };
  }

  /** @param path relative to the base path */
  #scopeOf(path: string): readonly string[] | undefined {
    // The root redirects to the documentation.
    if (path === '/' || path === DOCUMENTATION) return [];
    if (path.startsWith(GUIDE_IMAGES)) return undefined;
    if (path.startsWith(GUIDES)) return ['guides', decoded(path.slice(GUIDES.length))];
    if (!path.startsWith(`${DOCUMENTATION}/`)) return undefined;
    const [api, ...service] = path.slice(DOCUMENTATION.length).split('/').filter(Boolean).map(decoded);
    return api === undefined ? [] : [this.#versioned(api), ...service];
  }

  #versioned(api: string): string {
    const version = this.#defaults.get(api);
    return version === undefined ? api : `${api}-v${version}`;
  }

  /** Returns the paths below the documentation: the list, each version of each API, and their services. */
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
    throw new UsageError(
      `${DOCUMENTATION}${scope} responds ${answer.status}, but the export requires that guests may read the documentation as JSON. See platform-mvc-auth.authorization and platform-content-negotiation.selectors.Documentation.`,
    );
  }
}

/** A segment that cannot be decoded leads to no page. */
function decoded(segment: string): string {
  return percentDecoded(segment) ?? segment;
}

function members(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return typeof list === 'object' && list !== null ? Object.values(list).filter(isObject) : [];
}
