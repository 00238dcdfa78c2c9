// Verifies that each tool reports a deliberate error, so that a tool that finds nothing is known to work.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { check } from './findings.mjs';
import { problemsOf } from './lint.mjs';
import { differencesOf } from './proxy.mjs';

const COUNTRY = '/v1/atlas/countries/{country_code}';

/** @param {object} document OpenAPI document of version 1 of Atlas */
export async function awake(origin, folder, document) {
  const file = path.join(folder, 'wrong.json');
  const wrong = JSON.parse(JSON.stringify(document));
  const { get } = wrong.paths[COUNTRY];
  wrong.paths = { [COUNTRY]: { get } };
  get.tags = ['Undeclared'];
  delete get.operationId;
  const { schema } = get.responses[200].content['application/json'];
  get.responses[200].content['application/json'].schema = { allOf: [schema], required: ['colour'] };
  writeFileSync(file, JSON.stringify(wrong));
  for (const { tool, problems } of await problemsOf([{ scope: 'wrong', file }])) {
    const missed = problems.some((one) => one.startsWith('operation-operationId'));
    check(
      `${tool} reports an operation without an operationId`,
      missed ? [] : problems.concat('It did not.'),
    );
  }
  const [{ found }] = await differencesOf(origin, wrong, file);
  check(
    'Prism reports a missing member of a response',
    found.some((one) => one.includes('colour')) ? [] : found.concat('It did not.'),
  );
}
