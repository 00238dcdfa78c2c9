import { describeSchema } from '../../../../src/modules/documentation/model/schema/describe-schema';
import { inputSchema } from '../../../../src/modules/documentation/view-helpers/console-fields';
import { defineApi, defineProcedure, defineRpcService, Type } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';

const Order = {
  type: 'string',
  oneOf: [
    { const: 'asc', title: 'Ascending', description: 'From *A* to\nZ.' },
    { const: 'desc', title: 'Descending <b>' },
    { const: 'none' },
  ],
};

const choices = {
  name: 'choices',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Lists',
      versions: {
        1: {
          services: {
            List: defineRpcService({
              route: '/lists',
              methods: {
                POST: defineProcedure({
                  fields: Type.Object({ order: Type.Unsafe<string>(Order) }),
                  handler: () => ({}),
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

describe('constants with titles and descriptions', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [choices] })));
  afterAll(() => platform.stop());
  const read = async (format: string): Promise<string> =>
    (await platform.request(`/platform/documentation/Lists/List?format=${format}`)).text();

  it('are listed on pages', async () => {
    const page = (await read('html')).replace(/\s+/g, ' ');
    expect(page).toMatch(
      /One of:<\/span><\/p> <ul class="values"> <li><code>asc<\/code> <span>Ascending<\/span> <div class="prose"><p>From <em>A<\/em> to Z\.<\/p> ?<\/div> ?<\/li>/,
    );
    expect(page).toContain('<li><code>desc</code> <span>Descending &lt;b&gt;</span></li>');
    expect(page).toContain('<li><code>none</code></li>');
  });

  it('are described in Markdown', async () => {
    expect(await read('markdown')).toContain(
      'One of `"asc"` (Ascending: From *A* to Z.), `"desc"` (Descending \\<b\\>), `"none"`.',
    );
  });

  it('are titles of the options of the console', () => {
    expect(inputSchema(describeSchema(Order))).toMatchObject({
      enum: ['asc', 'desc', 'none'],
      'x-titles': ['Ascending', 'Descending <b>', ''],
    });
    expect(inputSchema(describeSchema({ enum: ['a', 'b'] }))['x-titles']).toBeUndefined();
  });
});
