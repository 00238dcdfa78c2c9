import { memberAt, type Application } from '../../../../framework';
import { Catalogue, type HostedApi } from '../../../hosting';
import { ADMIN_API } from '../../changes/lockout';
import { definitionsOf } from '../texts/declared-api';

/** A service with what its requests need. */
export interface ConnectedService {
  readonly api: string;
  readonly version: number;
  readonly service: string;
  /** The authentication adapters that guard it. */
  readonly adapters: readonly string[];
  /** The database adapter of a service over a table, a statement or a function. */
  readonly database: string | undefined;
}

/** The APIs of an application and what their services need. */
export interface Connections {
  /** Without the admin API. */
  readonly apis: readonly HostedApi[];
  readonly services: readonly ConnectedService[];
}

/** An application does not change. */
const known = new WeakMap<Application, Connections>();

/** Returns the APIs of an application with the adapters and databases of their services. */
export async function connectionsOf(application: Application): Promise<Connections> {
  const connections = known.get(application) ?? (await findConnections(application));
  known.set(application, connections);
  return connections;
}

async function findConnections(application: Application): Promise<Connections> {
  const { services } = application;
  const catalogue = services.has(Catalogue) ? await services.get(Catalogue) : { apis: [] };
  const apis = catalogue.apis.filter(({ name }) => name !== ADMIN_API);
  const definitions = definitionsOf(application);
  return {
    apis,
    services: apis.flatMap(({ name: api, versions }) =>
      versions.flatMap(({ version, services }) =>
        services.map(({ name: service, guard }) => {
          const declared = definitions.get(api)?.versions[version]?.services?.[service];
          const database = memberAt(declared, ['adapter_name']);
          return {
            api,
            version,
            service,
            adapters: (guard?.adapters ?? []).map(({ name }) => name),
            database: typeof database === 'string' ? database : undefined,
          };
        }),
      ),
    ),
  };
}
