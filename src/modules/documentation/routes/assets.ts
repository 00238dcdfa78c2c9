import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  MethodTable,
  EncodedContent,
  Response,
  type MvcEvent,
  type Router,
  type RouteTarget,
} from '../../../framework';

/** A file of pages, in memory. */
interface Asset {
  readonly content: EncodedContent;
  readonly contentType: string;
  /** A hash of the bytes: the query of its URL. */
  readonly version: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
};

/** Serves the style sheets and scripts of pages, by name, at `/platform/assets/<name>`. */
export class Assets {
  readonly #assets = new Map<string, Asset>();
  readonly #router: Router<RouteTarget>;

  /** @param files name → absolute path */
  constructor(files: Readonly<Record<string, string>>, router: Router<RouteTarget>) {
    this.#router = router;
    this.add(files);
  }

  /**
   * Adds files, those of other modules: `{ 'admin/forms.js': '/…/forms.js' }`.
   * @throws TypeError for an unknown file type, ConfigurationError for a name that is already in use
   */
  add(files: Readonly<Record<string, string>>): void {
    for (const [name, file] of Object.entries(files)) this.#keep(name, load(file));
  }

  /** Adds a text; the extension of the name is its type. @throws as {@link add} does */
  addText(name: string, text: string): void {
    this.#keep(name, assetOf(name, Buffer.from(text)));
  }

  #keep(name: string, asset: Asset): void {
    const handler = (event: MvcEvent): Response => respond(asset, event);
    const methods = new MethodTable({ GET: Object.freeze({ name: `asset ${name}`, handler }) });
    this.#router.add(`asset:${name}`, `/platform/assets/${name}`, { methods });
    this.#assets.set(name, asset);
  }

  /** Returns the URL of an asset. @throws RangeError for an unknown name */
  urlOf(name: string): string {
    const asset = this.#assets.get(name);
    if (asset === undefined)
      throw new RangeError(
        `Asset "${name}" does not exist. Available: ${[...this.#assets.keys()].join(', ')}.`,
      );
    return `${this.#router.assemble(`asset:${name}`)}?${asset.version}`;
  }
}

/** Whether a file has a supported type. */
export function isAssetFile(file: string): boolean {
  return path.extname(file).toLowerCase() in CONTENT_TYPES;
}

function load(file: string): Asset {
  contentTypeOf(file);
  return assetOf(file, readFileSync(file));
}

function assetOf(name: string, bytes: Buffer): Asset {
  return {
    content: new EncodedContent(bytes),
    contentType: contentTypeOf(name),
    version: createHash('sha256').update(bytes).digest('hex').slice(0, 8),
  };
}

function contentTypeOf(name: string): string {
  const contentType = CONTENT_TYPES[path.extname(name).toLowerCase()];
  if (contentType === undefined)
    throw new TypeError(
      `${name} has no supported file type. Supported: ${Object.keys(CONTENT_TYPES).join(', ')}.`,
    );
  return contentType;
}

/** The framework adds content coding, entity tag and 304. */
function respond({ content, contentType, version }: Asset, { request }: MvcEvent): Response {
  // Scripts import one another without a version in the URL, so those URLs are revalidated.
  const lasts = request.rawQuery === version;
  const response = new Response(200, content.bytes, [
    ['Content-Type', contentType],
    ['Cache-Control', lasts ? 'public, max-age=31536000, immutable' : 'no-cache'],
  ]);
  response.encodedContent = content;
  return response;
}
