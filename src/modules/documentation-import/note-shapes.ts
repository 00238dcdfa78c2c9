import { below, isObject, objectsOf, type JsonObject } from './json';
import type { Losses } from './losses';
import * as shapes from './shapes';

/**
 * Notes what of a document is not what OpenAPI has at its place (3.1.1, 4.8), which is read as if it was not there,
 * what nothing here has a place for, and what somebody added.
 */
export function noteShapes(document: JsonObject, losses: Losses): void {
  new Shapes(losses).document(document);
}

type Visit = (one: JsonObject, pointer: string) => void;

class Shapes {
  readonly #losses: Losses;

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  document(document: JsonObject): void {
    this.#compare(document, shapes.DOCUMENT, 'the document', '#');
    if (isObject(document.info)) this.#compare(document.info, shapes.INFO, 'the document', '#/info');
    for (const [at, tag] of objectsOf(document.tags).entries())
      this.#compare(tag, shapes.TAG, 'a tag', below('#/tags', at));
    this.#each(document.paths, 'a path', '#/paths', (item, pointer) => this.#path(item, pointer));
    if (isObject(document.paths)) this.#losses.noteExtensions(document.paths, 'the paths', '#/paths');
    if (isObject(document.components)) this.#components(document.components, '#/components');
  }

  #components(components: JsonObject, pointer: string): void {
    this.#compare(components, shapes.COMPONENTS, 'the components', pointer);
    const { responses, parameters, requestBodies, pathItems } = components;
    const each = (map: unknown, of: string, name: string, visit: Visit): void =>
      this.#each(map, of, below(pointer, name), visit);
    each(responses, 'an answer', 'responses', (one, place) => this.#answer(one, place));
    each(parameters, 'a parameter', 'parameters', (one, place) => this.#parameter(one, place));
    each(requestBodies, 'a body', 'requestBodies', (one, place) => this.#body(one, place));
    each(pathItems, 'a path', 'pathItems', (one, place) => this.#path(one, place));
  }

  #path(item: JsonObject, pointer: string): void {
    if (!this.#compare(item, shapes.PATH, 'a path', pointer)) return;
    this.#parameters(item.parameters, below(pointer, 'parameters'));
    for (const method of shapes.METHODS) {
      const operation = item[method];
      if (isObject(operation)) this.#operation(operation, below(pointer, method));
    }
  }

  #operation(operation: JsonObject, pointer: string): void {
    this.#compare(operation, shapes.OPERATION, 'an operation', pointer);
    this.#parameters(operation.parameters, below(pointer, 'parameters'));
    if (isObject(operation.requestBody)) this.#body(operation.requestBody, below(pointer, 'requestBody'));
    const answers = below(pointer, 'responses');
    if (isObject(operation.responses)) this.#losses.noteExtensions(operation.responses, 'answers', answers);
    this.#each(operation.responses, 'an answer', answers, (one, place) => this.#answer(one, place));
  }

  #parameters(list: unknown, pointer: string): void {
    for (const [at, one] of (Array.isArray(list) ? list : []).entries())
      if (isObject(one)) this.#parameter(one, below(pointer, at));
  }

  #parameter(parameter: JsonObject, pointer: string): void {
    this.#compare(parameter, shapes.PARAMETER, 'a parameter', pointer);
  }

  #body(body: JsonObject, pointer: string): void {
    if (this.#compare(body, shapes.BODY, 'a body', pointer)) this.#content(body.content, pointer);
  }

  #answer(answer: JsonObject, pointer: string): void {
    if (this.#compare(answer, shapes.ANSWER, 'an answer', pointer)) this.#content(answer.content, pointer);
  }

  #content(content: unknown, pointer: string): void {
    this.#each(content, 'a media type', below(pointer, 'content'), (one, place) =>
      this.#compare(one, shapes.MEDIA_TYPE, 'a media type', place),
    );
  }

  /** The objects of a map by name; what somebody added is none of them. */
  #each(map: unknown, of: string, pointer: string, visit: Visit): void {
    if (!isObject(map)) return;
    for (const [name, one] of Object.entries(map)) {
      if (name.startsWith('x-') || one === null) continue;
      if (isObject(one)) visit(one, below(pointer, name));
      else this.#losses.note(`${of} that is no object`, below(pointer, name));
    }
  }

  /** @returns false for what refers to another object, which is all that it does */
  #compare(object: JsonObject, shape: shapes.Shape, of: string, pointer: string): boolean {
    const isReference = typeof object.$ref === 'string';
    for (const [name, value] of Object.entries(object)) {
      if (isReference) {
        if (name !== '$ref') this.#losses.note(`"${name}" beside a $ref`, pointer);
        continue;
      }
      // Null is noted among the values of the document.
      if (value === null || value === undefined) continue;
      const form = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (form === undefined) this.#losses.note(`"${name}" of ${of}`, pointer);
      else if (!shapes.FORMS[form][1](value))
        this.#losses.note(`"${name}" of ${of}, which is ${shapes.FORMS[form][0]}`, below(pointer, name));
    }
    return !isReference;
  }
}
