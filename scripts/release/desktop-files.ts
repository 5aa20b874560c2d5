import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDesktopWhenStale } from '../build-when-stale.ts';
import { ROOT } from '../bundle.ts';

/** Mark before the fuses in the binary of Electron, which electron-builder sets. */
const FUSES = Buffer.concat([Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'), Buffer.from([1, 8]), Buffer.from('1'.repeat(8))]);
/** Files of Electron's binary distribution that electron-builder reads, beside its program. */
const STAND_INS = ['LICENSE', 'LICENSES.chromium.html'];

/** Returns true if the binary of Electron is installed, so that `npm run package` builds the installers. */
export const hasElectron = (): boolean => existsSync(join(ROOT, 'node_modules/electron/dist/version'));

/**
 * Builds the files of the desktop application beside the binary of Electron, for the processor of this computer: its archive with the native packages, its
 * icon, and the desktop entry that opens links. electron-builder packages them around a stand-in of the binary, and the result is checked like an
 * application for a release. The same commit gives the same bytes.
 *
 * @param epoch time of all files, in seconds since 1970.
 * @returns name of the file.
 */
export async function buildDesktopFiles(target: string, version: string, epoch: number): Promise<string> {
  await buildDesktopWhenStale();
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-desktop-'));
  try {
    const application = packageAround(standIn(join(folder, 'electron')), join(folder, 'packaged'));
    run(process.execPath, join(ROOT, 'scripts/check-package.ts'), application);
    const files = join(folder, 'files');
    mkdirSync(files);
    cpSync(join(application, 'resources'), join(files, 'resources'), { recursive: true });
    copyFileSync(join(ROOT, 'packaging/paydesk.desktop'), join(files, 'paydesk.desktop'));
    copyFileSync(join(ROOT, 'electron/resources/icon.png'), join(files, 'paydesk.png'));
    writeFileSync(join(files, 'ELECTRON_VERSION'), `${electronVersion()}\n`);
    const name = `paydesk-desktop-files-${version}-${process.platform}-${process.arch}.tar.gz`;
    const fixed = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
    run('tar', ...fixed, '--use-compress-program=gzip -n', '-cf', join(target, name), '-C', files, '.');
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function packageAround(electron: string, output: string): string {
  const builder = join(ROOT, 'node_modules/electron-builder/cli.js');
  const options = [`-c.electronDist=${electron}`, `-c.directories.output=${output}`, '--publish', 'never'];
  run(process.execPath, builder, '--dir', '--linux', ...options);
  return join(output, process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`);
}

/** Writes a folder in the layout of Electron's binary distribution, with a program that only has the place of the fuses. */
function standIn(folder: string): string {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  writeFileSync(join(folder, 'electron'), FUSES);
  chmodSync(join(folder, 'electron'), 0o755);
  writeFileSync(join(folder, 'version'), electronVersion());
  for (const name of STAND_INS) writeFileSync(join(folder, name), '');
  return folder;
}

function electronVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8')) as { version: string }).version;
}

/** @throws Error with the output of the program if it fails. */
function run(program: string, ...args: string[]): void {
  try {
    execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} failed:\n${stdout}${stderr}`);
  }
}
