import type { AccessRule, AccessEvaluation, Identity } from '../../../mvc-auth';
import type { OperationReference, RuleWithSource } from '../access/access-origin';
import type { VersionReference } from '../access/access-view';
import type { MapEntry } from '../access/adapter-map';
import type { TestedTarget } from './tested-target';

/** Whether a request is permitted. */
export type Verdict =
  | 'permitted'
  | 'refused'
  /** A policy decides, from the request. */
  | 'undecided'
  /** There is nothing at the path, or not with the method. */
  | 'not found';

/** What explains a verdict. */
export interface Grounds {
  readonly target: TestedTarget;
  readonly evaluation: AccessEvaluation;
  /** Whose credentials the request would have, if that was asked. */
  readonly adapter: string | undefined;
  /** The rule of the operation with its source; undefined for other routes. */
  readonly origin: RuleWithSource | undefined;
  /** The entry that maps adapters to it; undefined for none. */
  readonly entry: MapEntry | undefined;
  /** Whether the request is answered before authorization, because of its method. */
  readonly isAnswered: boolean;
  /** Whether users may sign in with OpenID Connect. */
  readonly hasReaders: boolean;
  /** Whether listeners of modules may decide otherwise. */
  readonly customListeners: readonly ('authentication' | 'authorization')[];
}

/** The result of the rule tester. */
export interface RuleTest {
  readonly verdict: Verdict;
  /** The status of the response, on success that of the operation; null if a policy decides. */
  readonly status: number | null;
  /** The code of the error; null on success. */
  readonly code: string | null;
  /** The explanation of the error, as clients receive it; null on success. */
  readonly detail: string | null;
  /** The challenges of a refused request, one each. */
  readonly challenges: readonly string[];
  /** Such as `Note collection GET of Club v1`. */
  readonly target: string;
  /** Null for routes that are not of an API, and methods that a path does not have. */
  readonly operation: (VersionReference & OperationReference) | null;
  /** Null if the request does not get to authorization. */
  readonly rule: AccessRule | null;
  /** The key path of the rule; null if it is declared in code. */
  readonly path: string | null;
  /** Where the rule comes from: a file, or a module. */
  readonly source: string | null;
  /** The policy that decides; null for none. */
  readonly policy: string | null;
  /** Who the request is of. */
  readonly identity: Pick<Identity, 'name' | 'groups' | 'scopes'>;
  /** Why, in order: sentences. */
  readonly reasons: readonly string[];
  /** What would permit the request; empty if it is permitted. */
  readonly remedies: readonly string[];
}

/** Whether a request is refused before its rule applies. */
export function isRefusedBefore({ decision, problem }: AccessEvaluation): boolean {
  return decision === undefined && problem !== undefined;
}
