import { ConfigurationError, parametersOf, parsePattern, titleOf } from '../../../framework';
import type { RpcServiceDefinition, ServiceKind, StatusDefinition } from '../../hosting';
import { Databases } from '../adapters/databases';
import { procedureHandler, unavailableHandler } from './procedure-handler';
import type { ProcedureServiceDefinition } from './procedure-definition';
import { inputOf, responseOf } from './procedure-schemas';
import { procedureSettings } from './procedure-settings';
import { withStatuses } from '../service/declaration/documented-statuses';
import { mismatch } from '../service/problems/database-problems';
import { LastResolved } from '../service/last-resolved';
import { disabledWarning, withPendingMigrations } from '../service/resolve-or-disable';
import { resolveProcedure, type Procedure } from './resolve-procedure';

/** Builds the RPC service over a statement or a function. @throws ConfigurationError for a wrong declaration */
export const defineProcedure: ServiceKind['define'] = async (declared, { application, reference, where }) => {
  const definition = assertProcedure(declared, where);
  const databases = await Databases.of(application);
  const adapter = await databases.adapter(definition.adapter_name, where);
  // Reads the tables, reports a database that cannot be reached, and creates the file of an embedded one.
  const known = await databases.model(definition.adapter_name, where);
  const isKnown = known !== undefined;
  const last = application.sharedState.getOrCreate(LastResolved, () => new LastResolved()).procedures;
  const key = `${databases.serviceKey(definition.adapter_name, reference)} ${JSON.stringify(declared)}`;
  let procedure: Procedure | undefined;
  try {
    // What a pending migration creates cannot be described.
    procedure = isKnown && !known.isPending ? await resolveProcedure(definition, adapter, where) : undefined;
  } catch (error) {
    const isChanged =
      last.has(key) ||
      known?.model.formerTables !== undefined ||
      known?.drift.some(({ severity }) => severity === 'breaking') === true;
    if (!(error instanceof ConfigurationError)) throw error;
    if (!isChanged) throw await withPendingMigrations(error, databases, definition.adapter_name, where);
    application.warnings.push(disabledWarning(error, definition.adapter_name));
    return rpcService(definition, last.get(key), () => {
      throw mismatch(reference.service);
    });
  }
  if (procedure === undefined) {
    // With a snapshot, nothing else builds the services again; and the tables of the statement may be locked.
    if (isKnown && !known.isPending) {
      if (adapter.isAvailable !== false)
        application.warnings.push(
          `${where} could not be described, because the database "${definition.adapter_name}" did not respond in time. It responds with 503 until it can.`,
        );
      databases.repeatedUses.add(definition.adapter_name, async () => {
        return (await resolveProcedure(definition, adapter, where)) !== undefined;
      });
    }
    return rpcService(definition, undefined, unavailableHandler);
  }
  last.set(key, procedure);
  const handler = procedureHandler(definition, procedure, { adapter, service: reference.service });
  return rpcService(definition, procedure, handler);
};

/** @throws ConfigurationError for a missing key */
function assertProcedure(
  declared: Readonly<Record<string, unknown>>,
  where: string,
): ProcedureServiceDefinition {
  for (const key of ['adapter_name', 'route']) {
    if (declared[key] === undefined || declared[key] === null)
      throw new ConfigurationError(`${where} is of the kind "procedure" and has no ${key}.`);
  }
  if ((declared.sql === undefined) === (declared.function_name === undefined)) {
    throw new ConfigurationError(
      `${where} is of the kind "procedure", which has either "sql" or "function_name".`,
    );
  }
  // The schema of the kind has validated the types of the keys.
  return declared as unknown as ProcedureServiceDefinition;
}

const NO_ROW: StatusDefinition = { code: 404, message: 'No row matches the parameters' };
/** Operations with a body have it in any case. */
const REFUSED: StatusDefinition = { code: 422, message: titleOf(422) };

/** Keys that only the kind knows. */
const OWN_KEYS: readonly string[] = ['kind', 'parameters', ...Object.keys(procedureSettings)];

function rpcService(
  definition: ProcedureServiceDefinition,
  procedure: Procedure | undefined,
  handler: RpcServiceDefinition['methods'][string]['handler'],
): RpcServiceDefinition {
  const common = Object.fromEntries(Object.entries(definition).filter(([key]) => !OWN_KEYS.includes(key)));
  const { read_only: isReadOnly = true, parameters = {}, summary, route } = definition;
  const schemas = procedure?.schemas ?? parameters;
  const inRoute = parametersOf(parsePattern(route).parts);
  const input = inputOf(schemas, inRoute);
  const response = responseOf(definition, procedure);
  const operation = {
    ...(summary === undefined ? {} : { summary }),
    ...(input === undefined ? {} : { [isReadOnly ? 'query' : 'fields']: input }),
    ...(response === undefined ? { status: 204 } : { response }),
    status_codes: [
      ...((procedure?.result ?? definition.result) === 'row' ? [NO_ROW] : []),
      ...(isReadOnly || input !== undefined ? [] : [REFUSED]),
    ],
    handler,
  };
  return {
    exact_numbers: true,
    ...common,
    kind: 'rpc',
    route,
    parameters: Object.fromEntries(Object.entries(schemas).filter(([name]) => inRoute.includes(name))),
    methods: withStatuses({ [isReadOnly ? 'GET' : 'POST']: operation }, 'collection', undefined),
  };
}
