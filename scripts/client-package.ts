// `npm run client-package` writes the package of `clients/node` to `out/client`, ready for `npm pack`: ES modules, CommonJS and types.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './bundle.ts';
import { writeClientsWhenStale } from './client-types.ts';

const SOURCE = join(ROOT, 'clients/node');

/** A publication states the commit and the workflow that built the package. */
const PUBLICATION = { access: 'public', provenance: true };

/** Builds the package into a folder. @throws Error with the output of the compiler if it fails. */
export async function buildClientPackage(target: string): Promise<void> {
  await writeClientsWhenStale();
  rmSync(target, { recursive: true, force: true });
  const {
    private: _,
    exports: __,
    ...manifest
  } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8')) as Record<string, unknown>;
  compile('nodenext', join(target, 'esm'));
  // The nearest package.json determines whether Node reads a file as an ES module or as CommonJS, and also how the compiler writes it.
  const commonJs = mkdtempSync(join(tmpdir(), 'paydesk-client-'));
  cpSync(join(SOURCE, 'src'), join(commonJs, 'src'), { recursive: true });
  writeFileSync(join(commonJs, 'package.json'), JSON.stringify({ type: 'commonjs' }));
  compile('nodenext', join(target, 'cjs'), join(commonJs, 'src'));
  rmSync(commonJs, { recursive: true });
  writeFileSync(join(target, 'cjs/package.json'), JSON.stringify({ type: 'commonjs' }));
  cpSync(join(SOURCE, 'README.md'), join(target, 'README.md'));
  const entries = {
    import: { types: './esm/index.d.ts', default: './esm/index.js' },
    require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
  };
  const complete = {
    ...manifest,
    main: './cjs/index.js',
    types: './esm/index.d.ts',
    exports: { '.': entries },
    files: ['esm', 'cjs'],
    publishConfig: PUBLICATION,
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(complete, null, 2)}\n`);
}

function compile(module: string, outDir: string, source = join(SOURCE, 'src')): void {
  const flags = ['--ignoreConfig', '--target', 'es2024', '--lib', 'es2024,dom,dom.iterable', '--types', '', '--strict', '--skipLibCheck'];
  const output = [
    '--module',
    module,
    '--moduleResolution',
    module,
    '--rewriteRelativeImportExtensions',
    '--declaration',
    '--outDir',
    outDir,
  ];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const result = spawnSync(process.execPath, [compiler, ...flags, ...output, '--rootDir', source, join(source, 'index.ts')], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`The compiler failed: ${result.stdout}${result.stderr}`);
  // The compiler rewrites the extensions of imports in the code, but not in declarations.
  for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.d.ts'))) {
    const path = join(outDir, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.\.?\/[^']+)\.ts'/g, "$1.js'"));
  }
}

if (import.meta.main) await buildClientPackage(join(ROOT, 'out/client'));
