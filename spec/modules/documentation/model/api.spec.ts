import { ApiContent } from '../../../../src/modules/documentation/content';
import { Api, type ApiJson } from '../../../../src/modules/documentation/model/api';
import { Service } from '../../../../src/modules/documentation/model/service';
import type { ServiceJson } from '../../../../src/modules/documentation/model/service-json';
import { apiData, atlas, atlasData, serviceData } from '../../../fixtures/documentation';

describe('Api', () => {
  it('has the accessors of the specification', () => {
    expect(atlas.getName()).toBe('Atlas');
    expect(atlas.getVersion()).toBe(2);
    expect(atlas.getServices().map((service) => service.getName())).toEqual(['Country', 'Visit', 'Distance']);
  });

  it('has versions, adapters, base URL and licence', () => {
    expect(atlas.getVersions()).toEqual([1, 2]);
    expect(atlas.getDefaultVersion()).toBe(2);
    expect(atlas.getBaseUrl()).toBe('');
    expect(atlas.getAdapters()).toEqual([{ name: 'visitors', realm: 'Atlas', schemes: ['digest'] }]);
    expect(atlas.getLicense()).toEqual(atlasData.license);
    expect(new Api(apiData()).getLicense()).toBeNull();
  });

  it('is serialized as name, version, description and services', () => {
    const json: unknown = JSON.parse(JSON.stringify(atlas));
    expect(Object.keys(atlas.toJSON())).toEqual(['name', 'version', 'description', 'services']);
    expect(json).toMatchObject({ name: 'Atlas', version: 2, services: [{ name: 'Country' }, {}, {}] });
  });

  it('is written with the JSON of its services, also that of a class of a module', () => {
    class Renamed extends Service {
      override toJSON(): ServiceJson {
        return { ...super.toJSON(), name: 'Renamed' };
      }
    }
    class Extended extends Api {
      override getServices(): readonly Service[] {
        return [new Renamed(serviceData(), this)];
      }
    }
    expect(JSON.stringify(new ApiContent(new Extended(apiData())))).toContain(
      '"services":[{"name":"Renamed"',
    );
  });

  it('is written with the JSON of its own class, if that of a module has one', () => {
    class Described extends Api {
      override toJSON(): ApiJson {
        return { ...super.toJSON(), description: 'Described.' };
      }
    }
    const content = new ApiContent(new Described(apiData()));
    expect(JSON.stringify(content)).toContain('"description":"Described."');
  });

  it('is listed with its name and integer versions', () => {
    expect(JSON.stringify(atlas.toListEntry())).toBe('{"name":"Atlas","versions":[1,2]}');
  });

  it('does not change with the data it was created from', () => {
    const versions = [1];
    const api = new Api(apiData({ versions }));
    versions.push(2);
    expect(api.getVersions()).toEqual([1]);
  });

  it('finds a service by its name', () => {
    expect(atlas.getService('Visit')?.getName()).toBe('Visit');
    expect(atlas.getService('visit')).toBeUndefined();
  });

  it('is the API of its services', () => {
    expect(atlas.getServices()[0]!.getApi()).toBe(atlas);
    expect(new Service(serviceData()).getApi()).toBeNull();
  });
});
