import type { Router, RouteTarget } from '../../framework';
import { formatOf, type Representation, type Selector } from '../content-negotiation';

/** The format that is linked to as an API's description, where it is there. */
const DESCRIPTION = 'ApidescModel';

/** Lists of links to remember for each format. */
const MOST = 2_000;

type Scope = Readonly<Record<string, string | number>>;

/** Links (RFC 8288) to documentation in its formats. */
export class DocumentationLinks {
  readonly #router: Router<RouteTarget>;
  /** One for each format, with the type that it prefers. */
  readonly #formats: readonly Representation[];
  /** By the format of the answer, and the path that was asked for. */
  readonly #alternates = new Map<string | undefined, Map<string, readonly string[]>>();

  constructor(router: Router<RouteTarget>, selector: Selector) {
    this.#router = router;
    const first = new Map<string, Representation>();
    for (const one of selector.representations) if (!first.has(one.name)) first.set(one.name, one);
    this.#formats = [...first.values()];
  }

  /**
   * Field values for the formats of a scope, that of the answer left out.
   * @param path that leads to the scope
   * @param shown the view model's name
   */
  alternates(scope: Scope, path: string, shown: string | undefined): readonly string[] {
    const byPath = this.#alternates.get(shown) ?? new Map<string, readonly string[]>();
    const known = byPath.get(path);
    if (known !== undefined) return known;
    const made = this.#formats
      .filter(({ name }) => name !== shown)
      .map((format) => this.#link(scope, format, 'alternate'));
    if (byPath.size >= MOST) byPath.clear();
    this.#alternates.set(shown, byPath.set(path, made));
    return made;
  }

  /** The field value that leads from an API to its description: `service-desc` (RFC 8631, 4). */
  description(scope: Scope): string | undefined {
    const format = this.#formats.find(({ name }) => name === DESCRIPTION) ?? this.#formats[0];
    return format === undefined ? undefined : this.#link(scope, format, 'service-desc');
  }

  /** The address of a scope in a format, or in what is negotiated. */
  href(scope: Scope, format?: string): string {
    const query = format === undefined ? '' : `?format=${format}`;
    return `${this.#router.assemble('documentation', scope)}${query}`;
  }

  /** The formats there are: short name and media type. */
  get formats(): readonly { readonly name: string; readonly type: string }[] {
    return this.#formats.map((one) => ({ name: formatOf(one), type: one.mediaType }));
  }

  #link(scope: Scope, format: Representation, rel: string): string {
    return `<${this.href(scope, formatOf(format))}>; rel="${rel}"; type="${format.mediaType.replace(/["\\]/g, '\\$&')}"`;
  }
}
