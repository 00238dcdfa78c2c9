import type { AccessRule } from '../../../mvc-auth';
import type { HostedApi, HostedEndpoint } from '../../../hosting';

type GuardedOperation = Pick<HostedEndpoint, 'part' | 'method' | 'access'> & {
  /** The rule that the changed declaration has, with its references to environment variables. */
  readonly declared?: AccessRule | undefined;
};

/** A service of a version, as access rules, the adapter map and rate limits name it. */
export interface GuardedService {
  readonly version: number;
  readonly name: string;
  /** The name whose rules, adapters and limits it keeps; undefined for a service that is not renamed. */
  readonly formerName?: string;
  readonly operations: readonly GuardedOperation[];
  /** Whether its QUERY loses the rule that the GET of its collection declares. */
  readonly losesRuleOfGet?: boolean;
}

/** Returns the services of all versions of an API. */
export function guardedServices({ versions }: HostedApi): readonly GuardedService[] {
  return versions.flatMap(({ version, services }) =>
    services.map(({ name, operations, entityOperations }) => ({
      version,
      name,
      operations: [...operations, ...entityOperations],
    })),
  );
}

/** The key of the rules, adapters and limits of a version, or of all versions. */
export function accessKey(api: string, version: number | undefined): string {
  return version === undefined ? api : `${api}-v${version}`;
}
