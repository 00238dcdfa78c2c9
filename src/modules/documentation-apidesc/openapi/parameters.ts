import { parametersOfPath, type Operation, type ParameterData, type Service } from '../../documentation';

/** Returns the Parameter Objects of an operation on one of its paths: path, query, then headers. */
export function parametersOf(service: Service, operation: Operation, path: string): readonly unknown[] {
  const declared = new Map(service.getRouteParameters().map((parameter) => [parameter.name, parameter]));
  const names = parametersOfPath(path);
  return [
    ...names.map((name) => parameterObject(declared.get(name) ?? undeclared(name), 'path')),
    ...operation.getQueryParameters().map((parameter) => parameterObject(parameter, 'query')),
    ...operation.getRequestHeaders().map((parameter) => parameterObject(parameter, 'header')),
  ];
}

function undeclared(name: string): ParameterData {
  return { name, in: 'path', description: '', required: true, schema: { type: 'string' } };
}

function parameterObject(parameter: ParameterData, place: ParameterData['in']): unknown {
  const { name, description, required, schema, example } = parameter;
  return {
    name,
    in: place,
    ...(description === '' ? {} : { description }),
    // A parameter of the path is always required (OpenAPI 3.1.1, 4.8.12.2).
    ...(place === 'path' || required ? { required: true } : {}),
    ...(schema.deprecated === true ? { deprecated: true } : {}),
    schema,
    ...(example === undefined ? {} : { example }),
  };
}
