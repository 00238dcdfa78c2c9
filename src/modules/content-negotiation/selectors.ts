import { isViewModelClass, StartError, type Configuration, type Services } from '../../framework';
import { NEGOTIATION_KEY, negotiationSettings } from './settings';
import { Selector, type Representation } from './selector';

/** The selectors of an application, by name. */
export class Selectors {
  readonly #selectors: ReadonlyMap<string, Selector>;
  /** Bytes that a request body may have, unless a service says otherwise. */
  readonly bodyLimit: number;

  constructor(selectors: ReadonlyMap<string, Selector>, bodyLimit: number) {
    this.#selectors = selectors;
    this.bodyLimit = bodyLimit;
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
    return new Selectors(selectors, settings.body_limit);
  }

  /**
   * @param where names who asks, for the message
   * @throws StartError when there is none of that name
   */
  get(name: string, where: string): Selector {
    const selector = this.#selectors.get(name);
    if (selector !== undefined) return selector;
    const known = [...this.#selectors.keys()].join(', ');
    throw new StartError(`${where}: there is no selector "${name}". There is: ${known}.`);
  }
}
