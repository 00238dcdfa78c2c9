import { type JsonObject, listOf, isObject, ownValue } from '../../../framework';
import { childPointer, objectsOf } from './json';
import type { ImportWarnings } from '../import-warnings';
import * as shapes from './shapes';

/**
 * Warns about members of the wrong type (OpenAPI 3.1.1, 4.8), which are ignored, about members without a counterpart,
 * and about extensions.
 */
export function warnAboutShapes(document: JsonObject, warnings: ImportWarnings): void {
  new ShapeChecker(warnings).document(document);
}

type Visit = (one: JsonObject, pointer: string) => void;

class ShapeChecker {
  readonly #warnings: ImportWarnings;

  constructor(warnings: ImportWarnings) {
    this.#warnings = warnings;
  }

  document(document: JsonObject): void {
    this.#compare(document, shapes.DOCUMENT, 'the document', '#');
    if (isObject(document.info)) this.#compare(document.info, shapes.INFO, 'the document', '#/info');
    for (const [at, tag] of objectsOf(document.tags).entries())
      this.#compare(tag, shapes.TAG, 'a tag', childPointer('#/tags', at));
    this.#each(document.paths, 'a path', '#/paths', (item, pointer) => this.#path(item, pointer));
    if (isObject(document.paths)) this.#warnings.addExtensions(document.paths, 'the paths', '#/paths');
    if (isObject(document.components)) this.#components(document.components, '#/components');
  }

  #components(components: JsonObject, pointer: string): void {
    this.#compare(components, shapes.COMPONENTS, 'the components', pointer);
    const { responses, parameters, requestBodies, pathItems } = components;
    const each = (map: unknown, of: string, name: string, visit: Visit): void =>
      this.#each(map, of, childPointer(pointer, name), visit);
    each(responses, 'a response', 'responses', (one, place) => this.#response(one, place));
    each(parameters, 'a parameter', 'parameters', (one, place) => this.#parameter(one, place));
    each(requestBodies, 'a request body', 'requestBodies', (one, place) => this.#body(one, place));
    each(pathItems, 'a path', 'pathItems', (one, place) => this.#path(one, place));
  }

  #path(item: JsonObject, pointer: string): void {
    if (!this.#compare(item, shapes.PATH, 'a path', pointer)) return;
    this.#parameters(item.parameters, childPointer(pointer, 'parameters'));
    for (const method of shapes.METHODS) {
      const operation = item[method];
      if (isObject(operation)) this.#operation(operation, childPointer(pointer, method));
    }
  }

  #operation(operation: JsonObject, pointer: string): void {
    this.#compare(operation, shapes.OPERATION, 'an operation', pointer);
    this.#parameters(operation.parameters, childPointer(pointer, 'parameters'));
    if (isObject(operation.requestBody))
      this.#body(operation.requestBody, childPointer(pointer, 'requestBody'));
    const pointerOfResponses = childPointer(pointer, 'responses');
    if (isObject(operation.responses))
      this.#warnings.addExtensions(operation.responses, 'responses', pointerOfResponses);
    this.#each(operation.responses, 'a response', pointerOfResponses, (one, place) =>
      this.#response(one, place),
    );
  }

  #parameters(list: unknown, pointer: string): void {
    for (const [at, one] of listOf(list).entries())
      if (isObject(one)) this.#parameter(one, childPointer(pointer, at));
  }

  #parameter(parameter: JsonObject, pointer: string): void {
    this.#compare(parameter, shapes.PARAMETER, 'a parameter', pointer);
  }

  #body(body: JsonObject, pointer: string): void {
    if (this.#compare(body, shapes.BODY, 'a request body', pointer)) this.#content(body.content, pointer);
  }

  #response(response: JsonObject, pointer: string): void {
    if (this.#compare(response, shapes.RESPONSE, 'a response', pointer))
      this.#content(response.content, pointer);
  }

  #content(content: unknown, pointer: string): void {
    this.#each(content, 'a media type', childPointer(pointer, 'content'), (one, place) =>
      this.#compare(one, shapes.MEDIA_TYPE, 'a media type', place),
    );
  }

  /** Visits the objects of a map by name, extensions excluded. */
  #each(map: unknown, of: string, pointer: string, visit: Visit): void {
    if (!isObject(map)) return;
    for (const [name, one] of Object.entries(map)) {
      if (name.startsWith('x-') || one === null) continue;
      if (isObject(one)) visit(one, childPointer(pointer, name));
      else this.#warnings.add(`${of} is not an object`, childPointer(pointer, name));
    }
  }

  /** @returns false for a reference, which has no members of its own */
  #compare(object: JsonObject, shape: shapes.Shape, of: string, pointer: string): boolean {
    const isReference = typeof object.$ref === 'string';
    for (const [name, value] of Object.entries(object)) {
      if (isReference) {
        if (name !== '$ref') this.#warnings.add(`"${name}" next to a $ref`, pointer);
        continue;
      }
      // Null is reported with the values of the document.
      if (value === null || value === undefined) continue;
      const form = ownValue(shape, name);
      if (form === undefined) this.#warnings.add(`"${name}" of ${of}`, pointer);
      else if (!shapes.FORMS[form][1](value))
        this.#warnings.add(`"${name}" of ${of} is ${shapes.FORMS[form][0]}`, childPointer(pointer, name));
    }
    return !isReference;
  }
}
