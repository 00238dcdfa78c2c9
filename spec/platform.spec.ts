import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from './factories/platform';
import * as platform from '../src/platform';
import { run } from './factories/processes/processes';

/** TypeScript as an author would write it; every line needs types that modules add to the framework's. */
const MODULE = `
import { defineApi, defineRestService, Type, type BootstrapEvent, type Module } from 'apidesc-platform';

const Note = defineRestService({
  route: '/notes[/:note_id]',
  route_identifier_name: 'note_id',
  fields: Type.Object({ note_id: Type.String(), text: Type.String() }),
  entity: { GET: {}, DELETE: {} },
  resource: { fetch: (id) => ({ note_id: id, text: 'short' }), delete: () => undefined },
});

export default class NotesModule implements Module {
  readonly name = 'notes';
  readonly apis = [defineApi({ name: 'Notes', versions: { 1: { services: { Note } } } })];
  onBootstrap({ application }: BootstrapEvent): void {
    application.events.attach('dispatch', ({ identity, responseFormat, query, endpoint }) => {
      application.log.info({ user: identity?.name, type: responseFormat?.mediaType, query, access: endpoint?.access }, 'asked');
    });
  }
}

export const plain: Module = { name: 'plain', apis: [] };
`;

describe('the types of the package', () => {
  it('include those that modules add, without a setting of the author', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'types-'));
    const file = path.join(folder, 'notes.ts');
    writeFileSync(file, MODULE);
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(ROOT, path.join(folder, 'node_modules/apidesc-platform'));
    const program = ts.createProgram([file], {
      module: ts.ModuleKind.Node20,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    });
    const errors = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    rmSync(folder, { recursive: true });
    expect(errors).toEqual([]);
  });
});

/** What authors may import. A name that is added or removed here is a change of the public API: see CHANGELOG.md. */
const PUBLIC_VALUES = `
  Api ApiContent ApiListContent Application ApplicationEvent ApplicationHost AuthenticatedIdentity
  AuthenticationEvent AuthenticationUnavailable AuthorizationEvent BackgroundWork BootstrapEvent Configuration ConfigurationError ContainerModule Cookies DatabaseError Event
  EventManager Field HalJsonModel HypermediaCollection HypermediaEntity JsonModel JsonRenderer JsonStrategy
  Kernel Listeners MethodTable MvcEvent Negotiator NunjucksRenderer NunjucksStrategy Observers Operation
  Problem ProblemModel Request Response ResultCollection Router STRATEGY_PRIORITY Server ServerSentEvent
  Service ServiceContent Services SharedState StreamedCollection TableResource TemplateMap Type UploadedFile View ViewEvent ViewHelpers
  ViewModel ViewStrategy andThen applicationEvents buildApplication comparing createFetchHandler createHandler created currentContext defineApi
  defineModule defineProcedure defineProcedureService defineRestService defineRpcService defineTableService enumOf errorEvents errors essence fileField inject
  injectable isCacheable isThenable mergePatch negotiate parseMediaType priorities problem readOnly
  registerStrategy registerStrategyAtRender requestEvents serializeCookie sql startPlatform writeOnly
`;

describe('the package', () => {
  it('exports these values, and no others', () => {
    expect(Object.keys(platform).sort()).toEqual(PUBLIC_VALUES.trim().split(/\s+/).sort());
  });

  it('can be imported by name in its own repository', async () => {
    const { code, output } = await run(process.execPath, [
      '--input-type=module',
      '-e',
      `process.chdir(${JSON.stringify(ROOT)}); const { defineApi } = await import('apidesc-platform'); console.log(typeof defineApi);`,
    ]);
    expect({ code, output }).toEqual({ code: 0, output: 'function\n' });
  });
});
