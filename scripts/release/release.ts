// `npm run release -- [--key release-key.pem] [--target dist/release]` builds the files of a version from the present commit: the npm packages of the command and
// of the client, the wheel of the client for Python, the Debian package, the files
// of the desktop application, the container file, the bill of materials, the licenses, and their checksums with a signature.
import { execFileSync } from 'node:child_process';
import { createHash, sign } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { ROOT } from '../bundle.ts';
import { buildClientPackage } from '../client-package.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { buildDebianPackage } from './debian-package.ts';
import { buildDesktopFiles, hasElectron } from './desktop-files.ts';
import { writePythonWheel } from './python-wheel.ts';

const CHECKSUMS = 'SHA256SUMS';
const { version } = manifest;

if (import.meta.main) {
  const { values } = parseArgs({ options: { key: { type: 'string' }, target: { type: 'string', default: 'dist/release' } } });
  if (git('status', '--porcelain') !== '') {
    console.error('The work tree has changes. Commit them first: the files of a version are built from a commit.');
    process.exit(1);
  }
  const target = resolve(values.target);
  await buildRelease(target, values.key === undefined ? undefined : readFileSync(values.key, 'utf8'));
  for (const line of readFileSync(join(target, CHECKSUMS), 'utf8').trimEnd().split('\n')) console.log(line);
  if (values.key === undefined) console.log(`${CHECKSUMS} is not signed: name the private key in --key.`);
  console.log(
    hasElectron()
      ? '`npm run package` builds the installers of the desktop application for the present system.'
      : 'The binary of Electron is not installed, so the desktop application has no installers, only its files. `npm run package` builds them on a computer where `node node_modules/electron/install.js` could download the binary.',
  );
}

/**
 * Builds the files of the present version into an empty folder. On the same kind of computer, the same commit gives the same bytes.
 *
 * @param key private Ed25519 key in PEM, with which the checksums are signed; the signature is that of `openssl pkeyutl -sign -rawin`.
 */
export async function buildRelease(target: string, key?: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const epoch = Number(git('log', '-1', '--format=%ct'));
  const command = pack(ROOT, target);
  await buildClientPackage(join(ROOT, 'out/client'));
  pack(join(ROOT, 'out/client'), target);
  writePythonWheel(target, version, epoch);
  if (process.platform === 'linux') {
    buildDebianPackage(command, target, version, epoch);
    await buildDesktopFiles(target, version, epoch);
  }
  copyFileSync(join(ROOT, 'packaging/Containerfile'), join(target, 'Containerfile'));
  copyFileSync(join(ROOT, 'out/renderer/third-party-notices.txt'), join(target, 'THIRD-PARTY-NOTICES.txt'));
  writeFileSync(join(target, `paydesk-${version}.cdx.json`), billOfMaterials(version, epoch));
  const sums = readdirSync(target)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(target, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');
  writeFileSync(join(target, CHECKSUMS), sums);
  if (key !== undefined) writeFileSync(join(target, `${CHECKSUMS}.sig`), sign(null, Buffer.from(sums), key));
}

/** Packs a folder as npm publishes it and returns the path of the file. */
function pack(folder: string, target: string): string {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const packed = JSON.parse(output.slice(output.search(/^[[{]/m))) as
    | readonly { filename: string }[]
    | Record<string, { filename: string }>;
  return join(target, Object.values(packed)[0]?.filename ?? '');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
}
