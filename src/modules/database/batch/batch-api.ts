import type { Application } from '../../../framework';
import { defineApi, defineProcedure, defineRpcService, type ApiDefinition } from '../../hosting';
import { batchRequest, batchResponse } from './batch-schemas';
import { executeBatch } from './execute-batch';

/** The API of atomic batches: `POST /platform/batch`. */
export function batchApi(application: () => Application): ApiDefinition {
  return defineApi({
    name: 'Batch',
    description: 'Several changes of one database, all or none.',
    base_path: '/platform',
    versions: {
      1: {
        services: {
          Batch: defineRpcService({
            description: 'Executes operations in one transaction.',
            exact_numbers: true,
            route: '/batch',
            methods: {
              POST: defineProcedure({
                summary: 'Execute operations in one transaction',
                description:
                  'Each operation is validated and authorized as if it were sent alone. If one fails, none takes effect. A string such as `"{{0.id}}"` in a path, a header or a body is replaced by that member of an earlier result.',
                fields: batchRequest,
                response: batchResponse,
                status_codes: [
                  {
                    code: 422,
                    message: 'An operation cannot be part of a batch, or has a reference to no result.',
                  },
                ],
                handler: (context) => executeBatch(application(), context.body.operations, context),
              }),
            },
          }),
        },
      },
    },
  });
}
