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
  /** In bytes; services may override it. */
  readonly bodyLimit: number;
  /** Levels that the JSON of a body may be nested. */
  readonly bodyDepth: number;
  /** Members and items of the JSON of a body. */
  readonly bodyMembers: number;
  /** How forms with files are read; services may override it. */
  readonly uploads: Uploads;

  constructor(
    selectors: ReadonlyMap<string, Selector>,
    {
      bodyLimit,
      bodyDepth,
      bodyMembers,
    }: Required<Pick<NegotiationPolicy, 'bodyLimit' | 'bodyDepth' | 'bodyMembers'>>,
    uploads: Uploads,
  ) {
    this.#selectors = selectors;
    this.bodyLimit = bodyLimit;
    this.bodyDepth = bodyDepth;
    this.bodyMembers = bodyMembers;
    this.uploads = uploads;
  }

  /** @throws ConfigurationError with file and key for a view model that is not registered */
  static async open(configuration: Configuration, services: Services): Promise<Selectors> {
    const settings = configuration.section(NEGOTIATION_KEY, negotiationSettings);
    const selectors = new Map<string, Selector>();
    for (const [selector, models] of Object.entries(settings.selectors)) {
      const formats: ResponseFormat[] = [];
      for (const [name, mediaTypes] of Object.entries(models)) {
        const path = [NEGOTIATION_KEY, 'selectors', selector, name];
        const where = `${configuration.sourceOf(path)}: ${path.join('.')}`;
        const viewModel = await services.getNamed(name, isViewModelClass, 'a view model class', where);
        formats.push(...mediaTypes.map((mediaType) => ({ mediaType, name, viewModel })));
      }
      selectors.set(selector, new Selector(formats));
    }
    const { folder, ...limits } = settings.uploads;
    const { body_limit: bodyLimit, body_depth: bodyDepth, body_members: bodyMembers } = settings;
    return new Selectors(
      selectors,
      { bodyLimit, bodyDepth, bodyMembers },
      {
        limits,
        depth: bodyDepth,
        members: bodyMembers,
        folder: folder === undefined ? tmpdir() : path.resolve(configuration.root, folder),
      },
    );
  }

  get all(): ReadonlyMap<string, Selector> {
    return this.#selectors;
  }

  /** Returns who uses a selector, for people: `The documentation`. */
  usersOf(name: string): readonly string[] {
    return [...(this.#users.get(name) ?? [])];
  }

  /** Returns warnings about media types that are listed for several view models, of which one is used. */
  ambiguityWarnings(): readonly string[] {
    return [...this.#selectors].flatMap(([name, selector]) =>
      selector
        .ambiguousTypes()
        .map(
          ({ mediaType, names, winner }) =>
            `The selector "${name}" lists ${mediaType} for ${names.join(' and ')}; ${winner} is used.`,
        ),
    );
  }

  /**
   * @param where names the user of the selector, for the message
   * @throws ConfigurationError if there is no selector with this name
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
