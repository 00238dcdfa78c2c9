import { ROOT } from '../factories/platform';
import { run } from '../factories/processes/processes';

/** A program whose classes and modules use the copy of inversify that npm installs. */
const PROGRAM = `
const inversify = require('inversify');
const { startPlatform, defineApi, defineRestService, ContainerModule, Type } = require('${ROOT}/dist/platform.js');
if (ContainerModule === inversify.ContainerModule) throw new Error('The platform does not use its bundled copy.');
class Clock { now() { return 'noon'; } }
inversify.injectable()(Clock);
class Notes {
  constructor(clock) { this.clock = clock; }
  fetch(id) { return { note_id: id, text: this.clock.now() }; }
}
inversify.injectable()(Notes);
inversify.inject(new inversify.LazyServiceIdentifier(() => 'Clock'))(Notes, undefined, 0);
const notes = {
  name: 'notes',
  requires: ['hosting'],
  services: new inversify.ContainerModule(({ bind }) => {
    bind('Clock').to(Clock).inSingletonScope();
    bind('Notes').to(Notes);
  }),
  apis: [defineApi({ name: 'Notes', versions: { 1: { services: { Note: defineRestService({
    route: '/notes[/:note_id]',
    route_identifier_name: 'note_id',
    fields: Type.Object({ note_id: Type.String(), text: Type.String() }),
    entity: { GET: {} },
    resource: 'Notes',
  }) } } } })],
};
startPlatform({ configuration: { server: { port: 0 } }, modules: [notes] }).then(async (platform) => {
  console.log(JSON.stringify((await (await fetch(platform.origin + '/notes/7')).json()).text));
  await platform.stop({ idleGrace: 0 });
});
`;

describe('The bundled copy of inversify', () => {
  it('resolves the classes and the modules of the copy that authors import', async () => {
    expect(await run(process.execPath, ['-e', PROGRAM])).toEqual({ code: 0, output: '"noon"\n' });
  });
});
