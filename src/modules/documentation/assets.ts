import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { MethodTable, Response, type MvcEvent, type Router, type RouteTarget } from '../../framework';

/** A file that pages need, kept in memory: nothing of a page comes from another origin. */
interface Asset {
  readonly bytes: Buffer;
  readonly etag: string;
}

const STYLESHEET = 'text/css; charset=utf-8';

/** Serves the style sheets of pages, by name, at `/platform/assets/<name>`. */
export class Assets {
  readonly #assets: ReadonlyMap<string, Asset>;
  readonly #router: Router<RouteTarget>;

  /** @param files name → absolute path */
  constructor(files: Readonly<Record<string, string>>, router: Router<RouteTarget>) {
    this.#router = router;
    this.#assets = new Map(Object.entries(files).map(([name, file]) => [name, load(file)]));
    for (const [name, asset] of this.#assets) {
      const handler = (event: MvcEvent): Response => respond(asset, event);
      const methods = new MethodTable({ GET: Object.freeze({ name: `asset ${name}`, handler }) });
      router.add(`asset:${name}`, `/platform/assets/${name}`, { methods });
    }
  }

  /** The address of an asset. @throws RangeError for an unknown name */
  urlOf(name: string): string {
    const asset = this.#assets.get(name);
    if (asset === undefined)
      throw new RangeError(`There is no asset "${name}". There is: ${[...this.#assets.keys()].join(', ')}.`);
    return `${this.#router.assemble(`asset:${name}`)}?${asset.etag.slice(1, 9)}`;
  }
}

function load(file: string): Asset {
  const bytes = readFileSync(file);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
}

function respond({ bytes, etag }: Asset, event: MvcEvent): Response {
  const fields = [
    ['ETag', etag],
    ['Cache-Control', 'public, max-age=31536000, immutable'],
  ] as const;
  if (event.request.header('if-none-match') === etag) return new Response(304, null, fields);
  return new Response(200, bytes, [['Content-Type', STYLESHEET], ...fields]);
}
