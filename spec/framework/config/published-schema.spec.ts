import { Type } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, loadModules, publishedSchema, schemasOf } from '../../../src/framework';
import { builtInModules } from '../../../src/modules';
import { ROOT, sampleAuthentication } from '../../factories/platform';

const read = (name: string): unknown => JSON.parse(readFileSync(path.join(ROOT, name), 'utf8'));

/** Whether a file of this content is accepted by a schema. */
function accepts(schema: unknown, content: unknown): boolean {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    validateFormats: false,
  });
  return ajv.compile(schema as object)(content);
}

describe('config/schema.json', () => {
  it('is what the modules of the project describe; otherwise run: npx apidesc-platform config schema', async () => {
    const loaded = await loadModules({ root: ROOT, builtIn: builtInModules });
    const now = publishedSchema(schemasOf(loaded.map(({ module }) => module)));
    expect(read('config/schema.json')).toEqual(now);
  });

  it('is a JSON Schema of 2020-12 that strict readers take', () => {
    const schema = read('config/schema.json') as object;
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    expect(ajv.validateSchema(schema)).toBe(true);
    expect(() => ajv.compile(schema)).not.toThrow();
  });

  it('accepts the files of the sample, which name it', () => {
    for (const name of ['config/autoload/global.json', 'config/autoload/local.json.dist']) {
      const content = read(name);
      expect(accepts(read('config/schema.json'), content)).toBe(true);
      expect(isObject(content) && content.$schema).toBe('../schema.json');
    }
    expect(accepts(read('config/schema.json'), sampleAuthentication)).toBe(true);
  });

  it('says of every key what it is for', () => {
    const lacking: string[] = [];
    const visit = (node: unknown, at: string): void => {
      if (!isObject(node)) return;
      const { properties, if: condition, then, ...rest } = node;
      for (const [key, member] of Object.entries(isObject(properties) ? properties : {})) {
        if (isObject(member) && typeof member.description !== 'string') lacking.push(`${at}.${key}`);
        visit(member, `${at}.${key}`);
      }
      // What stands under a condition says more of a key that is described.
      if (condition !== undefined && isObject(then)) {
        for (const [key, member] of Object.entries(isObject(then.properties) ? then.properties : {}))
          visit(member, `${at}.${key}`);
      }
      for (const [keyword, inner] of Object.entries(rest)) {
        for (const one of Array.isArray(inner) ? inner : [inner]) visit(one, `${at}/${keyword}`);
        if (keyword === 'patternProperties' && isObject(inner))
          for (const one of Object.values(inner)) visit(one, `${at}/*`);
      }
    };
    visit(read('config/schema.json'), '');
    expect(lacking).toEqual([]);
  });

  it.each([
    ['a misspelt section', { serve: {} }],
    ['a misspelt key', { server: { prot: 1 } }],
    ['a value of another type', { server: { port: 'soon' } }],
    ['an option that an HttpAdapter does not know', adapters({ realms: 'x' })],
    ['an option of another type', adapters({ nonce_timeout: 3600 })],
  ])('refuses %s', (_, content) => {
    expect(accepts(read('config/schema.json'), content)).toBe(false);
  });

  it.each([
    ['null, which takes away', { server: { host: null }, 'platform-hosting': null }],
    ['a part of a section', { server: {} }],
    [
      'environment variables',
      { server: { base_url: '/${STAGE}' }, ...adapters({ nonce_timeout: '${TIME}' }) },
    ],
    ['the options of an adapter that it does not know', adapters({ any: [1] }, 'ClubAdapter')],
  ])('accepts %s', (_, content) => {
    expect(accepts(read('config/schema.json'), content)).toBe(true);
  });
});

function adapters(options: object, adapter = 'HttpAdapter'): object {
  return { 'platform-mvc-auth': { authentication: { adapters: { own: { adapter, options } } } } };
}

describe('The schema that is published', () => {
  const schema = Type.Object({
    level: Type.Optional(Type.Union([Type.Literal('info'), Type.Literal('warn')], { hint: 'Ours.' })),
    key: Type.String({ secret: true, restart: true }),
  });

  it('has nothing in it that only this platform understands', () => {
    expect(JSON.stringify(publishedSchema(new Map([['shop', schema]])))).not.toMatch(
      /hint|mergeLists|secret|restart|variants/,
    );
  });

  it('describes one file: no key must be there', () => {
    const published = publishedSchema(new Map([['shop', schema]]));
    expect(accepts(published, { shop: {} })).toBe(true);
    expect(accepts(published, { shop: { level: 'warn' } })).toBe(true);
    expect(accepts(published, { shop: { level: '${LEVEL}' } })).toBe(true);
    expect(accepts(published, { shop: { level: 'debug' } })).toBe(false);
  });
});
