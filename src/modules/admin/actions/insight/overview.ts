import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isTree, type Application, type ApplicationHost } from '../../../../framework';
import {
  Catalogue,
  ResponseChecks,
  type HostedApi,
  type HostedService,
  type HostedVersion,
} from '../../../hosting';
import { MVC_AUTH_KEY } from '../../../mvc-auth';
import { ADMINISTRATORS_ADAPTER } from '../../accounts/administrators-adapter';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { ADMIN_API } from '../../changes/lockout';
import type { PendingReload, Pending } from './pending-reload';
import type { Revisions, RevisionSummary } from '../revisions/revisions';

interface OverviewService {
  readonly name: string;
  readonly kind: 'rest' | 'rpc';
  readonly description: string;
  /** The adapters that guard it; none for one that takes no credentials. */
  readonly adapters: readonly string[];
}

interface OverviewVersion {
  readonly version: number;
  readonly isDefault: boolean;
  readonly services: readonly OverviewService[];
  /** The adapters of all its services. */
  readonly adapters: readonly string[];
  /** Whether a service of it takes no credentials. */
  readonly isOpen: boolean;
  /** The address of its documentation. */
  readonly documentation: string;
}

interface OverviewApi {
  readonly name: string;
  readonly description: string;
  readonly versions: readonly OverviewVersion[];
}

/** What a new installation has yet to do. */
interface FirstSteps {
  readonly hasAdapter: boolean;
  readonly hasGuardedApi: boolean;
}

/** An operation whose answers are not what its schema and its documentation say. */
interface Differing {
  readonly operation: string;
  /** How many were. */
  readonly count: number;
}

export interface OverviewView {
  readonly apis: readonly OverviewApi[];
  /** The latest revisions, the newest first. */
  readonly changes: readonly RevisionSummary[];
  /** Of the start, or of the change that came last. */
  readonly warnings: readonly string[];
  /** Operations that answer otherwise than they tell, the worst first, since the last change of configuration. */
  readonly differing: readonly Differing[];
  /** The key paths whose value only a restart takes up. */
  readonly restart: readonly string[];
  /** What was written into the files by hand. */
  readonly pending: Pending;
  /** Undefined when all is done. */
  readonly firstSteps: FirstSteps | undefined;
  readonly version: string;
  readonly node: string;
  /** In ISO 8601. */
  readonly startedAt: string;
  /** Seconds that the service runs. */
  readonly uptime: number;
  readonly modules: readonly string[];
}

/** How many revisions are shown. */
const LATEST = 5;
/** How many operations are. */
const WORST = 10;
const ADAPTERS = [MVC_AUTH_KEY, 'authentication', 'adapters'];
const PACKAGE = path.join(__dirname, '..', '..', '..', '..', '..', 'package.json');

/** What there is to know about the service at a glance. */
export class Overview {
  readonly #host: ApplicationHost;
  readonly #changes: ConfigurationChanges;
  readonly #revisions: Revisions;
  readonly #pending: PendingReload;
  readonly #version: string;

  constructor(
    host: ApplicationHost,
    changes: ConfigurationChanges,
    parts: { readonly revisions: Revisions; readonly pending: PendingReload },
  ) {
    this.#host = host;
    this.#changes = changes;
    this.#revisions = parts.revisions;
    this.#pending = parts.pending;
    const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };
    this.#version = version;
  }

  async get(): Promise<OverviewView> {
    const { running } = this.#changes;
    const uptime = Math.floor(process.uptime());
    const apis = await apisOf(running);
    return {
      apis,
      changes: (await this.#revisions.list()).slice(0, LATEST),
      warnings: running.warnings,
      differing: await differingOf(running),
      restart: this.#host.needsRestart(running),
      pending: await this.#pending.get(),
      firstSteps: firstStepsOf(running, apis),
      version: this.#version,
      node: process.versions.node,
      startedAt: new Date(Date.now() - uptime * 1000).toISOString(),
      uptime,
      modules: running.modules.map(({ name }) => name),
    };
  }
}

async function differingOf({ services }: Application): Promise<readonly Differing[]> {
  if (!services.has(ResponseChecks)) return [];
  const { counts } = await services.get(ResponseChecks);
  return [...counts]
    .map(([operation, count]) => ({ operation, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, WORST);
}

async function apisOf({ services, router }: Application): Promise<readonly OverviewApi[]> {
  const { apis } = services.has(Catalogue) ? await services.get(Catalogue) : { apis: [] };
  return apis.map((api) => ({
    name: api.name,
    description: api.description,
    versions: api.versions.map((version) =>
      describeVersion(
        api,
        version,
        router.assemble('documentation', { api: api.name, version: version.version }),
      ),
    ),
  }));
}

function describeVersion(
  { defaultVersion }: HostedApi,
  { version, services }: HostedVersion,
  documentation: string,
): OverviewVersion {
  const shown = services.map(describeService);
  return {
    version,
    isDefault: version === defaultVersion,
    services: shown,
    adapters: [...new Set(shown.flatMap(({ adapters }) => adapters))],
    isOpen: shown.some(({ adapters }) => adapters.length === 0),
    documentation,
  };
}

function describeService({ name, kind, description, guard }: HostedService): OverviewService {
  return { name, kind, description, adapters: (guard?.adapters ?? []).map((adapter) => adapter.name) };
}

/** The admin's own API and adapter are there from the start, and count for nothing. */
function firstStepsOf({ configuration }: Application, apis: readonly OverviewApi[]): FirstSteps | undefined {
  const adapters = configuration.valueAt(ADAPTERS);
  const hasAdapter = Object.values(isTree(adapters) ? adapters : {}).some(
    (one) => isTree(one) && one.adapter !== ADMINISTRATORS_ADAPTER,
  );
  const hasGuardedApi = apis.some(
    ({ name, versions }) => name !== ADMIN_API && versions.some((version) => version.adapters.length > 0),
  );
  return hasAdapter && hasGuardedApi ? undefined : { hasAdapter, hasGuardedApi };
}
