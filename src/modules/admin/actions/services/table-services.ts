import { isDeepStrictEqual } from 'node:util';
import { ownValue, type Application, type ConfigObject } from '../../../../framework';
import type { ProposedColumn, TableProposal } from '../../../database';
import { Catalogue, servicePattern, type HostedApi } from '../../../hosting';
import type { Change } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { invalid } from '../../changes/field-errors';
import type { DatabaseActions } from '../databases/database-actions';
import { ADMIN_API } from '../../changes/lockout';
import { layeredEdits } from '../layered-edits';
import { versionDefinitionPath } from '../texts/declared-api';
import { declarationOf, operationNames, READING, type TableServiceInput } from './table-service-input';
import { mergedDeclaration, toEdited, type EditedTableService } from './table-service-edit';
import { apiErrors, inputErrors } from './table-service-errors';

/** What a new service over a table can be, and what is proposed. */
export interface NewTableService {
  readonly proposal: TableProposal;
  /** The proposed input: a service that works as it is. */
  readonly input: TableServiceInput;
  /** The existing APIs, without that of the admin. */
  readonly apis: readonly { readonly name: string; readonly versions: readonly number[] }[];
}

/** The input of a caller: what it omits is proposed. */
export type PartialTableService = Pick<TableServiceInput, 'adapter' | 'table'> & {
  readonly [Key in keyof TableServiceInput]?: TableServiceInput[Key] | undefined;
};

const DEFAULT_PAGE_SIZE = 25;

/** Creates services over tables. */
export class TableServices {
  readonly #changes: ConfigurationChanges;
  readonly #databases: DatabaseActions;

  constructor(changes: ConfigurationChanges, databases: DatabaseActions) {
    this.#changes = changes;
    this.#databases = databases;
  }

  /**
   * Proposes a service: its name and route are free, and its filters are those that an index serves.
   * @param given what is known of it
   * @throws Problem 404 for an unknown database or table, 422 for a table that the snapshot does not contain
   */
  async propose(given: PartialTableService): Promise<NewTableService> {
    const { adapter, table: tableName } = given;
    const { model, isUsable } = await this.#databases.table(adapter, tableName);
    if (!isUsable) {
      const message = `The snapshot does not contain the table "${tableName}". Update it: apidesc-platform db pull --adapter ${adapter}`;
      throw invalid([{ pointer: '/table', message }]);
    }
    const proposal = await this.#databases.propose(adapter, model);
    const { running } = this.#changes;
    const { apis: all } = await running.services.get(Catalogue);
    const apis = all
      .filter(({ name }) => name !== ADMIN_API)
      .map(({ name, versions }) => ({ name, versions: versions.map(({ version }) => version) }));
    const api =
      given.api ??
      defaultApi(
        adapter,
        apis.map(({ name }) => name),
      );
    const existing = all.find(({ name }) => name === api);
    const version = given.version ?? existing?.defaultVersion ?? 1;
    const taken = existing?.versions.find((one) => one.version === version)?.services ?? [];
    const input = proposedInput(proposal, given, {
      api,
      version,
      name:
        given.name ??
        freeName(
          proposal.name,
          taken.map(({ name }) => name),
        ),
      route: given.route ?? freeRoute(proposal, adapter, existing?.basePath ?? '', running),
    });
    return { proposal, input, apis };
  }

  /**
   * Returns what the form of an existing service needs.
   * @throws Problem 404 for an unknown database or table
   */
  async proposalFor({
    adapter,
    table,
  }: Pick<TableServiceInput, 'adapter' | 'table'>): Promise<TableProposal> {
    return this.#databases.propose(adapter, (await this.#databases.table(adapter, table)).model);
  }

  /**
   * Returns the declaration of an edited service.
   * @throws Problem 404, 422 for invalid input
   */
  async editedDeclaration(current: ConfigObject, edited: EditedTableService): Promise<ConfigObject> {
    const { input } = edited;
    const before = toEdited(input, current).input;
    const isKept = isDeepStrictEqual(before.identifier, input.identifier) && before.route === input.route;
    const proposal = withFilters(await this.proposalFor(input), before.filters);
    const errors = inputErrors(input, proposal).filter(
      // Parameters of a route may have other names than the columns.
      ({ pointer }) => !(isKept && (pointer === '/identifier' || pointer === '/route')),
    );
    if (errors.length > 0) throw invalid(errors);
    return mergedDeclaration(current, edited);
  }

