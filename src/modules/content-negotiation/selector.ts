import {
  fieldEssence,
  Negotiator,
  parseMediaType,
  problem,
  ConfigurationError,
  type ViewModelClass,
} from '../../framework';

/** A media type and the view model that renders it. */
export interface ResponseFormat {
  readonly mediaType: string;
  /** The view model's name in the selector. */
  readonly name: string;
  readonly viewModel: ViewModelClass;
}

/** A media type that is listed for more than one view model. */
export interface AmbiguousType {
  readonly mediaType: string;
  /** The view models, in the order of the selector. */
  readonly names: readonly string[];
  readonly winner: string;
}

/** The response formats of an endpoint, in order of preference. */
export class Selector {
  readonly formats: readonly ResponseFormat[];
  readonly #negotiator: Negotiator;
  readonly #byType: ReadonlyMap<string, ResponseFormat>;
  /** Most services of an API serve the same types; sharing selectors shares their cached negotiation results. */
  readonly #restricted = new Map<string, Selector>();

  constructor(formats: readonly ResponseFormat[]) {
    this.formats = Object.freeze([...formats]);
    this.#negotiator = new Negotiator(formats.map(({ mediaType }) => mediaType));
    this.#byType = new Map(formats.map((one) => [one.mediaType, one]));
  }

  get mediaTypes(): readonly string[] {
    return this.#negotiator.offers;
  }

  /** Returns the best match for an `Accept` field; undefined if none is acceptable. */
  choose(accept: string | undefined): ResponseFormat | undefined {
    const mediaType = this.#negotiator.choose(accept);
    return mediaType === undefined ? undefined : this.#byType.get(mediaType);
  }

  /**
   * Returns the format with a short name.
   * @throws Problem 406 that lists the available formats
   */
  byFormat(format: string): ResponseFormat {
    const found = this.formats.find((one) => formatOf(one) === format);
    if (found !== undefined) return found;
    const formats = [...new Set(this.formats.map(formatOf))];
    throw problem('format_not_found', { format, formats }, { extensions: { formats } });
  }

  /**
   * Returns a selector for exactly these types, in this order. A type that is not listed, but has the structured
   * suffix of a listed one (`application/vnd.atlas.v2+json`), uses the same view model.
   * @param where names the service, for the message
   * @throws ConfigurationError for a type that no view model of the selector can render
   */
  restrictedTo(mediaTypes: readonly string[], where: string): Selector {
    const key = mediaTypes.join('\n');
    const known = this.#restricted.get(key);
    if (known !== undefined) return known;
    const made = new Selector(
      mediaTypes.map((mediaType) => {
        const listed = this.#listed(mediaType) ?? this.#ofSuffix(mediaType);
        if (listed !== undefined) return { ...listed, mediaType };
        throw new ConfigurationError(
          `${where}: no view model renders ${mediaType}. Supported by the selector: ${this.mediaTypes.join(', ')}.`,
        );
      }),
    );
    this.#restricted.set(key, made);
    return made;
  }

  /** Returns the media types that are listed for several view models, and the one that is used for each. */
  ambiguousTypes(): readonly AmbiguousType[] {
    return [...new Set(this.mediaTypes.map((type) => type.toLowerCase()))].flatMap((type) => {
      const alike = this.formats.filter(({ mediaType }) => mediaType.toLowerCase() === type);
      const names = [...new Set(alike.map(({ name }) => name))];
      const winner = this.choose(type)?.name;
      return names.length < 2 || winner === undefined ? [] : [{ mediaType: type, names, winner }];
    });
  }

  /** Media types are case-insensitive (RFC 9110, 8.3.1). */
  #listed(mediaType: string): ResponseFormat | undefined {
    const name = mediaType.toLowerCase();
    return this.#byType.get(mediaType) ?? this.formats.find((one) => one.mediaType.toLowerCase() === name);
  }

  /** The suffix follows the last plus sign (RFC 6838, 4.2.8). */
  #ofSuffix(mediaType: string): ResponseFormat | undefined {
    const suffix = parseMediaType(mediaType)?.subtype.split('+').slice(1).at(-1);
    return suffix === undefined ? undefined : this.#listed(`application/${suffix}`);
  }
}

/**
 * Returns the short name of a format: the view model's name without `Model` (`json`, `apidesc`); `html` for
 * ViewModel.
 */
export function formatOf({ name }: ResponseFormat): string {
  return name === 'ViewModel' ? 'html' : name.replace(/Model$/, '').toLowerCase();
}

/** Returns whether a content type is accepted, ignoring parameters such as charset. */
export function acceptsContentType(contentTypes: readonly string[], contentType: string): boolean {
  const type = fieldEssence(contentType);
  return type !== undefined && contentTypes.includes(type);
}
