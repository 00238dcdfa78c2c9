import { Problem, problem } from '../../framework';
import { failedValidation } from '../content-validation';
import { TableResource } from '../database';
import type {
  CollectionContext,
  HandlerContext,
  MergePatch,
  PatchContext,
  ResourceContext,
} from '../hosting';
import type { AtlasDatabase } from './tables';
import { TimeOrderedIds } from './time-ordered-ids';

/** Per user. */
const MAX_ENTRIES = 1_000;

interface Visit {
  readonly visit_id: string;
  readonly country_code: string;
  readonly visited_on: string | null;
  readonly note: string;
}

/** What a table cannot express: codes in upper case, identifiers in the order of creation, and a maximum per user. */
export class VisitResource extends TableResource<Visit> {
  readonly #database: AtlasDatabase;
  readonly #ids = new TimeOrderedIds();

  constructor(database: AtlasDatabase) {
    super();
    this.#database = database;
  }

  override fetchAll(context: CollectionContext) {
    userOf(context);
    return super.fetchAll(context);
  }

  override queryAll(query: Readonly<Record<string, unknown>>, context: CollectionContext) {
    userOf(context);
    return super.queryAll(query, context);
  }

  override async create(data: Partial<Visit>, context: ResourceContext): Promise<Visit> {
    await this.#assertBelowMaximum(userOf(context));
    const country_code = await this.#existing(data.country_code ?? '');
    return super.create({ ...data, visit_id: this.#ids.next(), country_code }, context);
  }

  override async patch(
    id: string,
    data: MergePatch<Visit>,
    context: PatchContext<Visit, Visit>,
  ): Promise<Visit | undefined> {
    const { country_code: code } = data;
    const changed = typeof code === 'string' ? { ...data, country_code: await this.#existing(code) } : data;
    return super.patch(id, changed, context);
  }

  /** @throws Problem 409 */
  async #assertBelowMaximum(user: string): Promise<void> {
    const { total } = await this.#database
      .selectFrom('visits')
      .select(({ fn }) => fn.countAll().as('total'))
      .where('username', '=', user)
      .executeTakeFirstOrThrow();
    if (Number(total) < MAX_ENTRIES) return;
    throw new Problem(409, `You already have ${MAX_ENTRIES} visits, the maximum. Delete one first.`);
  }

  /** Returns the code of a country as it is stored. @throws Problem 422 for an unknown one */
  async #existing(code: string): Promise<string> {
    const country = await this.#database
      .selectFrom('countries')
      .select('country_code')
      .where('country_code', '=', code)
      .executeTakeFirst();
    if (country !== undefined) return country.country_code;
    throw failedValidation([
      { pointer: '/country_code', keyword: 'country', message: 'must be the code of a country' },
    ]);
  }
}

/** The service requires authentication, so guests get here only if its authorization was reconfigured. */
function userOf({ identity }: Pick<HandlerContext, 'identity'>): string {
  if (identity.name === null) throw problem('forbidden_to_guests', {});
  return identity.name;
}
