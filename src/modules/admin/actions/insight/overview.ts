import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  ActiveCertificate,
  ConfigurationUnavailable,
  FileError,
  objectOf,
  isObject,
  Problem,
  type Application,
  type ApplicationHost,
} from '../../../../framework';
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
import type { PendingReload, PendingConfiguration } from './pending-reload';
import type { Revisions, RevisionSummary } from '../revisions/revisions';

interface OverviewService {
  readonly name: string;
  readonly kind: 'rest' | 'rpc';
  readonly description: string;
  /** The adapters that guard it; empty if it is open. */
  readonly adapters: readonly string[];
}

interface OverviewVersion {
  readonly version: number;
  readonly isDefault: boolean;
  readonly services: readonly OverviewService[];
  /** The adapters of all its services. */
  readonly adapters: readonly string[];
  /** Whether one of its services has no adapter. */
  readonly isOpen: boolean;
  /** The URL of its documentation. */
  readonly documentation: string;
}

interface OverviewApi {
  readonly name: string;
  readonly description: string;
  readonly versions: readonly OverviewVersion[];
}

/** Setup steps of a new installation. */
interface FirstSteps {
  readonly hasAdapter: boolean;
  readonly hasGuardedApi: boolean;
}

/** An operation with responses that do not match their schema. */
interface ResponseMismatch {
  readonly operation: string;
  /** The number of such responses. */
  readonly count: number;
}

export interface OverviewView {
  readonly apis: readonly OverviewApi[];
  /** The latest revisions, newest first. */
  readonly changes: readonly RevisionSummary[];
  /** Why the revisions cannot be read; undefined if they can. */
  readonly changesProblem: string | undefined;
  /** Warnings of the startup or of the latest change. */
  readonly warnings: readonly string[];
  /** Response mismatches since the last configuration change, most frequent first. */
  readonly differing: readonly ResponseMismatch[];
  /** The key paths whose new value requires a restart. */
  readonly restart: readonly string[];
  /** Manual edits of the configuration files. */
  readonly pending: PendingConfiguration;
  /** Undefined once completed. */
  readonly firstSteps: FirstSteps | undefined;
  readonly version: string;
  readonly node: string;
  /** In ISO 8601. */
  readonly startedAt: string;
  /** Process uptime in seconds. */
  readonly uptime: number;
  readonly modules: readonly string[];
}

/** How many revisions are shown. */
const SHOWN_REVISIONS = 5;
/** How many operations are. */
const SHOWN_MISMATCHES = 10;
const ADAPTERS = [MVC_AUTH_KEY, 'authentication', 'adapters'];
const PACKAGE = path.join(__dirname, '..', '..', '..', '..', '..', 'package.json');
/** That of the code that runs: the package may be updated before the page is first requested. */
const { version: VERSION } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };

/** Collects the state of the service for the overview page. */
export class Overview {
  readonly #host: ApplicationHost;
  readonly #changes: ConfigurationChanges;
  readonly #revisions: Revisions;
  readonly #pending: PendingReload;
  /** Of the software. */
  readonly version = VERSION;

  constructor(
    host: ApplicationHost,
    changes: ConfigurationChanges,
    dependencies: { readonly revisions: Revisions; readonly pending: PendingReload },
  ) {
    this.#host = host;
    this.#changes = changes;
    this.#revisions = dependencies.revisions;
    this.#pending = dependencies.pending;
  }

  async get(): Promise<OverviewView> {
    const { running } = this.#changes;
    const uptime = Math.floor(process.uptime());
    const apis = await apisOf(running);
    const changes = await this.#revisions.list().catch(toReason);
    return {
      apis,
      changes: typeof changes === 'string' ? [] : changes.slice(0, SHOWN_REVISIONS),
      changesProblem: typeof changes === 'string' ? changes : undefined,
      warnings: warningsOf(running),
      differing: await mismatchesOf(running),
      restart: this.#host.restartKeysOf(running),
      pending: await this.#pending.get(),
      firstSteps: firstStepsOf(running, apis),
      version: this.version,
      node: process.versions.node,
      startedAt: new Date(Date.now() - uptime * 1000).toISOString(),
      uptime,
      modules: running.modules.map(({ name }) => name),
    };
  }
}

/** The certificate may have been replaced, or have expired, since the application was built. */
function warningsOf({ warnings, certificateWarnings, sharedState }: Application): readonly string[] {
  const active = sharedState.find(ActiveCertificate);
  if (active === undefined) return warnings;
  const others = warnings.filter((warning) => !certificateWarnings.includes(warning));
  return [...others, ...active.warnings(Date.now())];
}

/** The rest can be shown without the store or the files of the revisions. @throws any other error */
function toReason(error: unknown): string {
  const cause = error instanceof Problem ? error.cause : undefined;
  if (cause instanceof ConfigurationUnavailable || cause instanceof FileError) return cause.message;
  throw error;
}

async function mismatchesOf({ services }: Application): Promise<readonly ResponseMismatch[]> {
  if (!services.has(ResponseChecks)) return [];
  const { counts } = await services.get(ResponseChecks);
  return [...counts]
    .map(([operation, count]) => ({ operation, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, SHOWN_MISMATCHES);
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

/** Ignores the API and the adapter of the admin itself. */
function firstStepsOf({ configuration }: Application, apis: readonly OverviewApi[]): FirstSteps | undefined {
  const adapters = configuration.valueAt(ADAPTERS);
  const hasAdapter = Object.values(objectOf(adapters)).some(
    (one) => isObject(one) && one.adapter !== ADMINISTRATORS_ADAPTER,
  );
  const hasGuardedApi = apis.some(
    ({ name, versions }) => name !== ADMIN_API && versions.some((version) => version.adapters.length > 0),
  );
  return hasAdapter && hasGuardedApi ? undefined : { hasAdapter, hasGuardedApi };
}
