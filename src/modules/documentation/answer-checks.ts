import {
  essence,
  Listeners,
  parseMediaType,
  priorities,
  repeatable,
  type ApplicationEvents,
  type Endpoint,
  type EventManager,
  type MvcEvent,
} from '../../framework';
import type { Catalogue, ResponseChecks } from '../hosting';
import { documentedAnswers, type DocumentedAnswers } from './operation-of';

/** What no operation is documented to answer, and every one may: of that the log tells by itself. */
const UNEXPECTED = 500;

/** After everything that has a say in the answer, and before it is sent. */
const LAST = priorities.response.send + 1;

/**
 * Compares the status and the media type of answers with what the documentation tells of the operation. Nothing
 * changes for the client; differences are told of once.
 */
export class AnswerChecks extends Listeners<ApplicationEvents> {
  readonly #checks: ResponseChecks;
  readonly #answersOf: ReadonlyMap<Endpoint, () => DocumentedAnswers>;
  /** Each made when it is first compared with. */
  readonly #documented = new Map<Endpoint, DocumentedAnswers>();

  constructor({ services }: Catalogue, checks: ResponseChecks) {
    super();
    this.#checks = checks;
    this.#answersOf = new Map(
      services.flatMap((service) =>
        [...service.operations, ...service.entityOperations].map(
          (endpoint) => [endpoint, () => documentedAnswers(endpoint, service)] as const,
        ),
      ),
    );
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach(
        'response',
        repeatable((event) => this.#compare(event)),
        LAST,
      ),
    ];
  }

  #compare({ endpoint, response }: MvcEvent): void {
    const documented = endpoint === undefined ? undefined : this.#documentedOf(endpoint);
    if (endpoint === undefined || documented === undefined || response.status === UNEXPECTED) return;
    const { statuses, types } = documented;
    if (!statuses.has(response.status)) {
      this.#checks.note(
        endpoint.name,
        `answers ${response.status}, which its documentation does not tell of`,
      );
    }
    const type = response.fields.get('Content-Type');
    if (response.status >= 300 || type === undefined || types.has(type)) return;
    const media = parseMediaType(type);
    if (media !== undefined && types.has(essence(media))) return;
    this.#checks.note(endpoint.name, `answers in ${type}, which its documentation does not tell of`);
  }

  #documentedOf(endpoint: Endpoint): DocumentedAnswers | undefined {
    const known = this.#documented.get(endpoint) ?? this.#answersOf.get(endpoint)?.();
    if (known !== undefined) this.#documented.set(endpoint, known);
    return known;
  }
}
