import { securitySchemesOf } from '../../mvc-auth';
import type { AdapterData } from '../model/data';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

/** What clients send to an adapter, for people. */
export type AdapterCredentials =
  /** HTTP authentication schemes, e.g. `['Digest', 'Basic']`. */
  | { readonly kind: 'http'; readonly schemes: readonly string[] }
  | { readonly kind: 'keyInHeader' | 'keyInQuery'; readonly name: string }
  | { readonly kind: 'oauth2' }
  | { readonly kind: 'openIdConnect'; readonly url: string };

/** Returns the kinds of credentials that an adapter accepts; its HTTP schemes are one. */
export function docCredentials(adapter: AdapterData): readonly AdapterCredentials[] {
  const security = securitySchemesOf(adapter);
  const schemes = security.flatMap((one) => (one.type === 'http' ? [capitalized(one.scheme)] : []));
  const others = security.flatMap((one): readonly AdapterCredentials[] => {
    if (one.type === 'apiKey')
      return [{ kind: one.in === 'header' ? 'keyInHeader' : 'keyInQuery', name: one.name }];
    if (one.type === 'oauth2') return [{ kind: 'oauth2' }];
    return one.type === 'openIdConnect' ? [{ kind: 'openIdConnect', url: one.openIdConnectUrl }] : [];
  });
  return [...(schemes.length === 0 ? [] : [{ kind: 'http', schemes } as const]), ...others];
}

/** The adapters whose credentials an operation accepts. */
export function adaptersOf(service: Service, operation: Operation): readonly AdapterData[] {
  const names = operation.getAdapters();
  return (service.getApi()?.getAdapters() ?? []).filter(({ name }) => names.includes(name));
}

/** `bearer` → `Bearer` */
export function capitalized(scheme: string): string {
  return scheme.replace(/^./, (letter) => letter.toUpperCase());
}
