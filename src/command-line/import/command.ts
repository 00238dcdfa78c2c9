import type { Command } from 'commander';
import path from 'node:path';
import { runCommand } from '../run-command';
import type { CommandContext } from '../command-context';
import { UsageError } from '../usage-error';
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
export function registerImport(program: Command, io: CommandContext): void {
  program
    .command('import')
    .description('import descriptions of other APIs')
    .command('openapi')
    .description(
      'create a documented API from an OpenAPI 3.0, 3.1 or Swagger 2.0 document; its operations respond 501',
    )
    .usage('<file> --api <name> [options]')
    .argument('<file>', 'the OpenAPI document, JSON or YAML')
    .requiredOption('--api <name>', 'name of the new API')
    .option('--version <number>', 'version of the new API', '1')
    .option('--out <file>', 'target file (default: config/autoload/<name>.global.json)')
    .option('--base-path <path>', 'path before all routes of the API, such as /pets')
    .option('--report <file>', 'write everything that could not be imported to this file')
    .option('--root <folder>', 'the folder that contains config/', '.')
    .option('--force', 'overwrite an existing file')
    .action((file: string, options: ImportOptions) => {
      const { root, api, version, out, basePath, force = false } = options;
      const from = path.resolve(root);
      const report = options.report === undefined ? undefined : path.resolve(options.report);
      const target =
        out === undefined ? path.join(from, 'config', 'autoload', `${api}.global.json`) : path.resolve(out);
      return runCommand(io, async () => {
        if (/^https?:\/\//i.test(file)) {
          throw new UsageError(
            `${file} is a URL, and documents are read from files. Download it first: curl --location --output openapi.json '${file}'`,
          );
        }
        const to = { root: from, api, version, target, basePath, report, force };
        await importDocument(path.resolve(file), to, io);
      });
    });
}
