import type { Router, RouteTarget } from '../../../framework';
import { formatOf, type ResponseFormat, type Selector } from '../../content-negotiation';

/** The preferred format of description links. */
const DESCRIPTION = 'ApidescModel';

/** Cached field values per format. */
const MAX_ENTRIES = 2_000;

type Scope = Readonly<Record<string, string | number>>;

/** Links (RFC 8288) to documentation in its formats. */
export class DocumentationLinks {
  readonly #router: Router<RouteTarget>;
  /** One per format, with its preferred media type. */
  readonly #formats: readonly ResponseFormat[];
  /** By response format and request path. */
  readonly #alternates = new Map<string | undefined, Map<string, string>>();

  constructor(router: Router<RouteTarget>, selector: Selector) {
    this.#router = router;
    const first = new Map<string, ResponseFormat>();
    for (const one of selector.formats) if (!first.has(one.name)) first.set(one.name, one);
    this.#formats = [...first.values()];
  }

  /**
   * Returns the field value of the links to the other formats of a scope; empty without any. One line: Node checks each.
   * @param path of the request
   * @param shown the view model's name
   */
  alternates(scope: Scope, path: string, shown: string | undefined): string {
    const byPath = this.#alternates.get(shown) ?? new Map<string, string>();
    const known = byPath.get(path);
    if (known !== undefined) return known;
    const made = this.#formats
      .filter(({ name }) => name !== shown)
      .map((format) => this.#link(scope, format, 'alternate'))
      .join(', ');
    if (byPath.size >= MAX_ENTRIES) byPath.clear();
    this.#alternates.set(shown, byPath.set(path, made));
    return made;
  }

  /** Returns the field value of the link to an API's description: `service-desc` (RFC 8631, 4). */
  description(scope: Scope): string | undefined {
    const format = this.#formats.find(({ name }) => name === DESCRIPTION) ?? this.#formats[0];
    return format === undefined ? undefined : this.#link(scope, format, 'service-desc');
  }

  /** Returns the URL of a scope. @param format defaults to content negotiation */
  href(scope: Scope, format?: string): string {
    const query = format === undefined ? '' : `?format=${format}`;
    return `${this.#router.assemble('documentation', scope)}${query}`;
  }

  /** The available formats: short name and media type. */
  get formats(): readonly { readonly name: string; readonly type: string }[] {
    return this.#formats.map((one) => ({ name: formatOf(one), type: one.mediaType }));
  }

  #link(scope: Scope, format: ResponseFormat, rel: string): string {
    return `<${this.href(scope, formatOf(format))}>; rel="${rel}"; type="${format.mediaType.replace(/["\\]/g, '\\$&')}"`;
  }
}
