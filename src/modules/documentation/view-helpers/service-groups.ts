import type { Api } from '../model/api';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { fragmentOf } from './addresses';

/** The operations of a service in one group. */
export interface GroupedService {
  readonly service: Service;
  readonly operations: readonly Operation[];
}

/** Operations with the same first tag. */
export interface ServiceGroup {
  /** The tag; empty for operations without one. */
  readonly name: string;
  /** Its fragment in the page of the API, without `#`. */
  readonly id: string;
  readonly services: readonly GroupedService[];
  /** The number of operations. */
  readonly operations: number;
}

/**
 * Groups the operations of an API by their first tag, or that of their service, in order of appearance; those without
 * tags come last. A service may be in several groups.
 */
export function serviceGroups(api: Api): readonly ServiceGroup[] {
  const groups = known.get(api) ?? groupsOf(api);
  known.set(api, groups);
  return groups;
}

const known = new WeakMap<Api, readonly ServiceGroup[]>();

function groupsOf(api: Api): readonly ServiceGroup[] {
  const groups = new Map<string, Map<Service, Operation[]>>();
  for (const service of api.getServices()) {
    const [common = ''] = service.getTags();
    const operations = [...service.getOperations(), ...service.getEntityOperations()];
    for (const operation of operations) {
      const [tag = common] = operation.getTags();
      const group = groups.get(tag) ?? new Map<Service, Operation[]>();
      groups.set(tag, group.set(service, [...(group.get(service) ?? []), operation]));
    }
    if (operations.length === 0)
      groups.set(common, (groups.get(common) ?? new Map<Service, Operation[]>()).set(service, []));
  }
  const untagged = groups.get('');
  groups.delete('');
  return [...groups, ...(untagged === undefined ? [] : [['', untagged] as const])].map(
    ([name, services]) => ({
      name,
      id: name === '' ? 'other' : `tag-${fragmentOf(name)}`,
      services: [...services].map(([service, operations]) => ({ service, operations })),
      operations: [...services.values()].reduce((count, { length }) => count + length, 0),
    }),
  );
}
