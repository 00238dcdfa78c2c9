import type { Api } from '../model/api';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { fragmentOf } from './addresses';

/** The operations of a service in one group. */
interface GroupedService {
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
  /** Whether it is a part of a tag's operations. */
  readonly isPart: boolean;
  /** The page of the API that lists it, from 1. */
  readonly page: number;
}

/** Operations of a group; those of a tag with more are several groups. */
const MAX_GROUP_SIZE = 500;

/** Operations on a page of an API. */
const MAX_PAGE_SIZE = 1_500;

/**
 * Groups the operations of an API by their first tag, or that of their service, in order of appearance; those without
 * tags come last. A service may be in several groups.
 */
export function serviceGroups(api: Api): readonly ServiceGroup[] {
  const groups = known.get(api) ?? numberPages(tagsOf(api).flatMap(groupsOf));
  known.set(api, groups);
  return groups;
}

const known = new WeakMap<Api, readonly ServiceGroup[]>();

/** The number of pages that list the operations of an API. */
export function pageCount(api: Api): number {
  return serviceGroups(api).at(-1)?.page ?? 1;
}

/** A tag, and the operations of services that have it; empty for those without one. */
type Tag = readonly [name: string, services: readonly GroupedService[]];

function tagsOf(api: Api): readonly Tag[] {
  const tags = new Map<string, Map<Service, Operation[]>>();
  for (const service of api.getServices()) {
    const [common = ''] = service.getTags();
    const add = (tag: string, operations: readonly Operation[]): void => {
      const services = tags.get(tag) ?? new Map<Service, Operation[]>();
      tags.set(tag, services.set(service, [...(services.get(service) ?? []), ...operations]));
    };
    const operations = [...service.getOperations(), ...service.getEntityOperations()];
    if (operations.length === 0) add(common, []);
    for (const operation of operations) add(operation.getTags()[0] ?? common, [operation]);
  }
  const untagged = tags.get('');
  tags.delete('');
  return [...tags, ...(untagged === undefined ? [] : [['', untagged] as const])].map(([name, services]) => [
    name,
    [...services].map(([service, operations]) => ({ service, operations })),
  ]);
}

type Unpaged = Omit<ServiceGroup, 'page'>;

/** Returns the groups of a tag, each below the maximum size. */
function groupsOf([name, services]: Tag): readonly Unpaged[] {
  const id = name === '' ? 'other' : `tag-${fragmentOf(name)}`;
  const parts: GroupedService[][] = [];
  let size = 0;
  for (const one of services) {
    const part = parts.at(-1);
    size += one.operations.length;
    if (part !== undefined && size <= MAX_GROUP_SIZE) part.push(one);
    else {
      parts.push([one]);
      size = one.operations.length;
    }
  }
  return parts.map((part, at) => ({
    name,
    id: at === 0 ? id : `${id}.${at + 1}`,
    services: part,
    operations: part.reduce((count, { operations }) => count + operations.length, 0),
    isPart: parts.length > 1,
  }));
}

function numberPages(groups: readonly Unpaged[]): readonly ServiceGroup[] {
  let [page, size] = [1, 0];
  return groups.map((group) => {
    size += group.operations;
    if (size > MAX_PAGE_SIZE && size > group.operations) [page, size] = [page + 1, group.operations];
    return { ...group, page };
  });
}
