import { MethodTable, Response, type MvcEvent, type Router, type RouteTarget } from '../../../framework';
import { AssetFiles, assetOf, type Asset } from './asset-files';

/** Serves the style sheets and scripts of pages, by name, at `/platform/assets/<name>`. */
export class Assets {
  readonly #assets = new Map<string, Asset>();
  readonly #router: Router<RouteTarget>;
  readonly #loaded: AssetFiles;

  /**
   * @param files name → absolute path
   * @param loaded the files of earlier applications
   */
  constructor(
    files: Readonly<Record<string, string>>,
    router: Router<RouteTarget>,
    loaded = new AssetFiles(),
  ) {
    this.#router = router;
    this.#loaded = loaded;
    this.add(files);
  }

  /**
   * Adds files, those of other modules: `{ 'admin/forms.js': '/…/forms.js' }`.
   * @throws TypeError for an unknown file type, ConfigurationError for a name that is already in use
   */
  add(files: Readonly<Record<string, string>>): void {
    for (const [name, file] of Object.entries(files)) this.#keep(name, this.#loaded.load(file));
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
