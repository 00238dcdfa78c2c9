import type { Steps } from '../../../framework';
import type { Api } from '../model/api';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { docAnchor } from '../view-helpers/anchor';
import { matched, type Change, type Difference } from './change';
import { comparedFields, fieldDifferences } from './fields';
import { operationDifferences } from './operation';

/** Which services are compared; all of them, where nothing is said. */
export interface ComparedServices {
  /** Only this one. */
  readonly service?: string | undefined;
  /** Those that are not spoken of, though one of the versions may have them. */
  readonly except?: ReadonlySet<string>;
}

/**
 * What differs between two versions of an API: services, operations, parameters, fields, types, statuses, and who may
 * call. Words that people read are no difference. Compared with itself, an API has none; what is added in one
 * direction is removed in the other. In steps, a service in each at most.
 */
export function* compareApis(
  before: Api,
  after: Api,
  { service, except }: ComparedServices = {},
): Steps<readonly Change[]> {
  const isWanted = (name: string): boolean =>
    (service === undefined || name === service) && except?.has(name) !== true;
  const wanted = (api: Api): readonly Service[] => api.getServices().filter((one) => isWanted(one.getName()));
  const { removed, added, both } = matched(wanted(before), wanted(after), (one) => one.getName());
  const changes: Change[] = [
    ...removed.map((one) => whole('removed', one)),
    ...added.map((one) => whole('added', one)),
  ];
  for (const [old, now] of both) {
    const ofService = yield* compareServices(old, now, [before.getVersion(), after.getVersion()]);
    for (const change of ofService) changes.push(change);
    yield;
  }
  return changes;
}

function whole(kind: 'added' | 'removed', service: Service): Change {
  return {
    kind,
    subject: 'service',
    service: service.getName(),
    anchor: null,
    operation: null,
    name: '',
    detail: service.getRoute(),
    breaking: kind === 'removed',
  };
}

function* compareServices(
  before: Service,
  after: Service,
  versions: readonly [number, number],
): Steps<readonly Change[]> {
  const ofFields = yield* fieldDifferences(
    'field',
    comparedFields(before.getFields()),
    comparedFields(after.getFields()),
  );
  const { removed, added, both } = matched(operationsOf(before), operationsOf(after), ({ anchor }) => anchor);
  const ofOperations = [];
  for (const [old, now] of both) {
    ofOperations.push({
      at: now,
      differences: yield* operationDifferences(old.operation, now.operation, versions),
    });
  }
  // What is told once, of the service, breaks where any operation with it does.
  const breaking = new Set(
    ofOperations.flatMap(({ differences }) => differences.filter((one) => one.breaking).flatMap(keysOf)),
  );
  const told = new Set(ofFields.map(keyOf));
  return [
    ...routeChange(before, after),
    ...ofFields.map((field) => ({
      ...field,
      breaking: field.breaking || breaking.has(keyOf(field)),
      service: after.getName(),
      anchor: null,
      operation: null,
    })),
    ...removed.map((one) => placed(existence('removed'), before, one)),
    ...added.map((one) => placed(existence('added'), after, one)),
    ...ofOperations.flatMap(({ at, differences }) =>
      differences
        .filter((one) => !keysOf(one).some((key) => told.has(key)))
        .map((one) => placed(one, after, at)),
    ),
  ];
}

function existence(kind: 'added' | 'removed'): Difference {
  return { kind, subject: 'operation', name: '', detail: '', breaking: kind === 'removed' };
}

interface Placed {
  readonly operation: Operation;
  readonly anchor: string;
}

function operationsOf(service: Service): readonly Placed[] {
  return [...service.getOperations(), ...service.getEntityOperations()].map((operation) => ({
    operation,
    anchor: docAnchor(service, operation),
  }));
}

function placed(difference: Difference, service: Service, { operation, anchor }: Placed): Change {
  const path = service.getPaths(operation).at(-1) ?? '';
  return {
    ...difference,
    service: service.getName(),
    anchor,
    operation: `${operation.getHttpMethod()} ${path}`,
  };
}

function keyOf({ kind, name }: Difference): string {
  return `${kind} ${name}`;
}

/** The fields of the service that a field of an operation may be, as it stands, or in the items of a list. */
function keysOf({ kind, subject, name }: Difference): readonly string[] {
  if (subject !== 'request field' && subject !== 'response field') return [];
  const inner = [...name.matchAll(/\./g)].map(({ index }) => name.slice(index + 1));
  return [name, ...inner].map((one) => `${kind} ${one}`);
}

function routeChange(before: Service, after: Service): readonly Change[] {
  const [old, now] = [before.getRoute(), after.getRoute()];
  if (old === now) return [];
  return [
    {
      kind: 'changed',
      subject: 'route',
      service: after.getName(),
      anchor: null,
      operation: null,
      name: '',
      detail: `${old} → ${now}`,
      breaking: true,
    },
  ];
}
