import { tmpdir } from 'node:os';
import path from 'node:path';
import { isViewModelClass, ConfigurationError, type Configuration, type Services } from '../../framework';
import type { NegotiationPolicy, Uploads } from './policy';
import { NEGOTIATION_KEY, negotiationSettings } from './settings';
import { Selector, type ResponseFormat } from './selector';

/** The selectors of an application, by name. */
export class Selectors {
  readonly #selectors: ReadonlyMap<string, Selector>;
  readonly #users = new Map<string, Set<string>>();
  /** Bytes that a request body may have, unless a service says otherwise. */
  readonly bodyLimit: number;
  /** Levels that the JSON of a body may be nested. */
  readonly bodyDepth: number;
  /** How forms with files are taken, unless a service says otherwise. */
  readonly uploads: Uploads;

  constructor(
    selectors: ReadonlyMap<string, Selector>,
    { bodyLimit, bodyDepth }: Required<Pick<NegotiationPolicy, 'bodyLimit' | 'bodyDepth'>>,
    uploads: Uploads,
  ) {
    this.#selectors = selectors;
    this.bodyLimit = bodyLimit;
    this.bodyDepth = bodyDepth;
    this.uploads = uploads;
  }

  /** @throws ConfigurationError for a view model name that the container does not know, naming file and key */
  static async open(configuration: Configuration, services: Services): Promise<Selectors> {
    const settings = configuration.section(NEGOTIATION_KEY, negotiationSettings);
    const selectors = new Map<string, Selector>();
    for (const [selector, models] of Object.entries(settings.selectors)) {
      const representations: ResponseFormat[] = [];
      for (const [name, mediaTypes] of Object.entries(models)) {
        const path = [NEGOTIATION_KEY, 'selectors', selector, name];
        const where = `${configuration.sourceOf(path)}: ${path.join('.')}`;
        const viewModel = await services.getNamed(name, isViewModelClass, 'a class of view models', where);
        representations.push(...mediaTypes.map((mediaType) => ({ mediaType, name, viewModel })));
      }
      selectors.set(selector, new Selector(representations));
    }
    const { folder, ...limits } = settings.uploads;
    const { body_limit: bodyLimit, body_depth: bodyDepth } = settings;
    return new Selectors(
      selectors,
      { bodyLimit, bodyDepth },
      {
        limits,
        depth: bodyDepth,
        folder: folder === undefined ? tmpdir() : path.resolve(configuration.root, folder),
      },
    );
  }

  /** Every selector, by its name. */
  get all(): ReadonlyMap<string, Selector> {
    return this.#selectors;
  }

  /** Who has asked for a selector, in words: `The documentation`. */
  usersOf(name: string): readonly string[] {
    return [...(this.#users.get(name) ?? [])];
  }

  /** Warnings of media types that several view models of a selector are listed with: only one of them is chosen. */
  ambiguityWarnings(): readonly string[] {
    return [...this.#selectors].flatMap(([name, selector]) =>
      selector
        .ambiguousTypes()
        .map(
          ({ mediaType, names, winner }) =>
            `The selector "${name}" lists ${mediaType} for ${names.join(' and ')}: ${winner} makes it.`,
        ),
    );
  }

  /**
   * @param where names who asks, for the message
   * @throws ConfigurationError when there is none of that name
   */
  get(name: string, where: string): Selector {
    const selector = this.#selectors.get(name);
    if (selector !== undefined) {
      this.#users.set(name, (this.#users.get(name) ?? new Set()).add(where));
      return selector;
    }
    const known = [...this.#selectors.keys()].join(', ');
    throw new ConfigurationError(`${where}: selector "${name}" does not exist. Available: ${known}.`);
  }
}
