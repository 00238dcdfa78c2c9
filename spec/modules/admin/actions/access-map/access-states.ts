import fc from 'fast-check';
import type {
  AccessState,
  AdapterState,
  ServiceState,
  VersionState,
} from '../../../../../src/modules/admin/actions/access-map/access-state';

export function service(name: string, adapters: string[], rules: ServiceState['rules']): ServiceState {
  return { name, adapters, rules };
}

export function version(api: string, ...services: ServiceState[]): VersionState {
  return { api, version: 1, services };
}

/** A Basic adapter. @param users of its file; undefined for a missing file */
export function basic(
  name: string,
  users: readonly string[] | undefined,
  groups?: Readonly<Record<string, number>>,
): AdapterState {
  return {
    name,
    type: 'Basic',
    isUsedElsewhere: false,
    sources: [
      {
        path: `data/${name}.htpasswd`,
        kind: 'htpasswd',
        realm: undefined,
        users: users && new Set(users),
        refusal: undefined,
      },
    ],
    ownUsers: { name: `Users of ${name}`, detail: 'No password file', path: `/adapters/${name}` },
    groups:
      groups === undefined
        ? undefined
        : { path: `data/${name}.groups`, members: new Map(Object.entries(groups)) },
  };
}

/** An adapter with users of its own. */
export function directory(name: string): AdapterState {
  return { ...basic(name, []), type: 'LdapAdapter', sources: [] };
}

export function state(versions: readonly VersionState[], adapters: readonly AdapterState[]): AccessState {
  return { versions, adapters, hasCustomAuthentication: false };
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const rule = fc.oneof(
  fc.constantFrom('guest' as const, 'authenticated' as const),
  fc.array(fc.constantFrom('ada', 'bob', '@editors', '@readers'), { minLength: 1, maxLength: 3 }),
  fc.constant({ policy: 'owner' }),
);

const adapter = fc
  .record({
    hasUsers: fc.boolean(),
    isMissing: fc.boolean(),
    isDirectory: fc.boolean(),
    groups: fc.option(fc.dictionary(fc.constantFrom('editors', 'readers', 'others'), fc.nat(9))),
  })
  .map(({ hasUsers, isMissing, isDirectory, groups }) => (name: string): AdapterState => {
    if (isDirectory) return directory(name);
    return basic(name, isMissing ? undefined : hasUsers ? ['ada'] : [], groups ?? undefined);
  });

/** Any access: every service refers to adapters that exist. */
export const anyState: fc.Arbitrary<AccessState> = fc
  .array(adapter, { maxLength: NAMES.length })
  .chain((makers) => {
    const adapters = makers.map((make, at) => make(NAMES[at] ?? ''));
    const names = adapters.map(({ name }) => name);
    const guards = names.length === 0 ? fc.constant<string[]>([]) : fc.uniqueArray(fc.constantFrom(...names));
    const anyService = fc.record({
      name: fc.constantFrom('One', 'Two', 'Three'),
      adapters: guards,
      rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
    });
    return fc.record({
      versions: fc
        .array(fc.array(anyService, { maxLength: 4 }), { maxLength: 40 })
        .map((all) => all.map((services, at) => ({ api: `Api${at}`, version: 1, services }))),
      adapters: fc.constant(adapters),
      hasCustomAuthentication: fc.boolean(),
    });
  });
