// Compiles imports of modules that a start and most requests do not need so that they are loaded on first use, as the
// option `lazy` of Babel's transform of ES modules does: half of the modules would otherwise be loaded at each start
// without being called. The loader of the platform loads them after the start: see src/loading/own-modules.ts.
import path from 'node:path';

/**
 * What is imported on first use, by the beginning of its path in dist: nothing that handles most requests, and nothing
 * that must work while the process can open no file.
 */
export const DEFERRED = [
  'command-line/',
  'framework/application/modules/missing-file/',
  'framework/application/modules/package-entry/',
  'framework/config/effective-values/',
  'framework/config/layers/script-file/',
  'framework/config/passed-configuration/',
  'framework/config/published-schema/',
  'framework/deployment/process-load/',
  'framework/errors/require-package/',
  'framework/errors/syntax-error-location/',
  'framework/files/file-lock/',
  'framework/files/leftovers/',
  'framework/http/cookies/',
  'framework/http/inject/',
  'framework/http/negotiation/explain-negotiation/',
  'framework/http/tls/',
  'framework/json/edit-text/',
  'framework/json/json-syntax-error/',
  'framework/logging/log-limit/',
  'framework/text/closest-match/',
  'framework/text/columns/',
  'framework/text/list-items/',
  'framework/text/text-position/',
  'framework/text/unknown-options/',
  'framework/view/templates/rendering-error/',
  'modules/admin/',
  'modules/cluster/',
  'modules/content-negotiation/multipart/field-contents/',
  'modules/content-negotiation/multipart/form/',
  'modules/content-negotiation/multipart/uploaded-file/',
  'modules/content-validation/error-messages/',
  'modules/content-validation/members/drop-unknown/',
  'modules/content-validation/compile/narrow-unions/',
  'modules/database/adapters/availability/unreachable-advice/',
  'modules/database/adapters/postgres/postgres-driver/',
  'modules/database/adapters/postgres/qualified-name/',
  'modules/database/adapters/script-error/',
  'modules/database/adapters/sqlite/copy-file/',
  'modules/database/adapters/sqlite/schema/changed-by-triggers/',
  'modules/database/adapters/sqlite/schema/failed-rule/',
  'modules/database/adapters/sqlite/sqlite-stream/',
  'modules/database/adapters/sqlite/sqlite-transaction/',
  'modules/database/batch/batch-api/',
  'modules/database/batch/continued-transaction/',
  'modules/database/batch/execute-batch/',
  'modules/database/bulk/bulk-queries/',
  'modules/database/bulk/list-rules/',
  'modules/database/bulk/row-problems/',
  'modules/database/inspection/',
  'modules/database/introspection/',
  'modules/database/kysely/',
  'modules/database/migrations/',
  'modules/database/open-database/',
  'modules/database/procedure/procedure-definition/',
  'modules/database/service/declaration/needed-privileges/',
  'modules/database/service/declaration/privilege-warnings/',
  'modules/database/service/problems/failed-values/',
  'modules/database/service/problems/taken-key/',
  'modules/database/service/reads/body-errors/',
  'modules/database/service/reads/table-stream/',
  'modules/database/service/writes/merged-values/',
  'modules/database/users/',
  'modules/documentation',
  'modules/hosting/definition/checks/misspelt-name/',
  'modules/hosting/members/undeclared-members/',
  'modules/hosting/rest/created/',
  'modules/hosting/rest/patch/',
  'modules/hosting/schema/closed-schema/',
  'modules/hosting/streaming/csv/',
  'modules/hosting/streaming/heartbeat/',
  'modules/hosting/streaming/item-stream/',
  'modules/mvc-auth/api-keys/',
  'modules/mvc-auth/authentication/sign-in-attempt/',
  'modules/mvc-auth/authentication/verification-problem/',
  'modules/mvc-auth/bearer/',
  'modules/mvc-auth/command-line/',
  'modules/mvc-auth/http/authentication-unavailable/',
  'modules/mvc-auth/password-files/editing/',
  'modules/mvc-auth/passwords/hashes/des-crypt/',
  'modules/mvc-auth/passwords/hashes/sha-crypt/',
  'modules/mvc-auth/throttling/exact-sign-in/',
  'modules/mvc-auth/throttling/undecided-credentials/',
  'modules/mvc-auth/users/',
  'modules/openid/',
  'modules/operations/metrics/measurement-reader/',
  'modules/operations/port/',
  'modules/operations/request-trace/describe-error/',
  'modules/operations/tracing/',
  'modules/static-files/byte-ranges/',
  'vendor/',
];

/** What a start or the first request needs all the same, and what reports that a start fails. */
const NEEDED = [
  'command-line/unsettled-startup/',
  'command-line/usage-error/',
  'modules/documentation/build/',
  'vendor/accepts/',
  'vendor/busboy/',
];

/** These export the same names to ES modules, for which Node recognizes only what the compiler writes. */
const ENTRY_POINTS = ['platform.js', 'testing/index.js'];

/** How the compiler writes an import of a module of the package. */
const IMPORT = /^(?:const|var) (\w+_\d+) = ((?:__importDefault\()?require\("(\.[^"]+)"\)\)?);$/;

/** Whether a file of dist imports a module on first use. */
function isDeferred(file, specifier) {
  const target = `${path.posix.join(path.posix.dirname(file), specifier)}/`;
  const isIn = (folders) => folders.some((one) => target.startsWith(one));
  return isIn(DEFERRED) && !isIn(NEEDED);
}

/** @throws Error for a use of an imported module that is not a read of its exports: the compiler writes none */
function assertRead(ts, file, node) {
  const { parent } = node;
  const isRead = ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent);
  if (!isRead || parent.expression !== node)
    throw new Error(
      `dist/${file} uses ${node.text} in another way than ${node.text}.name: ${parent.getText()}`,
    );
}

/**
 * Returns the code of a module with deferred imports. Lines stay where they are.
 * @throws Error for code in which an import cannot be deferred
 * @param ts the TypeScript compiler
 * @param name the path of the file in dist
 * @param text its code, as the compiler writes it
 */
export function withDeferredImports(ts, name, text) {
  const file = name.replaceAll('\\', '/');
  if (ENTRY_POINTS.includes(file)) return text;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const edits = [];
  const imported = new Set();
  for (const statement of source.statements) {
    const [, variable, required, specifier] = IMPORT.exec(statement.getText()) ?? [];
    if (variable === undefined || !isDeferred(file, specifier)) continue;
    imported.add(variable);
    edits.push({
      start: statement.getStart(),
      end: statement.end,
      text: `let ${variable} = () => { const loaded = ${required}; ${variable} = () => loaded; return loaded; };`,
    });
  }
  const isDeclared = (node) => ts.isVariableDeclaration(node.parent) && node.parent.name === node;
  const visit = (node) => {
    if (ts.isIdentifier(node) && imported.has(node.text) && !isDeclared(node)) {
      assertRead(ts, file, node);
      // With parentheses, `new a_1.B()` remains a construction of B.
      edits.push({ start: node.getStart(), end: node.end, text: `(${node.text}())` });
    }
    ts.forEachChild(node, visit);
  };
  if (imported.size > 0) visit(source);
  let result = text;
  for (const { start, end, text: replacement } of edits.sort((a, b) => b.start - a.start))
    result = result.slice(0, start) + replacement + result.slice(end);
  return result;
}
