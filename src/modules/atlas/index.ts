import { ContainerModule } from 'inversify';
import { SharedState, type Module } from '../../framework';
import { atlasApi } from './api';
import { Countries } from './countries';
import { FlatCountryResource, NestedCountryResource } from './country-resource';
import { VisitResource } from './visit-resource';
import { Visits } from './visits';

/** The sample API. */
export default class AtlasModule implements Module {
  readonly name = 'atlas';
  readonly requires = ['hosting'];
  readonly #countries = new Countries();
  readonly apis = [atlasApi(this.#countries)];
  readonly services = new ContainerModule(({ bind }) => {
    bind(Countries).toConstantValue(this.#countries);
    bind(FlatCountryResource).toResolvedValue(
      (countries: Countries) => new FlatCountryResource(countries),
      [Countries],
    );
    bind(NestedCountryResource).toResolvedValue(
      (countries: Countries) => new NestedCountryResource(countries),
      [Countries],
    );
    bind(VisitResource).toResolvedValue(
      (countries: Countries, sharedState: SharedState) =>
        new VisitResource(
          countries,
          sharedState.getOrCreate(Visits, () => new Visits()),
        ),
      [Countries, SharedState],
    );
  });
}
