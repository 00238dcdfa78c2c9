import { defineApi, Type, type ConfigObject, type Module } from '../../../../src/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { PolicyModule } from '../../../fixtures/policy-module';

const refusal = (local: ConfigObject): Promise<string> =>
  startRefusal({ modules: HOSTING, extra: [new PolicyModule()], local });
const rules = (Doors: ConfigObject): ConfigObject => ({ 'platform-mvc-auth': { authorization: { Doors } } });
const declared = (authorization: ConfigObject): ConfigObject => ({
  'platform-hosting': {
    apis: { Doors: { versions: { 1: { services: { Note: { entity: { GET: { authorization } } } } } } } },
  },
});

describe('the platform does not start', () => {
  it('with a rule whose policy is not bound, and names its location and the available services', async () => {
    const message = await refusal(rules({ Note: { entity: { GET: { policy: 'owner-onyl' } } } }));
    expect(message).toMatch(/^config\/autoload\/local\.json:\d+/);
    expect(message).toContain('platform-mvc-auth.authorization.Doors.Note.entity.GET');
    expect(message).toContain(
      'no module binds an authorization policy named "owner-onyl". Did you mean "owner-only"?',
    );
    const [, available] = /Available: ([^.]*)\./.exec(message) ?? [];
    expect(available).toMatch(/by-header, .*owner-only/);
    expect(available).not.toContain('HttpAdapter');
    expect(message).not.toContain('JsonModel');
  });

  it('with an operation whose policy is not bound', async () => {
    const message = await refusal(declared({ policy: 'owner-onyl' }));
    expect(message).toContain(
      'Doors-v1/Note entity GET: authorization: no module binds an authorization policy named "owner-onyl".',
    );
  });

  it('with a policy whose description is not a string', async () => {
    const message = await refusal(rules({ Window: { GET: { policy: 'numbered' } } }));
    expect(message).toContain('the service "numbered" is not an authorization policy');
  });

  const AT = 'apis.Written.versions.1.services.Note.entity.GET.authorization';
  const HINT = 'Write "guest", "authenticated", a list of user names, or { "policy": "name" }.';
  it.each([
    [['amy', { policy: 'by-header' }], `${AT}[1]: is {"policy":"by-header"}; it must be of type string.`],
    [['amy', ''], `${AT}[1]: is ""; `],
    [[undefined, 'amy'], `${AT}[0]: is undefined; it must be of type string.`],
    [{ policy: 5 }, `${AT}.policy: is 5; it must be of type string.`],
    [{ policy: '' }, `${AT}.policy: is ""; `],
    [{ policy: 'by-header', groups: ['x'] }, HINT],
    ['everyone', `${AT}: is "everyone"; allowed: "guest" or "authenticated" or array or object. ${HINT}`],
    [true, `${AT}: is true; allowed: `],
    [() => true, `${AT}: is a function; allowed: `],
  ])('with the rule %j in plain JavaScript', async (authorization, message) => {
    const written: Module = {
      name: 'written',
      requires: ['hosting'],
      apis: [
        defineApi({
          name: 'Written',
          versions: {
            1: {
              services: {
                Note: {
                  route: '/written[/:id]',
                  route_identifier_name: 'id',
                  fields: Type.Object({ id: Type.String() }),
                  entity: { GET: { authorization: authorization as never } },
                  resource: { fetch: () => ({ id: '1' }) },
                },
              },
            },
          },
        }),
      ],
    };
    const refused = await startRefusal({ modules: HOSTING, extra: [new PolicyModule(), written] });
    expect(refused).toContain(message);
  });

  it.each([
    ['API', { authorization: 'everyone' }, {}, 'apis.Written.authorization: is "everyone"'],
    ['service', {}, { authorization: 'everyone' }, 'services.Note.authorization: is "everyone"'],
  ])('with an invalid rule for a whole %s', async (_whole, api, service, message) => {
    const Note = {
      route: '/written[/:id]',
      route_identifier_name: 'id',
      fields: Type.Object({ id: Type.String() }),
      entity: { GET: {} },
      resource: { fetch: () => ({ id: '1' }) },
      ...service,
    };
    const apis = [{ name: 'Written', versions: { 1: { services: { Note } } }, ...api }] as never;
    const written: Module = { name: 'written', requires: ['hosting'], apis };
    const refused = await startRefusal({ modules: HOSTING, extra: [new PolicyModule(), written] });
    expect(refused).toContain(message);
  });

  it('with a policy of the wrong type', async () => {
    const message = await refusal(rules({ Window: { GET: { policy: 'open-days' } } }));
    expect(message).toContain('the service "open-days" is not an authorization policy');
    expect(message).toContain('a method permits()');
  });

  it.each([
    ['an unknown key next to the name', { policy: 'by-header', groups: ['x'] }, HINT],
    ['an empty name', { policy: '' }, 'Window.GET.policy: is ""'],
    ['a name that is not a string', { policy: 7 }, 'Window.GET.policy: is 7; it must be of type string.'],
    ['no name', {}, HINT],
  ])('with a rule that has %s', async (_what, rule, message) => {
    expect(await refusal(rules({ Window: { GET: rule } }))).toContain(message);
  });

  it('with a policy in place of methods', async () => {
    const message = await refusal(rules({ Note: { collection: { policy: 'by-header' } } }));
    expect(message).toContain('Doors.Note.collection.policy does not exist.');
  });

  it('with a policy for the documentation, which is not an operation', async () => {
    const message = await refusal({
      'platform-mvc-auth': { authorization: { '@documentation': { policy: 'by-header' } } },
    });
    expect(message).toContain('authorization.@documentation');
    expect(message).toContain('Write "guest", "authenticated", or a list of user names.');
  });
});
