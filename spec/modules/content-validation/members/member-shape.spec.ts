import { growthOf } from '../../../factories/measure/cpu-time';
import { compileShape, isHidden, shapeCompiler } from '../../../../src/modules/content-validation';

type Child = (at: number) => object;

const node = { $ref: '#/$defs/Node' };
const branch = (at: number, child: Child) => ({
  type: 'object',
  properties: {
    id: { type: 'integer', readOnly: true },
    [`m${at}`]: { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } },
    child: child(at),
  },
});
const unionOf = (size: number, child: Child = () => node) => {
  const $defs = { Node: { anyOf: Array.from({ length: size }, (_, at) => branch(at, child)) } };
  return { $ref: '#/$defs/Node', $defs };
};

describe('What a schema declares', () => {
  it('is compiled in time proportional to the branches of a recursive union', () => {
    // Eight times as many branches took sixty times as long, where each was compared with all others.
    expect(growthOf((size) => compileShape(unionOf(size), false), 50, 400)).toBeLessThan(40);
    const ofRequests = (size: number) => {
      const union = unionOf(size);
      return shapeCompiler(union, true, 'readOnly')(union);
    };
    expect(growthOf(ofRequests, 50, 400)).toBeLessThan(40);
  });

  it.each<[string, Child]>([
    ['with a description of its own', (at) => ({ ...node, description: `Number ${at}` })],
    ['in a list', (at) => ({ type: 'array', items: { ...node, title: `Item ${at}` } })],
    ['in an allOf', (at) => ({ description: `Number ${at}`, allOf: [node] })],
    ['or null', (at) => ({ description: `Number ${at}`, anyOf: [node, { type: 'null' }] })],
  ])('is compiled in time proportional to the branches that refer to their union %s', (_how, child) => {
    expect(growthOf((size) => compileShape(unionOf(size, child), false), 50, 400)).toBeLessThan(40);
  });

  it('has members of all branches, and what other members of a branch have', () => {
    const shape = compileShape(
      {
        anyOf: [
          { properties: { a: { properties: { x: {} } } }, additionalProperties: false },
          { properties: { b: {} }, additionalProperties: { properties: { y: {} } } },
          { patternProperties: { '^a': { properties: { z: {} } } } },
        ],
      },
      false,
    );
    if (shape === 'any') throw new Error('It has no restrictions.');
    expect([...shape.members.keys()]).toEqual(['a', 'b']);
    const a = shape.members.get('a');
    expect(a === 'any' ? [] : [...(a?.members.keys() ?? [])]).toEqual(['x', 'y', 'z']);
    expect(shape.members.get('b')).toBe('any');
  });

  it('hides what no branch of a union shows', () => {
    const hidden = { properties: { id: { readOnly: true }, no: { readOnly: true } } };
    const shown = { properties: { id: {} } };
    const union = { oneOf: [hidden, shown] };
    const shape = shapeCompiler(union, true, 'readOnly')(union);
    if (shape === 'any') throw new Error('It hides nothing.');
    expect([isHidden('id', shape), isHidden('no', shape)]).toEqual([false, true]);
  });
});
