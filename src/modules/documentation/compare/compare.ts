import type { Steps } from '../../../framework';
import type { Api } from '../model/api';
import type { Field } from '../model/field';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { docAnchor } from '../view-helpers/addresses';
import { matchByKey, type ApiChange, type Difference } from './change';
import { comparedFields, comparedParameters, fieldDifferences } from './fields';
import { operationDifferences } from './operation';

/** The services to compare; defaults to all. */
export interface ComparedServices {
  /** Only this one. */
  readonly service?: string | undefined;
  /** Services to omit. */
  readonly except?: ReadonlySet<string>;
}

/**
 * Compares two versions of an API: services, operations, parameters, fields, media types, statuses and access
 * rules. Descriptions are not compared. An API does not differ from itself; what is added in one
 * direction is removed in the other. In steps of at most one service.
 */
export function* compareApis(
  before: Api,
  after: Api,
  { service, except }: ComparedServices = {},
): Steps<readonly ApiChange[]> {
  const isCompared = (name: string): boolean =>
    (service === undefined || name === service) && except?.has(name) !== true;
  const compared = (api: Api): readonly Service[] =>
    api.getServices().filter((one) => isCompared(one.getName()));
  const { removed, added, both } = matchByKey(compared(before), compared(after), (one) => one.getName());
  const changes: ApiChange[] = [
    ...removed.map((one) => serviceChange('removed', one)),
    ...added.map((one) => serviceChange('added', one)),
  ];
  for (const [old, now] of both) {
    const ofService = yield* compareServices(old, now, [before.getVersion(), after.getVersion()]);
    for (const change of ofService) changes.push(change);
    yield;
  }
  return changes;
}

function serviceChange(kind: 'added' | 'removed', service: Service): ApiChange {
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
): Steps<readonly ApiChange[]> {
  const ofFields = yield* fieldDifferences(
    'field',
    comparedFields(ownFields(before)),
    comparedFields(ownFields(after)),
  );
  // Those of another route are not the same parameters.
  const old = before.getRoute() === after.getRoute() ? before : after;
  const ofParameters = yield* fieldDifferences(
    'parameter',
    comparedParameters(old.getRouteParameters()),
    comparedParameters(after.getRouteParameters()),
  );
  const { removed, added, both } = matchByKey(
    operationsOf(before),
    operationsOf(after),
    ({ anchor }) => anchor,
  );
  const ofOperations = [];
  for (const [old, now] of both) {
    ofOperations.push({
      at: now,
      differences: yield* operationDifferences(old.operation, now.operation, versions),
    });
  }
  // A change of a service field is breaking if it is breaking in any operation.
  const breaking = new Set(
    ofOperations.flatMap(({ differences }) => differences.filter((one) => one.breaking).flatMap(keysOf)),
  );
  const reported = new Set(ofFields.map(keyOf));
  return [
    ...routeChange(before, after),
    ...[
      ...ofParameters,
      ...ofFields.map((field) => ({ ...field, breaking: field.breaking || breaking.has(keyOf(field)) })),
    ].map((change) => ({ ...change, service: after.getName(), anchor: null, operation: null })),
    ...removed.map((one) => operationChange(operationExistence('removed'), before, one)),
    ...added.map((one) => operationChange(operationExistence('added'), after, one)),
    ...ofOperations.flatMap(({ at, differences }) =>
      differences
        .filter((one) => !keysOf(one).some((key) => reported.has(key)))
        .map((one) => operationChange(one, after, at)),
    ),
  ];
}

/** The fields of an entity; those of RPC services are compared per operation. */
function ownFields(service: Service): readonly Field[] {
  return service.getKind() === 'rpc' ? [] : service.getFields();
}

function operationExistence(kind: 'added' | 'removed'): Difference {
  return { kind, subject: 'operation', name: '', detail: '', breaking: kind === 'removed' };
}

interface AnchoredOperation {
  readonly operation: Operation;
  readonly anchor: string;
}

function operationsOf(service: Service): readonly AnchoredOperation[] {
  return [...service.getOperations(), ...service.getEntityOperations()].map((operation) => ({
    operation,
    anchor: docAnchor(service, operation),
  }));
}

function operationChange(
  difference: Difference,
  service: Service,
  { operation, anchor }: AnchoredOperation,
): ApiChange {
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

/** Returns the keys of service fields that a field of an operation may be, itself or in the items of a list. */
function keysOf({ kind, subject, name }: Difference): readonly string[] {
  if (subject !== 'request field' && subject !== 'response field') return [];
  const inner = [...name.matchAll(/\./g)].map(({ index }) => name.slice(index + 1));
  return [name, ...inner].map((one) => `${kind} ${one}`);
}

function routeChange(before: Service, after: Service): readonly ApiChange[] {
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
