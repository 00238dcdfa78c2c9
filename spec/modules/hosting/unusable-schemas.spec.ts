import { defineApi, Type, type ConfigTree } from '../../../src/platform';
import { HOSTING, startRefusal } from '../../factories/start-refusal';

const fields = Type.Object({ id: Type.String() });
const thing = {
  route: '/things[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: { GET: {} },
  resource: { fetchAll: () => [], patch: () => ({ id: '1' }), patchList: () => [] },
};

/** As plain JavaScript would declare it. */
const refusalOf = (changes: object, local: ConfigTree = {}): Promise<string> => {
  const definition = { name: 'Things', versions: { 1: { services: { Thing: { ...thing, ...changes } } } } };
  const apis = [defineApi(definition)];
  return startRefusal({ modules: HOSTING, extra: [{ name: 'things', needs: ['hosting'], apis }], local });
};
const query = (properties: Parameters<typeof Type.Object>[0]) => Type.Object(properties);
const WHERE = 'The service Thing of Things-v1: collection GET: ';

describe('the platform does not start', () => {
  it.each([
    ['page', 'says which page is meant here, as the service has a "page_size"'],
    ['page_size', 'says which page is meant here, as the service has a "page_size"'],
  ])('with a parameter "%s" beside that of paging', async (name, meaning) => {
    const GET = { query: query({ [name]: Type.Optional(Type.Integer()) }) };
    expect(await refusalOf({ page_size: 2, collection: { GET } })).toBe(
      `${WHERE}its query declares the parameter "${name}", and "${name}" ${meaning}. Give the declared one another name.`,
    );
  });

  it.each(['cursor', 'page_size'])('with a parameter "%s" beside that of cursors', async (name) => {
    const GET = { query: query({ [name]: Type.Optional(Type.String()) }) };
    const refusal = await refusalOf({ page_size: 2, cursor: Type.Object({}), collection: { GET } });
    expect(refusal).toContain(`${WHERE}its query declares the parameter "${name}", and "${name}" says which`);
  });

  it('with a parameter "sort" beside that of the order, in configuration as in code', async () => {
    const message = `${WHERE}its query declares the parameter "sort", and "sort" is the order here, as the operation has a "sort". Give the declared one another name.`;
    const GET = { query: query({ sort: Type.Optional(Type.String()) }), sort: ['id'] };
    expect(await refusalOf({ collection: { GET } })).toBe(message);
    const services = { Thing: { collection: { GET: { sort: ['id'] } } } };
    const local = { 'platform-hosting': { apis: { Things: { versions: { 1: { services } } } } } };
    expect(await refusalOf({ collection: { GET: { query: GET.query } } }, local)).toBe(message);
  });

  it('with a query that names no parameters', async () => {
    const both = Type.Intersect([query({ a: Type.String() }), query({ b: Type.String() })]);
    expect(await refusalOf({ collection: { GET: { query: both } } })).toBe(
      `${WHERE}its query names no parameters. Declare it with Type.Object({ … }), a JSON Schema that has "properties".`,
    );
  });

  it('with a tuple as TypeBox writes it, and says how to write it', async () => {
    const place = Type.Tuple([Type.Number(), Type.Number()]);
    const refusal = await refusalOf({ fields: Type.Object({ id: Type.String(), place }) });
    expect(refusal).toContain('has a list as its "items", as Type.Tuple makes it');
    expect(refusal).toContain('prefixItems: [a, b], items: false, minItems: 2 }) instead');
  });

  it.each([
    ['a text', Type.String()],
    ['a list', Type.Array(fields)],
    ['whatever comes', {}],
    ['what a reference leads to', Type.Ref('Other')],
  ])('with PATCH where an entity is %s', async (_what, odd) => {
    for (const part of ['collection', 'entity']) {
      expect(await refusalOf({ [part]: { PATCH: { fields: odd } } })).toBe(
        `The service Thing of Things-v1: ${part} PATCH: no merge patch can be made of its fields, which do not say which members an entity has. ` +
          'Declare them with Type.Object, or with Type.Intersect or Type.Union of such; or take PATCH away.',
      );
    }
  });
});
