import { rmSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import { loadConfiguration, Problem, type ConfigObject } from '../../../../src/framework';
import { unsetEdit } from '../../../../src/modules/admin/actions/unset-edit';
import { makeProject } from '../../../factories/platform';

const MODULE = {
  name: 'club',
  defaults: { club: { members: { ada: 'chair' } } },
  schemas: { club: Type.Object({ members: Type.Record(Type.String(), Type.String()) }) },
};

async function withdrawn(member: string, local: ConfigObject, above: ConfigObject = {}): Promise<unknown> {
  const file = (tree: ConfigObject): ConfigObject => ({ club: { members: tree } });
  const root = makeProject({
    local: file(local),
    files: { 'config/autoload/team.local.json': JSON.stringify(file(above)) },
  });
  try {
    return unsetEdit(await loadConfiguration(root, [MODULE], {}), ['club', 'members', member]).value;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

describe('Unsetting a key path', () => {
  it('removes the key if no lower layer defines it', async () => {
    expect(await withdrawn('grace', { grace: 'guest' })).toBeUndefined();
  });

  it('writes null if a lower layer defines it', async () => {
    expect(await withdrawn('ada', { ada: 'guest' })).toBeNull();
    expect(await withdrawn('ada', {})).toBeNull();
  });

  it('is rejected with the source if a higher layer defines it', async () => {
    const refused: unknown = await withdrawn('ada', {}, { ada: 'boss' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Problem);
    expect(refused).toMatchObject({
      status: 409,
      detail: expect.stringContaining('club.members.ada is set in config/autoload/team.local.json') as string,
    });
  });
});
