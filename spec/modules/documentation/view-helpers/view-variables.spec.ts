import type { BootstrapEvent, Module } from '../../../../src/platform';
import { startTestPlatform, sampleAuthentication, type TestPlatform } from '../../../factories/platform';

/** A custom view script that calls all accessors of the specification (2.1 to 2.5). */
const SHOW = `{% macro operations(list, service) -%}
{% for operation in list -%}
operation {{ operation.getHttpMethod() }} {{ docServicePath(service, operation) }}
  {{ operation.getDescription() }}|{{ operation.getRequestDescription() }}|{{ operation.getResponseDescription() }}
  {{ docStatusCodes(operation) | replace("\\n", "") }}
{% endfor %}
{%- endmacro %}
{%- macro show(service) -%}
service {{ service.getName() }}: {{ service.getDescription() }}
route {{ service.getRoute() }} by {{ service.getRouteIdentifierName() }}
accept {{ service.getRequestAcceptTypes() | join(" ") }} = {{ docAcceptHeaders(service) | replace("\\n", "") }}
content type {{ service.getRequestContentTypes() | join(" ") }} = {{ docContentTypeHeaders(service) | replace("\\n", "") }}
statuses {% for status in service.getResponseStatusCodes() %}{{ status.code }} {{ status.message }};{% endfor %}
{% for field in service.getFields() -%}
field {{ field.getName() }}{{ "!" if field.isRequired() else "?" }} {{ field.getDescription() }}
{% endfor %}
{{- operations(service.getOperations(), service) }}
{{- operations(service.getEntityOperations(), service) }}
{%- endmacro -%}
type {{ type }}
{% if type == "apiList" %}{% for api in apis %}{{ api.name }} {{ api.versions | join(",") }}{% endfor %}
{% elif type == "api" %}{{ documentation.getName() }} {{ documentation.getVersion() }}
{% for service in documentation.getServices() %}{{ show(service) }}{% endfor %}
{% else %}{{ show(documentation) }}{% endif %}`;

const project = {
  files: { 'templates/show.njk': SHOW },
  local: {
    ...sampleAuthentication,
    view_manager: { template_map: { 'platform-documentation/show': 'templates/show.njk' } },
  },
};

describe('the view script', () => {
  const variables: unknown[] = [];
  const spy: Module = {
    name: 'spy',
    onBootstrap: ({ application }: BootstrapEvent) => {
      application.view.events.attach(
        'renderer',
        ({ model }) => variables.push(model.variables) && undefined,
        300,
      );
    },
  };
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ ...project, extra: [spy] })));
  afterAll(() => platform.stop());
  beforeEach(() => (variables.length = 0));

  const show = async (below: string): Promise<string> => {
    const answer = await platform.request(`/platform/documentation${below}?format=html`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    return answer.text();
  };

  it.each([
    ['', 'apiList', ['type', 'apis']],
    ['/Atlas', 'api', ['type', 'documentation']],
    ['/Atlas/Country', 'service', ['type', 'documentation']],
  ])('for the scope "%s" gets the type %s and exactly its variables', async (below, type, names) => {
    await show(below);
    expect(variables).toEqual([expect.objectContaining({ type })]);
    expect(Object.keys(variables[0]!).sort()).toEqual([...names].sort());
  });

  it('mapped by an operator shows the list of APIs', async () => {
    expect(await show('')).toBe('type apiList\nAtlas 1,2\n');
  });

  it('mapped by an operator can read a service by its accessors', async () => {
    const text = await show('/Atlas-v1/Visit');
    for (const line of [
      'type service',
      'service Visit: The visits of the user. Users can only see and change their own visits.',
      'route /atlas/visits[/:visit_id] by visit_id',
      'accept application/json application/vnd.atlas.v1+json = <li class="list-group-item">application/json</li><li class="list-group-item">application/vnd.atlas.v1+json</li>',
      'content type application/json application/vnd.atlas.v1+json application/merge-patch+json = <li class="list-group-item">application/json</li>',
      'statuses 200 OK;201 Created;204 No Content;304 Not Modified;400 Bad Request;401 Unauthorized;404 Not Found;406 Not Acceptable;409 Conflict with another entity, or with a change at the same time;412 Precondition Failed;413 Content Too Large;415 Unsupported Media Type;422 Unprocessable Content;429 Too Many Requests;503 Service Unavailable;507 Insufficient Storage;',
      'field visit_id? Assigned by the server.',
      'operation GET /v1/atlas/visits\n  Lists your visits in the order in which they were added.||A page of your visits.',
      'operation POST /v1/atlas/visits\n  Adds a visit.|The visit. Only the country is required.|The new visit with its identifier.',
      'operation DELETE /v1/atlas/visits/:visit_id',
      '<ul class="list-group"><li class="list-group-item">204 No Content</li>',
    ])
      expect(text).toContain(line);
  });

  it('mapped by an operator can iterate over services repeatedly', async () => {
    const once = await show('/Atlas');
    expect(once).toContain('type api\nAtlas 2\nservice Country');
    expect(once.match(/^service /gm)).toHaveLength(3);
    expect(once.match(/^operation /gm)).toHaveLength(10);
    expect(await show('/Atlas')).toBe(once);
  });

  it.each(['/Atlas-v2', '/Atlas-v2/Country'])(
    'mapped by an operator is not used for the comparison of %s, which has its own template',
    async (below) => {
      const answer = await platform.request(`/platform/documentation${below}?compare=1&format=html`);
      expect(answer.status).toBe(200);
      const page = await answer.text();
      expect(page).toContain('to version 2:');
      expect(page).toContain('href="?compare=1&amp;format=markdown"');
      expect(Object.keys(variables[0]!)).not.toContain('type');
    },
  );

  it('of comparisons can be mapped separately', async () => {
    const files = { 'compared.njk': '{{ documentation.getName() }} {{ base }} {{ changes.length > 0 }}' };
    const template_map = { 'platform-documentation/comparison': 'compared.njk' };
    const own = await startTestPlatform({ files, local: { view_manager: { template_map } } });
    const answer = await own.request('/platform/documentation/Atlas-v2?compare=1&format=html');
    const text = await answer.text();
    await own.stop();
    expect(text).toBe('Atlas 1 true');
  });
});

describe('JSON', () => {
  it('has every accessor of the specification as a member', async () => {
    const platform = await startTestPlatform({ local: sampleAuthentication });
    const answer = await platform.request('/platform/documentation/Atlas-v1/Visit?format=json');
    const service: unknown = await answer.json();
    await platform.stop();
    expect(service).toMatchObject({
      name: 'Visit',
      description: expect.any(String) as unknown,
      route: '/atlas/visits[/:visit_id]',
      route_identifier_name: 'visit_id',
      request_accept_types: ['application/json', 'application/vnd.atlas.v1+json'],
      request_content_types: [
        'application/json',
        'application/vnd.atlas.v1+json',
        'application/merge-patch+json',
      ],
      response_status_codes: expect.arrayContaining([
        { code: 409, message: 'Conflict with another entity, or with a change at the same time' },
      ]) as unknown,
      fields: expect.arrayContaining([
        expect.objectContaining({
          name: 'country_code',
          required: true,
          description: expect.any(String) as unknown,
        }),
      ]) as unknown,
      entity_operations: expect.arrayContaining([
        expect.objectContaining({
          http_method: 'PATCH',
          description: 'Changes one of your visits.',
          request_description: 'The members to change.',
          response_description: 'The updated visit.',
          requires_authorization: true,
        }),
      ]) as unknown,
    });
  });
});
