import type { Command } from 'commander';
import { listItems } from '../framework';
import type { AdminServices, PartialTableService, Preview } from '../modules/admin';
import type { TableProposal } from '../modules/database';
import type { CommandContext } from './command-context';
import { projectCommand, type ProjectOptions } from './project-command';
import { reportApplied } from './report';
import { UsageError } from './usage-error';

interface AddTableOptions extends ProjectOptions {
  readonly adapter?: string;
  readonly table: string;
  readonly api?: string;
  readonly version?: string;
  readonly name?: string;
  readonly route?: string;
  readonly identifier?: string;
  readonly description?: string;
  readonly columns?: string;
  readonly readOnly?: string;
  readonly operations?: string;
  readonly filters?: string;
  readonly sort?: string;
  readonly pageSize?: string;
  readonly readAccess?: string;
  readonly writeAccess?: string;
  readonly yes?: boolean;
}

/** Registers `service add-table`. */
export function registerService(program: Command, io: CommandContext): void {
  const service = program.command('service').description('add services');
  projectCommand<AddTableOptions>(
    service,
    io,
    'add-table',
    'add a service over a table or view of a database; what is omitted is proposed',
    async ({ services, actor }, options) => {
      const { tableServices, changes } = services;
      const change = await tableServices.prepareCreate(await inputOf(services, options));
      if (options.yes === true) {
        reportApplied(io, await changes.apply(change, actor));
        return;
      }
      const preview = await changes.preview(change, actor);
      io.stdout.write(describePreview(preview));
      for (const warning of preview.warnings) io.stderr.write(`Warning: ${warning}\n`);
      io.stdout.write('Nothing was written. Add --yes to apply it.\n');
    },
  )
    .requiredOption('--table <name>', 'table or view')
    .option('--adapter <name>', 'name of the database; not needed if there is only one')
    .option('--api <name>', 'API, existing or new')
    .option('--version <number>', 'version of the API')
    .option('--name <name>', 'name of the service')
    .option('--route <route>', 'route, such as /products[/:id]')
    .option('--identifier <columns>', 'columns that identify an entity (default: the primary key)')
    .option('--description <text>', 'purpose of the service')
    .option('--columns <names>', 'columns that clients see, separated by commas')
    .option('--read-only <names>', 'columns that clients cannot write')
    .option('--operations <names>', 'list, create, get, replace, patch, delete')
    .option('--filters <filters>', 'filters, such as price.gte,price.lte,name.starts')
    .option('--sort <names>', 'columns by which clients can sort')
    .option('--page-size <number>', 'entities per page')
    .option('--read-access <rule>', 'guest, authenticated, or names separated by commas')
    .option('--write-access <rule>', 'the same for writing (default: authenticated)')
    .option('--yes', 'apply the change; otherwise only the diff is printed');
}

/** @throws UsageError for a database that is not named, and invalid values */
async function inputOf(
  { databases, tableServices }: AdminServices,
  given: AddTableOptions,
): Promise<PartialTableService> {
  const { columns, readOnly, sort, filters, operations, identifier, table } = given;
  const adapter = given.adapter ?? onlyName((await databases.list()).map(({ name }) => name));
  const { columns: known } = await tableServices.proposalFor({ adapter, table });
  const names = known.map(({ name }) => name);
  return {
    adapter,
    table,
    api: given.api,
    version: given.version === undefined ? undefined : Number(given.version),
    name: given.name,
    route: given.route,
    description: given.description,
    pageSize: given.pageSize === undefined ? undefined : Number(given.pageSize),
    columns: list(columns, names),
    readOnly: list(readOnly, names),
    sort: list(sort, names),
    identifier: list(identifier, names),
    filters: filters === undefined ? undefined : filtersIn(filters, known),
    operations: list(operations),
    readAccess: ruleIn(given.readAccess),
    ...(given.writeAccess === undefined ? {} : { writeAccess: ruleIn(given.writeAccess) }),
  };
}

function onlyName(names: readonly string[]): string {
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  throw new UsageError(
    only === undefined
      ? 'No database is configured. Add one to platform-db.adapters, and the module "database".'
      : `Specify the database: --adapter ${names.join(' or --adapter ')}.`,
  );
}

/** @param names that may have commas */
function list(text: string | undefined, names: readonly string[] = []): readonly string[] | undefined {
  if (text === undefined) return undefined;
  return listItems(text, names, true).filter((one) => one !== '');
}

/** `price.gte,price.lte` → `{ price: ['gte', 'lte'] }` @throws UsageError */
function filtersIn(
  text: string,
  columns: TableProposal['columns'],
): Readonly<Record<string, readonly string[]>> {
  const names = columns.flatMap(({ name, operators }) => operators.map((operator) => `${name}.${operator}`));
  const filters = new Map<string, string[]>();
  for (const filter of list(text, names) ?? []) {
    const dot = filter.lastIndexOf('.');
    if (dot < 1)
      throw new UsageError(`--filters: "${filter}" must be a column and an operator, such as price.gte.`);
    const column = filter.slice(0, dot);
    filters.set(column, [...(filters.get(column) ?? []), filter.slice(dot + 1)]);
  }
  return Object.fromEntries(filters);
}

function ruleIn(text: string | undefined): PartialTableService['readAccess'] {
  if (text === undefined || text === 'guest' || text === 'authenticated') return text;
  return [...(list(text) ?? [])];
}

/** Formats the operations of a new service, and the difference of the configuration. */
function describePreview({ difference, documentation }: Preview): string {
  const operations = (documentation?.operations ?? []).map(
    ({ method, path, access }) => `${method} ${path} (${access})\n`,
  );
  const lines = difference.flatMap(({ path, before, after }) => [
    ...(before === undefined ? [] : [`- ${path} = ${before}\n`]),
    ...(after === undefined ? [] : [`+ ${path} = ${after}\n`]),
  ]);
  return [...operations, ...lines].join('');
}
