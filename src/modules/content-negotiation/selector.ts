import {
  essence,
  fieldMediaType,
  Negotiator,
  parseMediaType,
  problem,
  ConfigurationError,
  type ViewModelClass,
} from '../../framework';

/** A media type and the view model that makes it. */
export interface ResponseFormat {
  readonly mediaType: string;
  /** The view model's name in the selector. */
  readonly name: string;
  readonly viewModel: ViewModelClass;
}

/** A media type that more than one view model is listed with. */
export interface AmbiguousType {
  readonly mediaType: string;
  /** The view models, in the selector's order. */
  readonly names: readonly string[];
  readonly winner: string;
}

/** The representations an endpoint can be shown in, the preferred one first. */
export class Selector {
  readonly formats: readonly ResponseFormat[];
  readonly #negotiator: Negotiator;
  readonly #byType: ReadonlyMap<string, ResponseFormat>;
  /** Services of an API mostly serve the same types: they share what is remembered of clients' wishes. */
  readonly #restricted = new Map<string, Selector>();

  constructor(representations: readonly ResponseFormat[]) {
    this.formats = Object.freeze([...representations]);
    this.#negotiator = new Negotiator(representations.map(({ mediaType }) => mediaType));
    this.#byType = new Map(representations.map((one) => [one.mediaType, one]));
  }

  get mediaTypes(): readonly string[] {
    return this.#negotiator.offers;
  }

  /** The representation that an `Accept` field likes best; undefined when it likes none. */
  choose(accept: string | undefined): ResponseFormat | undefined {
    const mediaType = this.#negotiator.choose(accept);
    return mediaType === undefined ? undefined : this.#byType.get(mediaType);
  }

  /**
   * The representation of a format's short name.
   * @throws Problem 406 that names the formats there are
   */
  byFormat(format: string): ResponseFormat {
    const found = this.formats.find((one) => formatOf(one) === format);
    if (found !== undefined) return found;
    const formats = [...new Set(this.formats.map(formatOf))];
    throw problem('format_not_found', { format, formats }, { extensions: { formats } });
  }

  /**
   * The selector of a service that serves just these types, in their order. A type that the selector does not
   * list but that is of a listed one's suffix (`application/vnd.atlas.v2+json`) is shown by the same view model.
   * @param where names the service, for the message
   * @throws ConfigurationError for a type that no view model of the selector can make
   */
  restrictedTo(mediaTypes: readonly string[], where: string): Selector {
    const key = mediaTypes.join('\n');
    const known = this.#restricted.get(key);
    if (known !== undefined) return known;
    const made = new Selector(
      mediaTypes.map((mediaType) => {
        const listed = this.#byType.get(mediaType) ?? this.#ofSuffix(mediaType);
        if (listed !== undefined) return { ...listed, mediaType };
        throw new ConfigurationError(
          `${where}: no view model makes ${mediaType}. The selector makes: ${this.mediaTypes.join(', ')}.`,
        );
      }),
    );
    this.#restricted.set(key, made);
    return made;
  }

  /** The media types that several view models are listed with, and the one that is chosen for each. */
  ambiguousTypes(): readonly AmbiguousType[] {
    return [...new Set(this.mediaTypes.map((type) => type.toLowerCase()))].flatMap((type) => {
      const alike = this.formats.filter(({ mediaType }) => mediaType.toLowerCase() === type);
      const names = [...new Set(alike.map(({ name }) => name))];
      const winner = this.choose(type)?.name;
      return names.length < 2 || winner === undefined ? [] : [{ mediaType: type, names, winner }];
    });
  }

  #ofSuffix(mediaType: string): ResponseFormat | undefined {
    const suffix = parseMediaType(mediaType)?.subtype.split('+')[1];
    return suffix === undefined ? undefined : this.#byType.get(`application/${suffix}`);
  }
}

/** The short name of a format: `html` for ViewModel, and others without their `Model`: `json`, `apidesc`. */
export function formatOf({ name }: ResponseFormat): string {
  return name === 'ViewModel' ? 'html' : name.replace(/Model$/, '').toLowerCase();
}

/** Whether a request body's type is among those that are taken; parameters such as charset do not count. */
export function acceptsContentType(contentTypes: readonly string[], contentType: string): boolean {
  const media = fieldMediaType(contentType);
  return media !== undefined && contentTypes.includes(essence(media));
}
