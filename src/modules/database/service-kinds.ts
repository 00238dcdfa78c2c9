import type { ServiceKind } from '../hosting';
import { procedureSettings } from './procedure/procedure-settings';
import type * as Procedures from './procedure/procedure-service';
import { tableSettings } from './service/declaration/table-settings';
import type * as Tables from './service/table-service';

// Loaded by the first service of a kind: with Kysely, that is a tenth of the code that a start loads.
const load = require;

const isObjectOrList = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The kind `table`: a service over a table or view, as a REST service like any other. */
export const tableKind: ServiceKind = {
  name: 'table',
  settings: tableSettings,
  // Code holds the hooks themselves.
  reducers: { hooks: (value) => (isObjectOrList(value) ? undefined : value) },
  define: (declared, context) =>
    (load('./service/table-service') as typeof Tables).defineTable(declared, context),
};

/** The kind `procedure`: a service over a statement or a function, as an RPC service like any other. */
export const procedureKind: ServiceKind = {
  name: 'procedure',
  settings: procedureSettings,
  // Schemas in code are more than JSON; the compiler of services checks them.
  reducers: { response: (value) => (isObjectOrList(value) ? undefined : value) },
  define: (declared, context) =>
    (load('./procedure/procedure-service') as typeof Procedures).defineProcedure(declared, context),
};
