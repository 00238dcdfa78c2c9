// What is in the original but neither in the export nor in the import report.

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Keywords whose values are schemas: one, a list, a map. */
const ONE = ['items', 'additionalProperties', 'not'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const MAPS = ['properties', 'patternProperties'];

/** What is written differently in OpenAPI 3.1, or elsewhere. */
const OTHERWISE = ['nullable', 'type', 'example', 'examples', '$ref', 'exclusiveMinimum', 'exclusiveMaximum'];

/** The report's names for the contents of an operation. */
const LISTED_AS = { bodies: 'request body', answers: 'response' };

/**
 * @param {string} report output of `apidesc-platform import openapi`
 * @param {string} prefix of the exported paths
 */
export function unlistedLosses(original, exported, report, prefix) {
  const found = [];
  const seen = new Set();
  const listed = (kind) => report.includes(`\n  ${kind}: `);
  const resolve = (document, value) => {
    let target = value;
    while (typeof target?.$ref === 'string') {
      const { $ref, ...beside } = target;
      const steps = $ref.slice(2).split('/');
      const place = steps.map((one) => decodeURIComponent(one).replaceAll('~1', '/').replaceAll('~0', '~'));
      target = { ...place.reduce((at, step) => at?.[step], document), ...beside };
    }
    return target;
  };

  function compareSchemas(before, after, where) {
    const pair = `${before?.$ref} ${after?.$ref}`;
    if (before?.$ref !== undefined && after?.$ref !== undefined) {
      if (seen.has(pair)) return;
      seen.add(pair);
    }
    const from = resolve(original, before);
    const to = resolve(exported, after);
    if (typeof from !== 'object' || from === null || typeof to !== 'object' || to === null) {
      if (from !== undefined && to === undefined) found.push(`${where}: a schema`);
      return;
    }
    // A nullable schema may be an alternative of a union.
    const branch = from.nullable === true && from.type === undefined ? (to.anyOf?.[0] ?? to) : to;
    compareMembers(from, resolve(exported, branch), where);
    for (const one of ONE)
      if (from[one] !== undefined) compareSchemas(from[one], branch[one], `${where}/${one}`);
    for (const list of LISTS) {
      from[list]?.forEach((inner, at) => compareSchemas(inner, branch[list]?.[at], `${where}/${list}/${at}`));
    }
    for (const map of MAPS) {
      for (const [name, inner] of Object.entries(from[map] ?? {})) {
        compareSchemas(inner, branch[map]?.[name], `${where}/${map}/${name}`);
      }
    }
  }

  function compareMembers(from, to, where) {
    for (const [keyword, value] of Object.entries(from)) {
      if ([...OTHERWISE, ...ONE, ...LISTS, ...MAPS].includes(keyword)) continue;
      if (listed(`"${keyword}" of a schema`) || (keyword === 'format' && listed(`unknown format "${value}"`)))
        continue;
      if (
        keyword === 'default' &&
        to.default === undefined &&
        listed('default that its schema does not accept')
      )
        continue;
      const values = keyword === 'enum' ? value.every((one) => to.enum?.includes(one)) : undefined;
      if (values ?? JSON.stringify(value) === JSON.stringify(to[keyword])) continue;
      if (
        keyword === 'required' &&
        [value, withoutDefaults(value, from)].some(
          (names) => JSON.stringify([...names].sort()) === JSON.stringify([...(to.required ?? [])].sort()),
        )
      )
        continue;
      found.push(`${where}: ${keyword} ${JSON.stringify(value)?.slice(0, 80)}`);
    }
    const types = [from.type, from.nullable === true && from.type !== undefined ? 'null' : undefined].filter(
      Boolean,
    );
    if (!types.every((type) => [to.type].flat().includes(type))) found.push(`${where}: type ${types}`);
  }

  function compareOperations(before, after, item, where) {
    const parameters = [...(item.parameters ?? []), ...(before.parameters ?? [])].map((one) =>
      resolve(original, one),
    );
    for (const { name, in: place, description, schema, required } of parameters) {
      const there = after.parameters?.find((one) => one.in === place && one.name === nameHere(name, report));
      if (there === undefined) {
        if (!listed(`a parameter in the ${place}`)) found.push(`${where}: the parameter ${name}`);
        continue;
      }
      if (description !== undefined && there.description !== description)
        found.push(`${where}: what ${name} is`);
      if ((required ?? false) !== (there.required ?? false))
        found.push(`${where}: whether ${name} is required`);
      const { description: own, ...plain } = resolve(original, schema);
      compareSchemas(
        own === undefined || description !== undefined ? plain : { ...plain, description: own },
        { description, ...there.schema },
        `${where}/${name}`,
      );
    }
    for (const [status, reference] of Object.entries(before.responses)) {
      const response = resolve(original, reference);
      const there = after.responses[status];
      if (there === undefined) found.push(`${where}: the answer ${status}`);
      else if (there.description !== response.description) found.push(`${where}: what ${status} means`);
    }
    compareContents(resolve(original, before.requestBody), after.requestBody, 'bodies', where);
    const success = Object.keys(before.responses).find((status) => status.startsWith('2'));
    if (success !== undefined)
      compareContents(
        resolve(original, before.responses[success]),
        after.responses[success],
        'answers',
        where,
      );
    for (const member of ['summary', 'description']) {
      const text = before[member]?.trim();
      if (text && !after[member]?.includes(text) && !after.description?.includes(text))
        found.push(`${where}: ${member}`);
    }
    if ((before.deprecated ?? false) !== (after.deprecated ?? false))
      found.push(`${where}: whether it is deprecated`);
    for (const member of Object.keys(before)) {
      if (/^x-|^externalDocs$|^servers$/.test(member) && !listed(`"${member}" of an operation`))
        found.push(`${where}: ${member}`);
    }
  }

  function compareContents(before, after, kind, where) {
    for (const [type, media] of Object.entries(before?.content ?? {})) {
      const there = after?.content?.[type];
      if (there === undefined) {
        if (!listed(`${LISTED_AS[kind]} of type ${type}`))
          found.push(`${where}: ${kind} of the type ${type}`);
        continue;
      }
      if (media.schema !== undefined) compareSchemas(media.schema, there.schema, `${where} ${kind}`);
      const [example] = Object.values(media.examples ?? {});
      if (
        example !== undefined &&
        there.example === undefined &&
        resolve(original, example)?.value !== undefined
      )
        found.push(`${where}: the example of ${kind}`);
    }
  }

  for (const [path, item] of Object.entries(original.paths)) {
    const there =
      exported.paths[prefix + path.replace(/\{([^}]+)\}/g, (_, name) => `{${nameHere(name, report)}}`)];
    if (
      there === undefined &&
      placesIn(report).has(`#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    )
      continue;
    for (const method of METHODS.filter((one) => item[one] !== undefined)) {
      const where = `${method.toUpperCase()} ${path}`;
      if (there?.[method] === undefined) found.push(where);
      else compareOperations(item[method], there[method], item, where);
    }
  }
  return found;
}

/** Members with a default are optional in requests. */
function withoutDefaults(names, { properties = {} }) {
  return names.filter((name) => properties[name]?.default === undefined);
}

/** The report names the parameters that were renamed. */
function nameHere(name, report) {
  const own = new RegExp(`parameter "${name}" renamed to "([^"]+)"`).exec(report)?.[1];
  return own ?? name;
}

const placesIn = (report) => new Set(report.split(/[:,\s]+/));
