import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { defineProcedure, defineRpcService, type ServiceDefinition } from '../../../hosting';
import type { AdminServices } from '../../services';

/** What a view shows. */
interface View<Query extends TObject> {
  readonly description: string;
  readonly route: string;
  /** The description of its GET. */
  readonly shows: string;
  readonly query?: Query;
  readonly response?: TSchema;
  readonly get: (admin: AdminServices, query: Static<Query>) => unknown;
}

/**
 * Defines a service that shows a part of the platform to administrators.
 * @param admin returns the actions; called on each request
 */
export function viewService<Query extends TObject>(
  admin: () => AdminServices,
  { description, route, shows, query, response, get }: View<Query>,
): ServiceDefinition {
  return defineRpcService({
    description,
    route,
    methods: {
      GET: defineProcedure({
        description: shows,
        ...(query === undefined ? {} : { query }),
        ...(response === undefined ? {} : { response }),
        handler: (context) => get(admin(), context.query),
      }),
    },
  });
}
