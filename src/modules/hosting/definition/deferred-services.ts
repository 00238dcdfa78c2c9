import { lazily } from '../../../framework';
import type { ApiDefinition, CustomService, ServiceDefinition } from './definition';

/** Declares the services of an API. */
type DeclareServices = () => Readonly<Record<string, ServiceDefinition | CustomService>>;

const DEFERRED = Symbol('deferred services');

interface DeferredDefinition {
  readonly [DEFERRED]?: DeclareServices;
}

/** The only version of such an API. */
const VERSION = 1;

/**
 * Defines an API whose services are declared and compiled when something needs them, so that a start does not pay for them.
 * Mistakes in them are found only then: it is for APIs of the platform itself, whose services tests compile. If the
 * configuration changes the API, or has rules for its services, it is compiled at the start as all others.
 */
export function deferServices(
  api: Omit<ApiDefinition, 'versions'>,
  declare: DeclareServices,
): ApiDefinition & DeferredDefinition {
  return { ...api, versions: { [VERSION]: {} }, [DEFERRED]: lazily(declare) };
}

/** Returns what declares the services of an API on first use; undefined for an API that has them. */
export function deferredServicesOf(api: ApiDefinition & DeferredDefinition): DeclareServices | undefined {
  return api[DEFERRED];
}

/** Returns a definition with its services. */
export function withServices<Definition extends ApiDefinition>(
  api: Definition & DeferredDefinition,
): Definition {
  const declare = deferredServicesOf(api);
  return declare === undefined
    ? api
    : { ...api, versions: { [VERSION]: { services: declare() } }, [DEFERRED]: undefined };
}
