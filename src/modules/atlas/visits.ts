import { randomUUID } from 'node:crypto';

export interface Visit {
  readonly visit_id: string;
  readonly country_code: string;
  readonly visited_on: string | null;
  readonly note: string;
}

/** The visits of each user, in memory: they survive reloads of the configuration, but not a restart. */
export class Visits {
  readonly #byUser = new Map<string, Map<string, Visit>>();

  list(user: string): readonly Visit[] {
    return [...this.#of(user).values()];
  }

  get(user: string, id: string): Visit | undefined {
    return this.#of(user).get(id);
  }

  add(user: string, visit: Omit<Visit, 'visit_id'>): Visit {
    const added: Visit = { visit_id: randomUUID(), ...visit };
    this.#byUser.set(user, new Map([...this.#of(user), [added.visit_id, added]]));
    return added;
  }

  replace(user: string, visit: Visit): void {
    this.#of(user).set(visit.visit_id, visit);
  }

  remove(user: string, id: string): boolean {
    return this.#of(user).delete(id);
  }

  #of(user: string): Map<string, Visit> {
    return this.#byUser.get(user) ?? new Map<string, Visit>();
  }
}
