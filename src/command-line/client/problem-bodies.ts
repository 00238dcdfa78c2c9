import { isObject, objectOf, type JsonObject } from '../../framework';

const PROBLEM = 'application/problem+json';

/**
 * Returns a document whose errors have the body that a client reads: of problems that are available in other media types
 * too, such as HTML pages, only the JSON remains. The type of an error is then a problem instead of a problem or a text.
 */
export function withProblemBodies(document: JsonObject): JsonObject {
  const { paths, components } = document;
  return {
    ...document,
    ...(isObject(paths) && {
      paths: mapObjects(paths, (item) =>
        mapObjects(item, (operation) =>
          isObject(operation.responses)
            ? { ...operation, responses: mapObjects(operation.responses, withProblemBody) }
            : operation,
        ),
      ),
    }),
    ...(isObject(components) &&
      isObject(components.responses) && {
        components: { ...components, responses: mapObjects(components.responses, withProblemBody) },
      }),
  };
}

function withProblemBody(response: JsonObject): JsonObject {
  const problem = objectOf(response.content)[PROBLEM];
  return problem === undefined ? response : { ...response, content: { [PROBLEM]: problem } };
}

/** Maps the members that are objects. */
function mapObjects(object: JsonObject, map: (member: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, isObject(member) ? map(member) : member]),
  );
}
