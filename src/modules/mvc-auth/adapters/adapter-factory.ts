import type { Static, TSchema } from '@sinclair/typebox';
import { isObject, type Configuration } from '../../../framework';
import type { AuthenticationAdapter } from './adapter';
import type { AdapterDescription } from './guard';

/** The environment of an adapter factory. */
export interface AdapterContext {
  /** The project root, to which file paths in options are relative. */
  readonly root: string;
  /** The whole configuration, for modules with their own settings. */
  readonly configuration: Configuration;
  /** Logs a warning while the service runs. */
  readonly warn: (message: string) => void;
}

/** An open adapter and its description for documentation. */
export interface OpenAdapter {
  readonly adapter: AuthenticationAdapter;
  readonly description: AdapterDescription;
  /** Whether Basic may be mapped together with Digest. */
  readonly allowsDowngrade?: boolean;
}

/**
 * Opens adapters of one kind, which configuration names in `adapter`. A module adds a kind by binding a factory under
 * that name.
 *
 * @example
 * const factory: AdapterFactory<typeof settings> = { settings, open: (name, { realm }) => … };
 */
export interface AdapterFactory<Settings extends TSchema = TSchema> {
  /** The schema of `options`, checked before `open`. */
  readonly settings: Settings;
  /** Rejects with an error whose message says what is wrong and what to do. */
  open(name: string, options: Static<Settings>, context: AdapterContext): Promise<OpenAdapter>;
}

export function isAdapterFactory(service: unknown): service is AdapterFactory {
  return isPartialFactory(service) && lackingMembers(service).length === 0;
}

/** Returns whether a service is meant as an adapter factory: in JavaScript, it may lack members. */
export function isPartialFactory(service: unknown): service is Partial<AdapterFactory> {
  return (
    isObject(service) &&
    ('open' in service || 'settings' in service) &&
    // Such as those of databases.
    !('opens' in service)
  );
}

/** Returns the members that a factory lacks, for messages. */
export function lackingMembers({ settings, open }: Partial<AdapterFactory>): readonly string[] {
  return [...(isObject(settings) ? [] : ['settings']), ...(typeof open === 'function' ? [] : ['open()'])];
}
