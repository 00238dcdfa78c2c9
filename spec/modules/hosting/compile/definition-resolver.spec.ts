import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ContainerModule,
  defineApi,
  defineRestService,
  defineRpcService,
  Response,
  Type,
  type HandlerContext,
  type Module,
  type RestResource,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

interface Note {
  readonly number: number;
  readonly text: string;
}

/** Constructed by the platform: takes no arguments. */
class FirstNotes implements RestResource<Note, Pick<Note, 'text'>> {
  fetch(id: string): Note {
    return { number: Number(id), text: 'first' };
  }
  patch(id: string, { text = 'patched' }: Partial<Pick<Note, 'text'>>): Note {
    return { number: Number(id), text };
  }
  create({ text }: Pick<Note, 'text'>): Note {
    return { number: 0, text };
  }
}

/** Constructed by the container, which injects its arguments. */
class SecondNotes extends FirstNotes {
  readonly #text: string;
  constructor(text: string) {
    super();
    this.#text = text;
  }
  override fetch(id: string): Note {
    return { number: Number(id), text: this.#text };
  }
}

class NotesModule implements Module {
  readonly name = 'notes';
  readonly requires = ['hosting'];
  /** Counts clients that disconnected before the response. */
  readonly gone: string[] = [];
  readonly services = new ContainerModule(({ bind }) => {
    bind('SecondNotes').toDynamicValue(() => Promise.resolve(new SecondNotes('second')));
  });
  readonly apis = [
    defineApi({
      name: 'Notes',
      versions: {
        1: { services: { Note: note(FirstNotes), Raw: this.#raw() } },
        2: { services: { Note: note('SecondNotes') } },
      },
    }),
  ];

  #raw() {
    const wait = async ({ signal }: HandlerContext): Promise<string> => {
      await once(signal, 'abort');
      this.gone.push('the client left');
      return 'too late';
    };
    const raw = (): Response => new Response(202, 'as it is', [['Content-Type', 'text/plain']]);
    return defineRpcService({
      route: '/notes-raw',
      methods: { GET: { handler: raw }, PUT: { handler: wait } },
    });
  }
}

function note(resource: typeof FirstNotes | string) {
  return defineRestService({
    route: '/notes[/:note]',
    route_identifier_name: 'note',
    entity_identifier_name: 'number',
    fields: Type.Object({ number: Type.Integer(), text: Type.String() }, { $id: 'Note' }),
    // Each version has a schema with that name.
    input: Type.Object({ text: Type.String() }, { $id: 'NewNote' }),
    collection: { POST: {} },
    entity: { GET: {}, PATCH: {} },
    resource,
  });
}

describe('a reference in a definition', () => {
  const notes = new NotesModule();
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [notes] })));
  afterAll(() => platform.stop());

  it('may be a class without constructor arguments', async () => {
    expect(await (await platform.request('/v1/notes/3')).json()).toEqual({ number: 3, text: 'first' });
  });

  it('may be a service name that the module binds to an asynchronous factory', async () => {
    expect(await (await platform.request('/v2/notes/3')).json()).toEqual({ number: 3, text: 'second' });
  });

  it('may use another identifier than the route parameter, and the number 0', async () => {
    const answer = await platform.request('/v1/notes', sendJson({ text: 'new' }));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/v1/notes/0');
  });

  it('may use schema names that exist in other versions, too', async () => {
    for (const version of ['/v1', '/v2']) {
      const answer = await platform.request(`${version}/notes/3`, sendJson({ text: 'changed' }, 'PATCH'));
      expect(await answer.json()).toEqual({ number: 3, text: 'changed' });
    }
  });

  it('may return a Response of its own', async () => {
    const answer = await platform.request('/v1/notes-raw');
    expect(answer.status).toBe(202);
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(await answer.text()).toBe('as it is');
  });

  it('is notified when its client disconnects', async () => {
    const client = request(`${platform.origin}/v1/notes-raw`, { method: 'PUT' });
    client.on('error', () => undefined);
    client.end();
    await pause(100);
    expect(notes.gone).toEqual([]);
    client.destroy();
    for (let tries = 0; tries < 1500 && notes.gone.length === 0; tries++) await pause(10);
    expect(notes.gone).toEqual(['the client left']);
    expect(platform.log.lines).toEqual([]);
  });
});
