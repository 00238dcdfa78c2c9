import type { Api } from '../model/api';
import type { Service } from '../model/service';
import { fragmentOf } from './addresses';

/** Services with the same first tag. */
export interface ServiceGroup {
  /** The tag; empty for services without one. */
  readonly name: string;
  /** Its fragment in the page of the API, without `#`. */
  readonly id: string;
  readonly services: readonly Service[];
  /** The number of operations. */
  readonly operations: number;
}

/** Groups the services of an API by their first tag, in order of appearance; services without tags come last. */
export function serviceGroups(api: Api): readonly ServiceGroup[] {
  const groups = new Map<string, Service[]>();
  for (const service of api.getServices()) {
    const [tag = ''] = service.getTags();
    groups.set(tag, [...(groups.get(tag) ?? []), service]);
  }
  const untagged = groups.get('');
  groups.delete('');
  return [...groups, ...(untagged === undefined ? [] : [['', untagged] as const])].map(
    ([name, services]) => ({
      name,
      id: name === '' ? 'other' : `tag-${fragmentOf(name)}`,
      services,
      operations: services.reduce(
        (count, service) => count + service.getOperations().length + service.getEntityOperations().length,
        0,
      ),
    }),
  );
}
