import type { Steps } from '../../../framework';
import type { Api } from '../model/api';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { docAnchor } from '../view-helpers/anchor';
import { matched, type Change, type Difference } from './change';
import { comparedFields, fieldDifferences } from './fields';
import { operationDifferences } from './operation';

/**
 * What differs between two versions of an API: services, operations, parameters, fields, types, statuses, and who may
 * call. Words that people read are no difference. Compared with itself, an API has none; what is added in one
 * direction is removed in the other. A service at each step.
 *
 * @param service only this one, where it is named
 */
export function* compareApis(before: Api, after: Api, service?: string): Steps<readonly Change[]> {
  const wanted = (api: Api): readonly Service[] =>
    api.getServices().filter((one) => service === undefined || one.getName() === service);
  const { removed, added, both } = matched(wanted(before), wanted(after), (one) => one.getName());
  const changes: Change[] = [
    ...removed.map((one) => whole('removed', one)),
    ...added.map((one) => whole('added', one)),
  ];
  for (const [old, now] of both) {
    changes.push(...compareServices(old, now, [before.getVersion(), after.getVersion()]));
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

function compareServices(
  before: Service,
  after: Service,
  versions: readonly [number, number],
): readonly Change[] {
  const ofFields = fieldDifferences(
    'field',
    comparedFields(before.getFields()),
    comparedFields(after.getFields()),
  );
  const { removed, added, both } = matched(operationsOf(before), operationsOf(after), ({ anchor }) => anchor);
  const ofOperations = both.map(([old, now]) => ({
    at: now,
    differences: operationDifferences(old.operation, now.operation, versions),
  }));
  const all = ofOperations.flatMap(({ differences }) => differences);
  return [
    ...routeChange(before, after),
    ...ofFields.map((field) => ({
      ...field,
      // What is told once, of the service, breaks where any operation with it does.
      breaking: field.breaking || all.some((one) => one.breaking && isSame(one, field)),
      service: after.getName(),
      anchor: null,
      operation: null,
    })),
    ...removed.map((one) => placed(existence('removed'), before, one)),
    ...added.map((one) => placed(existence('added'), after, one)),
    ...ofOperations.flatMap(({ at, differences }) =>
      differences
        .filter((one) => !ofFields.some((field) => isSame(one, field)))
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

/** Whether a field of an operation, perhaps of the items of a list, is a field of the service that is told of already. */
function isSame(one: Difference, field: Difference): boolean {
  if (one.subject !== 'request field' && one.subject !== 'response field') return false;
  return one.kind === field.kind && (one.name === field.name || one.name.endsWith(`.${field.name}`));
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
