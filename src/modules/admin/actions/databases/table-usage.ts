import { memberAt, type Application } from '../../../../framework';
import { definitionsOf } from '../texts/declared-api';

/** A service over a table. */
export interface TableUse {
  readonly adapter: string;
  readonly table: string;
  readonly api: string;
  readonly version: number;
  readonly service: string;
}

/** Returns the services over tables of all APIs, in code and in configuration. */
export function tableUses(application: Application): readonly TableUse[] {
  return [...definitionsOf(application).values()].flatMap(({ name: api, versions }) =>
    Object.entries(versions).flatMap(([version, { services = {} }]) =>
      Object.entries(services).flatMap(([service, declared]): TableUse[] => {
        const adapter = memberAt(declared, ['adapter_name']);
        const table = memberAt(declared, ['table_name']);
        if (typeof adapter !== 'string' || typeof table !== 'string') return [];
        return [{ adapter, table, api, version: Number(version), service }];
      }),
    ),
  );
}
