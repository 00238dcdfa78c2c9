import { setTimeout as pause } from 'node:timers/promises';
import {
  ContainerModule,
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Type,
  type BodyValidator,
  type ConfigObject,
  type FieldError,
  type Module,
} from '../../../../src/platform';
import { ResponseChecks } from '../../../../src/modules/hosting';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const fields = Type.Object({
  name: Type.String({ minLength: 1 }),
  from: Type.Optional(Type.Integer({ default: 1 })),
  to: Type.Optional(Type.Integer()),
  seat: Type.Optional(Type.Object({ row: Type.Optional(Type.Integer()) })),
});
type Booking = typeof fields.static;

const inOrder: BodyValidator<Booking> = ({ from = 0, to = Infinity }) =>
  from <= to ? undefined : [{ pointer: '/to', keyword: 'order', message: 'must not be before "from"' }];

/** Asynchronous name lookup. */
class Names {
  readonly taken = new Set(['ada']);
  async check({ name }: Partial<Booking>): Promise<FieldError[]> {
    await pause(5);
    return name !== undefined && this.taken.has(name) ? [{ pointer: '/name', message: 'is taken' }] : [];
  }
}

const stored: unknown[] = [];
const keep = (data: unknown) => {
  stored.push(data);
  return data as Booking;
};

const Booking = (unknown_members?: 'refuse' | 'drop', route = '/bookings') =>
  defineRestService({
    route: `${route}[/:name]`,
    route_identifier_name: 'name',
    fields,
    ...(unknown_members === undefined ? {} : { unknown_members }),
    validators: ['nameIsFree'],
    collection: { POST: { validators: [inOrder] }, PUT: { validators: [inOrder] } },
    entity: { PATCH: {} },
    resource: {
      create: keep,
      replaceList: (list) => list.map(keep),
      patch: (_, data) => keep(data),
    },
  });

const Answer = defineRpcService({
  route: '/answer',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ like: Type.String() }),
      response: Type.Object({ list: Type.Array(Type.Object({ n: Type.Integer() })), at: Type.String() }),
      handler: ({ query }) => ({
        list: Array.from({ length: 3 }, () => ({ n: query.like === 'wrong' ? ('x' as never) : 1 })),
        // Serialized as text.
        at: (query.like === 'missing' ? undefined : new Date(0)) as never,
      }),
    }),
  },
});

const agency: Module = {
  name: 'agency',
  requires: ['hosting'],
  services: new ContainerModule(({ bind }) => {
    const names = new Names();
    bind('nameIsFree').toConstantValue((body: Partial<Booking>) => names.check(body));
  }),
  apis: [
    defineApi({
      name: 'Agency',
      versions: {
        1: {
          services: {
            Booking: Booking(),
            Strict: Booking('refuse', '/strict'),
            Lenient: Booking('drop', '/lenient'),
            Answer,
          },
        },
      },
    }),
  ],
};

const started = (local: ConfigObject = {}): Promise<TestPlatform> =>
  startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
    extra: [agency],
    local,
  });

describe('the validators of a service', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await started()));
  afterAll(() => platform.stop());
  beforeEach(() => stored.splice(0));
  const send = (to: string, body: unknown, method = 'POST') => platform.request(to, sendJson(body, method));
  const errorsOf = async (answer: Response) => {
    expect(answer.status).toBe(422);
    return (await bodyOf(answer)).errors;
  };

  it('report their errors together, those of the service and those of the operation', async () => {
    expect(await errorsOf(await send('/bookings', { name: 'ada', from: 3, to: 2 }))).toEqual([
      { pointer: '/name', keyword: 'custom', message: 'is taken' },
      { pointer: '/to', keyword: 'order', message: 'must not be before "from"' },
    ]);
    expect(stored).toEqual([]);
  });

  it('receive the body with its defaults, and only after it matches the schema', async () => {
    expect(await errorsOf(await send('/bookings', { name: 'x', to: 0 }))).toEqual([
      expect.objectContaining({ pointer: '/to' }),
    ]);
    expect(await errorsOf(await send('/bookings', { name: '', to: 0 }))).toEqual([
      expect.objectContaining({ pointer: '/name', keyword: 'minLength' }),
    ]);
  });

  it('receive the result of a patch', async () => {
    expect(await errorsOf(await send('/bookings/x', { name: 'ada' }, 'PATCH'))).toEqual([
      expect.objectContaining({ pointer: '/name' }),
    ]);
    expect((await send('/bookings/ada', { to: null }, 'PATCH')).status).toBe(200);
  });

  it('receive each item of a list, and report errors with its index', async () => {
    const list = [{ name: 'x' }, { name: 'ada', to: 0 }, { name: 'ada' }];
    expect(await errorsOf(await send('/bookings', list, 'PUT'))).toEqual([
      { pointer: '/1/name', keyword: 'custom', message: 'is taken' },
      { pointer: '/1/to', keyword: 'order', message: 'must not be before "from"' },
      { pointer: '/2/name', keyword: 'custom', message: 'is taken' },
    ]);
  });

  it('must exist', async () => {
    const local = {
      'platform-hosting': {
        apis: { Agency: { versions: { 1: { services: { Booking: { validators: ['gone'] } } } } } },
      },
    };
    expect(await startRefusal({ modules: HOSTING, extra: [agency], local })).toMatch(
      /^Agency-v1\/Booking collection POST: validators: no module binds a function named "gone"/,
    );
  });
});

