import { ContainerModule } from 'inversify';
import type { ConfigObject, Module } from '../../framework';
import type { HandlerContext } from '../hosting';
import { atlasApi } from './api';
import { distance, DISTANCE_HANDLER, type DistanceQuery } from './distance';
import { migrations } from './migrations';
import { ATLAS_DATABASE, type AtlasDatabase } from './tables';
import { VisitResource } from './visit-resource';

/** The sample API, over tables that it creates and fills itself. */
export default class AtlasModule implements Module {
  readonly name = 'atlas';
  readonly requires = ['hosting', 'database'];
  readonly defaults: ConfigObject = {
    'platform-db': { adapters: { atlas: { adapter: 'SqliteAdapter', options: {} } } },
  };
  readonly migrations = { atlas: migrations };
  readonly apis = [atlasApi];
  readonly services = new ContainerModule(({ bind }) => {
    bind(VisitResource).toResolvedValue(
      (database: AtlasDatabase) => new VisitResource(database),
      [ATLAS_DATABASE],
    );
    bind(DISTANCE_HANDLER).toResolvedValue(
      (database: AtlasDatabase) =>
        ({ query }: HandlerContext<DistanceQuery>) =>
          distance(database, query),
      [ATLAS_DATABASE],
    );
  });
}
