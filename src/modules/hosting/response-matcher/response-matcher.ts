import { lazily, type SchemaNode } from '../../../framework';
import { compileShape } from '../../content-validation';
import { prune } from '../members/prune';
import { isJsonValue } from '../schema/to-json-value';
import type { CopyWithLinks } from '../../content-negotiation';
import { compileCopy } from './copy-code';
import { compileMatch, matchCode, type Match, type MatchCode } from './match-code';
import { planResponse, type MatchPlan } from './match-plan';

/**
 * Generated code for the usual responses of a schema. It covers plain objects and lists with the declared members;
 * everything else is left to filter and validator.
 */
export interface ResponseMatcher {
  /** Whether a value is sent as it is: it has the declared types, and no other members. */
  readonly isSentAsIs: Match;
  /** Whether a value is sent as it is and matches its schema; undefined if a validator decides whether it matches. */
  readonly isValid: Match | undefined;
  /**
   * For each list of objects, by the name of its member: returns how to copy its items with links. A response that is a
   * list itself has the name ''.
   */
  readonly lists: ReadonlyMap<string, () => CopyWithLinks>;
}

/** Creates response matchers. Equal code is compiled once: it is optimized sooner, and stays in the processor's cache. */
export class ResponseMatchers {
  readonly #matches = new Map<string, Match>();
  readonly #copies = new Map<string, CopyWithLinks>();

  /**
   * @param schema of the response, with all that the platform adds to it
   * @param keepsUnknown whether undeclared members are sent
   * @returns undefined for a schema that generated code does not cover
   */
  of(schema: SchemaNode, keepsUnknown: boolean): ResponseMatcher | undefined {
    const { plan, isExact } = planResponse(schema);
    if (plan.kind !== 'object' && plan.kind !== 'list') return undefined;
    const isSentAsIs = this.#matchOf(matchCode(plan, { withRestrictions: false }), schema, keepsUnknown);
    const isValid = isExact
      ? this.#matchOf(matchCode(plan, { withRestrictions: true }), schema, keepsUnknown)
      : undefined;
    return { isSentAsIs, isValid, lists: this.#listsOf(plan) };
  }

  #matchOf({ text, others }: MatchCode, schema: SchemaNode, keepsUnknown: boolean): Match {
    const shapes = others.map((other) => lazily(() => compileShape(schema, keepsUnknown, other)));
    const compile = (): Match =>
      compileMatch(
        text,
        (value, at) => isJsonValue(value) && prune(value, shapes[at]?.() ?? 'any') === value,
      );
    return shapes.length > 0 ? compile() : cached(this.#matches, text, compile);
  }

  #listsOf(plan: MatchPlan): ResponseMatcher['lists'] {
    const members = plan.kind === 'object' ? plan.members : [{ name: '', value: plan }];
    return new Map(
      members.flatMap(({ name, value }) => {
        if (value.kind !== 'list' || value.items.kind !== 'object') return [];
        const names = value.items.members.map((member) => member.name);
        const copy = lazily(() => cached(this.#copies, JSON.stringify(names), () => compileCopy(names)));
        return [[name, copy] as const];
      }),
    );
  }
}

function cached<Value>(known: Map<string, Value>, key: string, create: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = create()));
  return value;
}
