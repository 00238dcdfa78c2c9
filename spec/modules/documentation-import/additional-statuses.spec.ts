import { importOpenapi } from '../../../src/modules/documentation-import';
import { startTestPlatform } from '../../factories/platform';
import { HOSTING } from '../../factories/processes/start-refusal';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const found = { type: 'object', properties: { found: { type: 'string' } } };
const queued = { type: 'object', properties: { queued: { type: 'integer' } } };

const documentOf = (responses: object): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Jobs', version: '1' },
    paths: { '/jobs': { post: { responses } } },
    components: { schemas: { Queued: queued } },
  });

describe('additional success statuses of an imported operation', () => {
  it('keep their schemas, also when they are exported again', async () => {
    const text = documentOf({
      200: { description: 'Found.', ...json(found) },
      202: { description: 'Queued.', ...json({ $ref: '#/components/schemas/Queued' }) },
    });
    const { api, warnings } = importOpenapi({ text, name: 'jobs.json' }, 1);
    expect(warnings.filter((loss) => loss.includes('responses'))).toEqual([]);
    const platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      local: { 'platform-hosting': { apis: { Jobs: api } } },
    });
    const answer = await platform.request('/platform/documentation/Jobs?format=apidesc');
    const { paths, components } = (await answer.json()) as {
      paths: Record<string, { post: { responses: Record<string, object> } }>;
      components: { schemas: Record<string, object> };
    };
    await platform.stop();
    const { responses } = paths['/v1/jobs']!.post;
    expect(responses[202]).toMatchObject({
      description: 'Queued.',
      ...json({ $ref: '#/components/schemas/Queued' }),
    });
    expect(responses[200]).toMatchObject({ description: 'Found.' });
    expect(JSON.stringify(responses[200])).not.toContain('Queued');
    expect(components.schemas.Queued).toEqual(queued);
  });

  it.each([
    ['204', { 204: json(queued) }, 'application/json', '204'],
    ['another media type', { 202: { content: { 'text/plain': {} } } }, 'text/plain', '202'],
  ])('report the schema of %s', (_, others, type, status) => {
    const text = documentOf({ 200: json(found), ...others });
    expect(importOpenapi({ text, name: 'jobs.json' }, 1).warnings).toContain(
      `response of type ${type}: #/paths/~1jobs/post/responses/${status}`,
    );
  });

  it('report their schemas if the usual response is not JSON', () => {
    const text = documentOf({ 200: { content: { 'application/pdf': {} } }, 202: json(queued) });
    expect(importOpenapi({ text, name: 'jobs.json' }, 1).warnings).toContain(
      'response of type application/json: #/paths/~1jobs/post/responses/202',
    );
  });
});
