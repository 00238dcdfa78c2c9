import type { TSchema } from '@sinclair/typebox';
import type { Configuration } from '../../framework';
import type { AuthenticationAdapter } from './adapter';
import type { AdapterDescription } from './guard';

/** What an adapter factory is given beside the options. */
export interface AdapterContext {
  /** The project's root, which files in options start from. */
  readonly root: string;
  /** The whole configuration, for kinds that belong to a module with settings of its own. */
  readonly configuration: Configuration;
  /** Told what happens while the service runs, for the log. */
  readonly warn: (message: string) => void;
}

/** An adapter that is open, and what documentation tells of it. */
export interface OpenAdapter {
  readonly adapter: AuthenticationAdapter;
  readonly description: AdapterDescription;
  /** Whether Basic may stand beside Digest where it is mapped. */
  readonly allowsDowngrade?: boolean;
}

/**
 * Makes the adapters of one kind; configuration names it in an adapter's `adapter`. A module contributes a kind
 * by binding a factory under its name.
 */
export interface AdapterFactory {
  /** What `options` must look like; checked before `open`. */
  readonly settings: TSchema;
  /** Rejects with an error whose message tells what is wrong and what to do. */
  open(name: string, options: unknown, context: AdapterContext): Promise<OpenAdapter>;
}

export function isAdapterFactory(service: unknown): service is AdapterFactory {
  return typeof service === 'object' && service !== null && 'open' in service && 'settings' in service;
}
