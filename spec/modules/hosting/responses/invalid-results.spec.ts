import {
  ContainerModule,
  created,
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Problem,
  registerStrategy,
  Type,
  ViewModel,
  ViewStrategy,
  type BootstrapEvent,
  type FieldError,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

/** Values that plain JavaScript may return but the types do not allow. */
const returned: Readonly<Record<string, () => unknown>> = {
  fetched: () => new globalThis.Response('x'),
  error: () => new Error('secret'),
  map: () => new Map([[1, 2]]),
  set: () => new Set([1]),
  function: () => () => 1,
  symbol: () => Symbol('x'),
  bytes: () => Buffer.from('x'),
  blob: () => new Blob(['x']),
  form: () => new FormData(),
};

const found: Readonly<Record<string, unknown>> = {
  text: 'bad',
  no: false,
  object: { pointer: '/a', message: 'no' },
  null: [null],
  number: [{ pointer: 5, message: 'x' }],
  pointerless: [{ message: 'x' }],
  keyword: [{ pointer: '', message: 'x', keyword: 5 }],
};

const gone = (): Problem => new Problem(410, 'It went long ago.', { fields: [['Retry-After', '60']] });
const asEntity = (value: unknown): { id: string } => value as { id: string };
const kind = Type.Object({ kind: Type.Optional(Type.String()) });

const Odd = defineRpcService({
  route: '/odd',
  methods: { GET: defineProcedure({ query: kind, handler: ({ query }) => returned[query.kind ?? '']?.() }) },
});
const problemOf = (how: object) =>
  defineProcedure({ handler: gone, response: Type.Object({ id: Type.String() }), ...how });
const Gone = defineRpcService({ route: '/gone', methods: { GET: problemOf({}) } });
const GoneLater = defineRpcService({
  route: '/gone-later',
  methods: { GET: problemOf({ handler: () => Promise.resolve(gone()) }) },
});
const GoneEmpty = defineRpcService({
  route: '/gone-empty',
  methods: { GET: defineProcedure({ status: 204, handler: gone }) },
});
const GoneStream = defineRpcService({
  route: '/gone-stream',
  methods: { GET: defineProcedure({ stream: ['application/x-ndjson'], handler: gone }) },
});
const GoneImage = defineRpcService({
  route: '/gone-image',
  methods: { GET: defineProcedure({ response_type: ['image/png'], handler: gone }) },
});
const Item = defineRestService({
  route: '/items[/:id]',
  route_identifier_name: 'id',
  fields: Type.Object({ id: Type.String() }),
  page_size: 2,
  collection: { GET: {}, POST: {}, PUT: {}, DELETE: {} },
  entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
  resource: {
    fetch: () => asEntity(gone()),
    fetchAll: () => gone() as unknown as [],
    create: () => asEntity(gone()),
    update: (id) => (id === 'new' ? created(asEntity(gone())) : Promise.resolve(asEntity(gone()))),
    patch: () => asEntity(gone()),
    delete: () => gone() as unknown as boolean,
    replaceList: () => gone() as unknown as [],
    deleteList: () => Promise.resolve(gone() as unknown as boolean),
    revision: () => 1,
  },
});
const Checked = defineRpcService({
  route: '/checked',
  methods: {
    POST: defineProcedure({
      fields: Type.Object({ kind: Type.String() }),
      validators: [(body) => found[(body as { kind: string }).kind] as FieldError[]],
      handler: () => 1,
    }),
  },
});

/** Sends the bytes that a handler returns. */
class PictureModel extends ViewModel {}
class PictureStrategy extends ViewStrategy {
  constructor() {
    super({ render: ({ content }: ViewModel) => content as Buffer }, 'image/png');
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof PictureModel;
  }
}
const bytes = (how: object) => defineProcedure({ handler: () => Buffer.from('PNG'), ...how });
const Picture = defineRpcService({ route: '/picture', selector: 'Picture', methods: { GET: bytes({}) } });
const CheckedPicture = defineRpcService({
  route: '/checked-picture',
  selector: 'Picture',
  methods: { GET: bytes({ response: Type.Unknown() }) },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  defaults: {
    'platform-content-negotiation': {
      selectors: { Picture: { JsonModel: ['application/json'], PictureModel: ['image/png'] } },
    },
  },
  services: new ContainerModule(({ bind }) => {
    bind('PictureModel').toConstantValue(PictureModel);
    bind('PictureStrategy').toConstantValue(new PictureStrategy());
  }),
  onBootstrap: ({ application }: BootstrapEvent) => registerStrategy(application, 'PictureStrategy', 'house'),
  apis: [
    defineApi({
      name: 'House',
      versions: {
        1: {
          services: {
            Odd,
            Gone,
            GoneLater,
            GoneEmpty,
            GoneStream,
            GoneImage,
            Item,
            Checked,
            Picture,
            CheckedPicture,
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [house] })));
afterAll(() => platform.stop());
beforeEach(() => (platform.log.lines.length = 0));

const logged = (): string => String((platform.log.lines[0]?.details as { err: Error }).err);

describe('a result that JSON cannot represent', () => {
  it.each([
    ['fetched', 'an instance of Response. A fetch Response cannot be sent. Return the Response'],
    ['error', 'an instance of Error. Throw it'],
    ['map', 'an instance of Map. Return Object.fromEntries(map)'],
    ['set', 'an instance of Set. Return [...set]'],
    ['function', 'a function. Return a value that JSON can represent.'],
    ['symbol', 'a symbol. Return a value that JSON can represent.'],
    ['bytes', 'an instance of Buffer. Return a Response to send bytes.'],
    ['blob', 'an instance of Blob. Return a Response with blob.stream().'],
    ['form', 'an instance of FormData. Return Object.fromEntries(…).'],
  ])('(%s) is a bare 500, and the log says what to do', async (kind, what) => {
    const answer = await platform.request(`/odd?kind=${kind}`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(logged()).toContain(`TypeError: House-v1/Odd GET returned ${what}`);
  });
});

describe('bytes as a result', () => {
  it.each(['/picture', '/checked-picture'])(
    'are sent by a format whose renderer takes them, and no JSON: %s',
    async (path) => {
      const picture = await platform.request(path, { headers: { Accept: 'image/png' } });
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(await picture.text()).toBe('PNG');
      expect((await platform.request(path)).status).toBe(500);
      expect(logged()).toContain('Return a Response to send bytes.');
    },
  );
});

describe('a returned problem', () => {
  it.each(['/gone', '/gone-later', '/gone-empty', '/gone-stream', '/gone-image', '/items/1', '/items'])(
    'from GET %s is handled like a thrown one',
    async (path) => {
      const answer = await platform.request(path, { headers: { Accept: '*/*' } });
      expect(answer.status).toBe(410);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('retry-after')).toBe('60');
      expect(answer.headers.get('etag')).toBeNull();
      expect(await answer.json()).toMatchObject({ status: 410, detail: 'It went long ago.' });
      expect(platform.log.lines).toEqual([]);
    },
  );

  it.each([
    ['POST', '/items', { id: '1' }],
    ['PUT', '/items', []],
    ['PUT', '/items/1', { id: '1' }],
    ['PUT', '/items/new', { id: 'new' }],
    ['PATCH', '/items/1', {}],
  ])(
    'from %s %s is handled like a thrown one, and nothing is reported as created',
    async (method, path, body) => {
      const answer = await platform.request(path, sendJson(body, method));
      expect(answer.status).toBe(410);
      expect(answer.headers.get('location')).toBeNull();
    },
  );

  it.each(['/items', '/items/1'])('from DELETE %s is handled like a thrown one', async (path) => {
    expect((await platform.request(path, { method: 'DELETE' })).status).toBe(410);
  });

  it('is the response when a precondition is evaluated', async () => {
    const headers = { 'If-Match': '"1"' };
    expect((await platform.request('/items/1', { method: 'DELETE', headers })).status).toBe(410);
  });
});

describe('a validator that does not return a list of errors', () => {
  it.each([
    ['text', 'the string "bad"'],
    ['no', 'false'],
    ['object', 'an object'],
    ['null', 'a list with null'],
    ['number', 'a list with an object'],
    ['pointerless', 'a list with an object'],
    ['keyword', 'a list with an object'],
  ])('(%s) is a bare 500, and the log names the returned value', async (kind, what) => {
    expect((await platform.request('/checked', sendJson({ kind }))).status).toBe(500);
    expect(logged()).toBe(
      `TypeError: A validator of House-v1/Checked POST returned ${what}; return a list of { pointer: '/name', message: 'is taken' }, or nothing if the body is valid.`,
    );
  });

  it('but undefined reports no error', async () => {
    expect((await platform.request('/checked', sendJson({ kind: 'nothing' }))).status).toBe(200);
  });
});
