import type { Command } from 'commander';
import path from 'node:path';
import { ending, type ConfigIo } from './config-command';
import { importDocument } from './import-openapi';

interface ImportOptions {
  readonly api: string;
  readonly version: string;
  readonly out?: string;
  readonly basePath?: string;
  readonly report?: string;
  readonly root: string;
  readonly force?: boolean;
}

/** Registers `import openapi FILE`. */
export function registerImport(program: Command, io: ConfigIo): void {
  program
    .command('import')
    .description('document here what is described elsewhere')
    .command('openapi')
    .description('make a documented API of an OpenAPI 3.0 or 3.1 document; its operations answer 501')
    .usage('<file> --api <name> [options]')
    .argument('<file>', 'the document, JSON or YAML')
    .requiredOption('--api <name>', 'what the API is called here')
    .option('--version <number>', 'its version here', '1')
    .option('--out <file>', 'where to (default: config/autoload/<name>.global.json)')
    .option('--base-path <path>', 'the path before all of its own, such as /pets')
    .option('--report <file>', 'writes there all that could not be taken over')
    .option('--root <folder>', 'the folder that holds config/', '.')
    .option('--force', 'replace the file')
    .action((file: string, options: ImportOptions) => {
      const { root, api, version, out, basePath, force = false } = options;
      const from = path.resolve(root);
      const report = options.report === undefined ? undefined : path.resolve(options.report);
      const target =
        out === undefined ? path.join(from, 'config', 'autoload', `${api}.global.json`) : path.resolve(out);
      return ending(io, () =>
        importDocument(path.resolve(file), { root: from, api, version, target, basePath, report, force }, io),
      );
    });
}
