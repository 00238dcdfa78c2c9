import { startRefusal } from '../../factories/processes/start-refusal';

describe('a section of a built-in module that is not loaded', () => {
  it.each([
    ['platform-operations', 'operations'],
    ['platform-db', 'database'],
    ['platform-hosting', 'hosting'],
    ['platform-admin', 'admin'],
    ['platform-cluster', 'cluster'],
  ])('%s is refused with the name of the module, %s', async (section, name) => {
    expect(await startRefusal({ modules: ['content-negotiation'], local: { [section]: {} } })).toMatch(
      new RegExp(
        `^config/autoload/local\\.json:\\d+:\\d+: ${section}: is a section of the built-in module "${name}", which is not loaded\\. Add "${name}" to "modules" in config/application\\.json\\.$`,
      ),
    );
  });

  it('is not suggested for other unknown sections', async () => {
    expect(
      await startRefusal({ modules: ['content-negotiation'], local: { 'platform-operation': {} } }),
    ).toMatch(/platform-operation: unknown key\./);
  });
});