  /** @throws Problem 404, 422 for invalid input */
  async prepareCreate(given: PartialTableService): Promise<Change> {
    const { proposal, input } = await this.propose(given);
    const { api, version, name } = input;
    const { running, configuration } = this.#changes;
    const catalogue = await running.services.get(Catalogue);
    const errors = [...apiErrors(input, catalogue.api(api)), ...inputErrors(input, proposal)];
    const holder = routeHolder(running, catalogue.api(api), input);
    if (holder !== undefined)
      errors.push({ pointer: '/route', message: `The route is in use by ${holder}. Choose another one.` });
    if (errors.length > 0) throw invalid(errors);
    const path = versionDefinitionPath(api, version, ['services', name]);
    return {
      summary: `Added the service "${name}" over the table "${input.table}" to ${api}-v${version}.`,
      subject: path,
      edits: layeredEdits(configuration, path, declarationOf(input)),
      service: { api, version, service: name },
    };
  }
}

/** The configuration accepts filters that are not proposed, such as those of a column without a type: they can be kept. */
function withFilters(proposal: TableProposal, filters: TableServiceInput['filters']): TableProposal {
  const columns = proposal.columns.map((column) => ({
    ...column,
    // Validated by the schema of the section.
    operators: [
      ...new Set([...column.operators, ...(ownValue(filters, column.name) ?? [])]),
    ] as ProposedColumn['operators'],
  }));
  return { ...proposal, columns };
}

function proposedInput(
  proposal: TableProposal,
  given: PartialTableService,
  place: Pick<TableServiceInput, 'api' | 'version' | 'name' | 'route'>,
): TableServiceInput {
  const included = proposal.columns.filter(
    ({ name, isIncluded }) => isIncluded || proposal.identifier.includes(name),
  );
  const columns = given.columns ?? included.map(({ name }) => name);
  const shown = proposal.columns.filter(({ name }) => columns.includes(name));
  return {
    description: proposal.description,
    identifier: proposal.identifier,
    collectionName: proposal.collectionName,
    pageSize: DEFAULT_PAGE_SIZE,
    readOnly: [],
    filters: Object.fromEntries(
      shown.filter(({ filters }) => filters.length > 0).map(({ name, filters }) => [name, filters]),
    ),
    sort: shown.filter(({ isSorted }) => isSorted).map(({ name }) => name),
    operations: proposal.isWritable ? operationNames : READING,
    readAccess: undefined,
    // A table is not open to writes by accident.
    writeAccess: 'authenticated',
    ...withoutUndefined(given),
    ...place,
    adapter: given.adapter,
    table: given.table,
    columns,
  };
}

function withoutUndefined(given: PartialTableService): Partial<TableServiceInput> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** `shop` → `Shop`; an API of this name in any case is used. */
function defaultApi(adapter: string, apis: readonly string[]): string {
  const name = adapter.slice(0, 1).toUpperCase() + adapter.slice(1).replaceAll('-', '_');
  return apis.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
}

function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let at = 2;
  while (taken.includes(`${name}${at}`)) at++;
  return `${name}${at}`;
}

/** A route of its own, below the name of the database if another service has it. */
function freeRoute(
  { route }: TableProposal,
  adapter: string,
  basePath: string,
  running: Application,
): string {
  const candidates = [route, `/${adapter.toLowerCase()}${route}`];
  for (let at = 2; at < 10; at++) candidates.push(`/${adapter.toLowerCase()}-${at}${route}`);
  const free = candidates.find((one) => routeConflict(running, servicePattern(basePath, one)) === undefined);
  return free ?? route;
}

/** Returns what has the route of a new service; services of other versions of its API can. */
function routeHolder(
  running: Application,
  api: HostedApi | undefined,
  { api: apiName, version, name, route }: TableServiceInput,
): string | undefined {
  const services = api?.versions.find((one) => one.version === version)?.services ?? [];
  const other = services.find((one) => one.route === route && one.name !== name);
  if (other !== undefined) return `the service "${other.name}" of ${apiName}-v${version}`;
  const conflict = routeConflict(running, servicePattern(api?.basePath ?? '', route));
  return conflict === `${apiName}:${route}` ? undefined : conflict?.replace(':', ' ');
}

/** Returns the name of a route with the same paths; undefined if there is none, or if the pattern is invalid. */
function routeConflict({ router }: Application, pattern: string): string | undefined {
  try {
    return router.findConflict(pattern)?.name;
  } catch {
    return undefined;
  }
}