describe('undeclared members', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await started()));
  afterAll(() => platform.stop());
  beforeEach(() => stored.splice(0));
  const body = { name: 'x', colour: 'red', seat: { row: 1, aisle: true } };
  const post = (to: string) => platform.request(to, sendJson(body));

  it('reach the resource unless the schema or the service forbids them', async () => {
    expect((await post('/bookings')).status).toBe(201);
    expect(stored).toEqual([{ ...body, from: 1 }]);
  });

  it('are rejected when the service rejects them, nested ones too', async () => {
    const answer = await post('/strict');
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ pointer: '/colour' }),
        expect.objectContaining({ pointer: '/seat/aisle' }),
      ]),
    );
  });

  it('that no part of a schema declares are rejected or removed', async () => {
    const text = Type.String();
    const known = { kind: text };
    const shapes = {
      conditional: {
        properties: known,
        if: { properties: { kind: { const: 'a' } } },
        then: { properties: { x: text } },
      },
      dependent: { properties: known, dependentSchemas: { kind: { properties: { x: text } } } },
      referring: { $ref: '#/$defs/Known', properties: { x: text }, $defs: { Known: { properties: known } } },
    };
    const services = Object.entries(shapes).flatMap(([name, schema]) =>
      (['refuse', 'drop'] as const).map((unknown_members) => {
        const fields = { type: 'object', ...schema } as never;
        const POST = defineProcedure({ fields, handler: ({ body: sent }) => sent });
        const route = `/${name}-${unknown_members}`;
        return [route.slice(1), defineRpcService({ route, unknown_members, methods: { POST } })] as const;
      }),
    );
    const apis = [defineApi({ name: 'Shapes', versions: { 1: { services: Object.fromEntries(services) } } })];
    const shaped = await startTestPlatform({
      modules: HOSTING,
      extra: [{ name: 'shapes', requires: ['hosting'], apis }],
    });
    try {
      for (const [name] of services) {
        const sent = await shaped.request(`/${name}`, sendJson({ kind: 'a', x: 'b', colour: 'red' }));
        const answer = await bodyOf(sent);
        if (name.endsWith('drop')) expect([name, answer]).toEqual([name, { kind: 'a', x: 'b' }]);
        else expect(answer.errors).toMatchObject([{ pointer: '/colour', message: 'unknown member' }]);
      }
    } finally {
      await shaped.stop();
    }
  });

  it('are removed when the service removes them, nested, in lists and in patches too', async () => {
    expect((await post('/lenient')).status).toBe(201);
    expect(stored).toEqual([{ name: 'x', from: 1, seat: { row: 1 } }]);
    await platform.request('/lenient', sendJson([body], 'PUT'));
    expect(stored[1]).toEqual(stored[0]);
    await platform.request('/lenient/x', sendJson({ to: 2, colour: 'red' }, 'PATCH'));
    expect(stored[2]).toEqual({ to: 2 });
  });
});

describe('responses that do not match their schema', () => {
  const ask = async (platform: TestPlatform, like: string) => {
    const answer = await platform.request(`/answer?like=${like}`);
    expect(answer.status).toBe(200);
    return platform.log.lines.map(({ message }) => message);
  };
  const hosting = (mode: string): ConfigObject => ({ 'platform-hosting': { check_responses: mode } });

  it('are reported once for each location and kind, and still sent', async () => {
    const platform = await started(hosting('report'));
    try {
      expect(await ask(platform, 'right')).toEqual([]);
      await ask(platform, 'wrong');
      const expected = [
        'Agency-v1/Answer GET returned a response that does not match its schema: /list/*/n must be integer.',
      ];
      expect(await ask(platform, 'wrong')).toEqual(expected);
      expect(await ask(platform, 'missing')).toContain(
        'Agency-v1/Answer GET returned a response that does not match its schema: /at is required.',
      );
      const checks = await platform.application.services.get(ResponseChecks);
      expect(checks.counts).toEqual(new Map([['Agency-v1/Answer GET', 3]]));
    } finally {
      await platform.stop();
    }
  });

  it('are only counted when configured so', async () => {
    const platform = await started(hosting('count'));
    try {
      expect(await ask(platform, 'wrong')).toEqual([]);
      const checks = await platform.application.services.get(ResponseChecks);
      expect(checks.counts).toEqual(new Map([['Agency-v1/Answer GET', 1]]));
    } finally {
      await platform.stop();
    }
  });

  it('are counted by default, as in production', async () => {
    const platform = await started({});
    try {
      await ask(platform, 'wrong');
      const checks = await platform.application.services.get(ResponseChecks);
      expect(checks.counts).toEqual(new Map([['Agency-v1/Answer GET', 1]]));
    } finally {
      await platform.stop();
    }
  });

  it.each([
    [{ view_manager: { display_exceptions: true } }, 1],
    [{}, 0],
    [{ ...hosting('off'), view_manager: { display_exceptions: true } }, 0],
  ])('are reported in development by default: %j', async (local, lines) => {
    const platform = await started(local);
    try {
      expect(await ask(platform, 'wrong')).toHaveLength(lines);
    } finally {
      await platform.stop();
    }
  });
});
