import type { ServiceDefinition } from '../../hosting';
import { ruleOf, type AdminRole } from '../accounts/roles';

/** The roles that the operations of a service require, other than those that only read. */
type ServiceRoles = Readonly<Record<string, AdminRole>>;

/** Services whose operations other than GET do not require the role `administrator`. */
const SERVICE_ROLES: ServiceRoles = {
  // It changes nothing.
  ConnectionTest: 'viewer',
  DocumentationText: 'editor',
  Selector: 'editor',
  SelectorModel: 'editor',
  Trace: 'editor',
  TraceRecording: 'editor',
  // What they revert is checked value by value.
  Restore: 'editor',
  Undo: 'editor',
};

/** Adds the access rule of each operation to the services of the admin API: reading is allowed to every role. */
export function withRoles<T extends Readonly<Record<string, ServiceDefinition>>>(services: T): T {
  const entries = Object.entries(services).map(([name, service]) => [
    name,
    withRole(service, SERVICE_ROLES[name] ?? 'administrator'),
  ]);
  return Object.fromEntries(entries) as T;
}

function withRole(service: ServiceDefinition, role: AdminRole): ServiceDefinition {
  const rules = { authorization: ruleOf(role) };
  if ('methods' in service) return { ...service, ...rules, methods: readable(service.methods) };
  const { collection, entity } = service;
  return {
    ...service,
    ...rules,
    ...(collection === undefined ? {} : { collection: readable(collection) }),
    ...(entity === undefined ? {} : { entity: readable(entity) }),
  };
}

/** Allows reading to every role. */
function readable<T extends { readonly GET?: object }>(operations: T): T {
  const { GET } = operations;
  return GET === undefined ? operations : { ...operations, GET: { authorization: ruleOf('viewer'), ...GET } };
}
