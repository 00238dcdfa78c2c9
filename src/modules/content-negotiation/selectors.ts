import { tmpdir } from 'node:os';
import path from 'node:path';
import { isViewModelClass, StartError, type Configuration, type Services } from '../../framework';
import type { Uploads } from './policy';
import { NEGOTIATION_KEY, negotiationSettings } from './settings';
import { Selector, type Representation } from './selector';

/** The selectors of an application, by name. */
export class Selectors {
  readonly #selectors: ReadonlyMap<string, Selector>;
  readonly #users = new Map<string, Set<string>>();
  /** Bytes that a request body may have, unless a service says otherwise. */
  readonly bodyLimit: number;
  /** How forms with files are taken, unless a service says otherwise. */
  readonly uploads: Uploads;

  constructor(selectors: ReadonlyMap<string, Selector>, bodyLimit: number, uploads: Uploads) {
    this.#selectors = selectors;
    this.bodyLimit = bodyLimit;
    this.uploads = uploads;
  }

  /** @throws StartError for a view model name that the container does not know, naming file and key */
  static async open(configuration: Configuration, services: Services): Promise<Selectors> {
    const settings = configuration.section(NEGOTIATION_KEY, negotiationSettings);
    const selectors = new Map<string, Selector>();
    for (const [selector, models] of Object.entries(settings.selectors)) {
      const representations: Representation[] = [];
      for (const [name, mediaTypes] of Object.entries(models)) {
        const path = [NEGOTIATION_KEY, 'selectors', selector, name];
        const where = `${configuration.sourceOf(path)}: ${path.join('.')}`;
        const viewModel = await services.named(name, isViewModelClass, 'a class of view models', where);
        representations.push(...mediaTypes.map((mediaType) => ({ mediaType, name, viewModel })));
      }
      selectors.set(selector, new Selector(representations));
    }
    const { folder, ...limits } = settings.uploads;
    return new Selectors(selectors, settings.body_limit, {
      limits,
      folder: folder === undefined ? tmpdir() : path.resolve(configuration.root, folder),
    });
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
  doubled(): readonly string[] {
    return [...this.#selectors].flatMap(([name, selector]) =>
      selector
        .doubled()
        .map(
          ({ mediaType, names, winner }) =>
            `The selector "${name}" lists ${mediaType} for ${names.join(' and ')}: ${winner} makes it.`,
        ),
    );
  }

  /**
   * @param where names who asks, for the message
   * @throws StartError when there is none of that name
   */
  get(name: string, where: string): Selector {
    const selector = this.#selectors.get(name);
    if (selector !== undefined) {
      this.#users.set(name, (this.#users.get(name) ?? new Set()).add(where));
      return selector;
    }
    const known = [...this.#selectors.keys()].join(', ');
    throw new StartError(`${where}: there is no selector "${name}". There is: ${known}.`);
  }
}
