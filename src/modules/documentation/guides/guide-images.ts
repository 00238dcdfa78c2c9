import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { EncodedContent, percentDecoded } from '../../../framework';

/** An image of guides, in memory. */
export interface GuideImage {
  readonly content: EncodedContent;
  readonly contentType: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Images are kept in memory. */
const MAX_BYTES = 10_000_000;

/** An absolute URL, a URL without a scheme, or an absolute path. */
const NOT_RELATIVE = /^(?:[a-z][a-z\d+.-]*:|\/)/i;

/**
 * The images that guides refer to by relative paths. Only these files are served, under names that contain a hash of their
 * content, so that no request is resolved to a path.
 */
export class GuideImages {
  readonly #folder: string;
  readonly #images = new Map<string, GuideImage>();
  readonly #warnings: string[] = [];

  /** @param folder the absolute path of the guides */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** By name in the URL. */
  get images(): ReadonlyMap<string, GuideImage> {
    return this.#images;
  }

  /** The images that are not shown, and why. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /**
   * Returns the URL of an image, relative to the page of a guide; undefined for an image that is not shown.
   * @param source as written in the guide @param guide the file name of the guide, for warnings
   */
  urlOf(source: string, guide: string): string | undefined {
    if (NOT_RELATIVE.test(source)) return undefined;
    const found = this.#read(source.replace(/[?#].*$/, ''));
    if (typeof found !== 'string') return `images/${this.#keep(found)}`;
    this.#warnings.push(
      `The guide ${guide} refers to the image "${source}", ${found}. Its alternative text is shown instead.`,
    );
    return undefined;
  }

  #keep({ file, bytes, contentType }: ImageFile): string {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    const name = `${hash}-${path.basename(file).replace(/[^\w.-]/g, '-')}`;
    if (!this.#images.has(name)) this.#images.set(name, { content: new EncodedContent(bytes), contentType });
    return name;
  }

  /** Reads an image below the folder, or returns why it cannot be shown. */
  #read(source: string): ImageFile | string {
    const file = percentDecoded(source);
    if (file === undefined) return 'whose percent-encoding is invalid';
    const contentType = CONTENT_TYPES[path.extname(file).toLowerCase()];
    if (contentType === undefined)
      return `whose file type is not supported; supported: ${Object.keys(CONTENT_TYPES).join(', ')}`;
    try {
      const folder = realpathSync(this.#folder);
      // Also follows symbolic links.
      const real = realpathSync(path.resolve(folder, file));
      if (!real.startsWith(folder + path.sep)) return 'which is outside the folder of the guides';
      if (statSync(real).size > MAX_BYTES) return `which is larger than ${MAX_BYTES / 1_000_000} MB`;
      return { file, contentType, bytes: readFileSync(real) };
    } catch {
      return 'which cannot be read';
    }
  }
}

interface ImageFile {
  readonly file: string;
  readonly bytes: Buffer;
  readonly contentType: string;
}
