import { Type } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, loadModules, publishedSchema, schemasOf } from '../../../src/framework';
import { builtInModules } from '../../../src/modules';
import { ROOT, sampleAuthentication } from '../../factories/platform';

const read = (name: string): unknown => JSON.parse(readFileSync(path.join(ROOT, name), 'utf8'));

/** Returns whether a schema accepts a file with this content. */
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
  it('is up to date; otherwise run: npx apidesc-platform config schema', async () => {
    const loaded = await loadModules({ root: ROOT, builtIn: builtInModules });
    const now = publishedSchema(schemasOf(loaded.map(({ module }) => module)));
    expect(read('config/schema.json')).toEqual(now);
  });

  it('is a valid JSON Schema 2020-12 in strict mode', () => {
    const schema = read('config/schema.json') as object;
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    expect(ajv.validateSchema(schema)).toBe(true);
    expect(() => ajv.compile(schema)).not.toThrow();
  });

  it('accepts the files of the sample, which refer to it', () => {
    for (const name of ['config/autoload/global.json', 'config/autoload/local.json.dist']) {
      const content = read(name);
      expect(accepts(read('config/schema.json'), content)).toBe(true);
      expect(isObject(content) && content.$schema).toBe('../schema.json');
    }
    expect(accepts(read('config/schema.json'), sampleAuthentication)).toBe(true);
  });

  it('describes every key', () => {
    const undescribed: string[] = [];
    const visit = (node: unknown, at: string): void => {
      if (!isObject(node)) return;
      const { properties, if: condition, then, ...rest } = node;
      for (const [key, member] of Object.entries(isObject(properties) ? properties : {})) {
        if (isObject(member) && typeof member.description !== 'string') undescribed.push(`${at}.${key}`);
        visit(member, `${at}.${key}`);
      }
      // Conditional schemas refine keys that are described elsewhere.
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
    expect(undescribed).toEqual([]);
  });

  it.each([
    ['a misspelled section', { serve: {} }],
    ['a misspelled key', { server: { prot: 1 } }],
    ['a value of another type', { server: { port: 'soon' } }],
    ['an unknown option of an HttpAdapter', adapters({ realms: 'x' })],
    ['an option of another type', adapters({ nonce_timeout: 3600 })],
  ])('rejects %s', (_, content) => {
    expect(accepts(read('config/schema.json'), content)).toBe(false);
  });

  it.each([
    ['null, which removes a key', { server: { host: null }, 'platform-hosting': null }],
    ['a part of a section', { server: {} }],
    [
      'environment variables',
      { server: { base_url: '/${STAGE}' }, ...adapters({ nonce_timeout: '${TIME}' }) },
    ],
    ['the text of a reference', adapters({ nonce_timeout: '$${TIME}' })],
    ['the options of an unknown adapter type', adapters({ any: [1] }, 'ClubAdapter')],
  ])('accepts %s', (_, content) => {
    expect(accepts(read('config/schema.json'), content)).toBe(true);
  });
});

function adapters(options: object, adapter = 'HttpAdapter'): object {
  return { 'platform-mvc-auth': { authentication: { adapters: { own: { adapter, options } } } } };
}

describe('The published schema', () => {
  const schema = Type.Object({
    level: Type.Optional(Type.Union([Type.Literal('info'), Type.Literal('warn')], { hint: 'Ours.' })),
    key: Type.String({ secret: true, restart: true }),
  });

  it('contains no keywords of the platform', () => {
    expect(JSON.stringify(publishedSchema(new Map([['shop', schema]])))).not.toMatch(
      /hint|mergeLists|secret|restart|variants/,
    );
  });

  it('describes a single file, in which no key is required', () => {
    const published = publishedSchema(new Map([['shop', schema]]));
    expect(accepts(published, { shop: {} })).toBe(true);
    expect(accepts(published, { shop: { level: 'warn' } })).toBe(true);
    expect(accepts(published, { shop: { level: '${LEVEL}' } })).toBe(true);
    expect(accepts(published, { shop: { level: 'debug' } })).toBe(false);
  });
});
