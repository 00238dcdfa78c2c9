import { Type, type Static } from '@sinclair/typebox';
import { Problem, problem } from '../../framework';
import { failedValidation } from '../content-validation';
import type {
  CollectionContext,
  HandlerContext,
  MergePatch,
  Page,
  PatchContext,
  RestResource,
} from '../hosting';
import type { Countries } from './countries';
import type { Visit, Visits } from './visits';

/** Per user. */
const MAX_ENTRIES = 1_000;

const members = {
  country_code: Type.String({
    pattern: '^[A-Za-z]{2}$',
    description: 'ISO 3166-1 alpha-2 code of the country.',
    examples: ['DE'],
  }),
  visited_on: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
    description: 'The day of the visit; null if unknown.',
    default: null,
    examples: ['2025-06-21'],
  }),
  note: Type.String({
    maxLength: 500,
    default: '',
    description: 'A note about the visit.',
    examples: ['Rain, and good bread.'],
  }),
};

/** What a client sends. */
export const visitInput = Type.Object(
  {
    country_code: members.country_code,
    visited_on: Type.Optional(members.visited_on),
    note: Type.Optional(members.note),
  },
  { additionalProperties: false },
);

export const visitFields = Type.Object({
  visit_id: Type.String({
    format: 'uuid',
    description: 'Assigned by the server.',
    examples: ['6f0d1c1e-9f5c-4a39-8c0f-0d2a9c1f7b11'],
  }),
  ...members,
});

/** Users can only see and change their own visits. */
export class VisitResource implements RestResource<Visit, Static<typeof visitInput>> {
  readonly #countries: Countries;
  readonly #visits: Visits;

  constructor(countries: Countries, visits: Visits) {
    this.#countries = countries;
    this.#visits = visits;
  }

  fetch(id: string, context: HandlerContext): Visit | undefined {
    return this.#visits.get(userOf(context), id);
  }

  fetchAll(context: CollectionContext): Page<Visit> {
    const visits = this.#visits.list(userOf(context));
    const { offset, pageSize } = context.page;
    return { items: visits.slice(offset, offset + pageSize), total: visits.length };
  }

  create(data: Static<typeof visitInput>, context: HandlerContext): Visit {
    const user = userOf(context);
    if (this.#visits.list(user).length >= MAX_ENTRIES) {
      throw new Problem(409, `You already have ${MAX_ENTRIES} visits, the maximum. Delete one first.`);
    }
    const { country_code, visited_on = null, note = '' } = data;
    return this.#visits.add(user, { country_code: this.#existing(country_code), visited_on, note });
  }

  patch(
    id: string,
    data: MergePatch<Static<typeof visitInput>>,
    context: PatchContext<Visit, Static<typeof visitInput>>,
  ): Visit | undefined {
    const user = userOf(context);
    const visit = this.#visits.get(user, id);
    if (visit === undefined) return undefined;
    const merged = context.merge(visit, data);
    const changed: Visit = { ...merged, country_code: this.#existing(merged.country_code) };
    this.#visits.replace(user, changed);
    return changed;
  }

  delete(id: string, context: HandlerContext): boolean {
    return this.#visits.remove(userOf(context), id);
  }

  /** @throws Problem 422 for an unknown code */
  #existing(code: string): string {
    const country = this.#countries.get(code);
    if (country !== undefined) return country.code;
    const errors = [
      { pointer: '/country_code', keyword: 'country', message: 'must be the code of a country' },
    ];
    throw failedValidation(errors);
  }
}

/** The service requires authentication, so guests get here only if its authorization was reconfigured. */
function userOf({ identity }: HandlerContext): string {
  if (identity.name === null) throw problem('forbidden_to_guests', {});
  return identity.name;
}
