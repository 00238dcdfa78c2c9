import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { Api } from '../../../../src/modules/documentation/model/api';
import type { ApiData, OperationData } from '../../../../src/modules/documentation/model/data';
import { docCurl } from '../../../../src/modules/documentation/samples/samples';
import { apiData, atlas, operationData, serviceData } from '../../../fixtures/documentation';

/** Returns the curl command of the only operation of an API. */
function lineOf(operation: Partial<OperationData>, api: Partial<ApiData> = {}): string {
  const services = [serviceData({ operations: [operationData(operation)] })];
  const service = new Api(apiData({ ...api, services })).getServices()[0]!;
  return docCurl(service, service.getOperations()[0]!);
}

/** Returns the arguments that a shell passes to curl. */
function argumentsOf(line: string): readonly string[] {
  const script = line.replace(/^curl /, `printf '%s\\0' `);
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('docCurl', () => {
  it('includes the examples of path and query', () => {
    const country = atlas.getService('Country')!;
    expect(docCurl(country, country.getEntityOperations()[0]!)).toBe(
      "curl http://localhost:8080/v2/atlas/countries/CHE \\\n  -H 'Accept: application/json'",
    );
    expect(docCurl(country, country.getOperations()[0]!, 'https://api.example.org')).toContain(
      'curl -G https://api.example.org/v2/atlas/countries \\\n  -d region=Europe \\\n',
    );
  });

  it('sends body and credentials, with a prompt for the password', () => {
    const visit = atlas.getService('Visit')!;
    expect(argumentsOf(docCurl(visit, visit.getOperations()[1]!))).toEqual([
      '-X',
      'POST',
      'http://localhost:8080/v2/atlas/visits',
      '--digest',
      '-u',
      'USER',
      '-H',
      'Accept: application/json',
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify({ country_code: 'CHE', date: '2026-07-14', rating: 5, companions: [] }, null, 2),
    ]);
  });

  it('has no credentials if guests are allowed', () => {
    const adapters = [{ name: 'a', realm: 'r', schemes: ['basic'] as const }];
    expect(lineOf({ adapters: ['a'] }, { adapters })).not.toContain('-u');
    expect(lineOf({ adapters: ['a'], requiresAuthorization: true }, { adapters })).toContain('\n  -u USER');
    expect(lineOf({ requiresAuthorization: true }, { adapters })).not.toContain('-u');
  });

  it('keeps the query in the URL if there is a body', () => {
    const queryParameters = [
      { name: 'dry run', in: 'query', description: '', required: true, schema: {}, example: true } as const,
    ];
    expect(lineOf({ httpMethod: 'DELETE', queryParameters })).toContain(
      "curl -X DELETE 'http://localhost:8080/v1/things?dry%20run=true'",
    );
  });

  it('uses capitals for values without an example, so that curl expands nothing', () => {
    const service = new Api(
      apiData({ services: [serviceData({ entityOperations: [operationData({ entity: true })] })] }),
    ).getServices()[0]!;
    expect(docCurl(service, service.getEntityOperations()[0]!)).toContain('/v1/things/THING_ID');
  });

  it('reads only headers for HEAD, and includes the base URL', () => {
    expect(lineOf({ httpMethod: 'HEAD' }, { baseUrl: '/api' })).toContain(
      '--head http://localhost:8080/api/v1/things',
    );
  });

  it('is quoted correctly for any example', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        (text) => {
          const line = lineOf({
            httpMethod: 'POST',
            contentTypes: ['application/json'],
            requestSchema: {},
            requestExample: { text },
          });
          expect(JSON.parse(argumentsOf(line).at(-1)!)).toEqual({ text });
        },
      ),
      { numRuns: 30 },
    );
  });
});
