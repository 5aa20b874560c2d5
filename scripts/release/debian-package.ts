import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, matchesGlob, relative } from 'node:path';
import { EXTERNAL_PACKAGES } from '../external-packages.ts';
import { packagesWithDependencies } from '../shipped-packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGING = join(ROOT, 'packaging');
const PROGRAM = 'usr/lib/paydesk';
const SCRIPTS = ['postinst', 'prerm', 'postrm'];
/** Names of processors at Debian, by those of Node. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const EXECUTABLE = new Set([`${PROGRAM}/bin/node`, 'usr/bin/paydesk']);

/**
 * Builds the Debian package of the server for the processor of this computer from the npm package: with its packages, Node, the `paydesk` command and a unit of
 * systemd. The same commit gives the same bytes.
 *
 * @param epoch time of all files, in seconds since 1970.
 * @returns path of the package.
 */
export function buildDebianPackage(npmPackage: string, target: string, version: string, epoch: number): string {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) throw new Error(`There is no Debian package for the processor ${process.arch}.`);
  const root = mkdtempSync(join(tmpdir(), 'paydesk-debian-'));
  try {
    stageProgram(root, npmPackage);
    const files = filesBelow(root);
    for (const path of files) chmodSync(join(root, path), EXECUTABLE.has(path) ? 0o755 : 0o644);
    stageControl(root, files, { version, architecture });
    const file = join(target, `paydesk_${version}_${architecture}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--threads-max=1', '--build', root, file], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return file;
  } finally {
    rmSync(root, { recursive: true });
  }
}

function stageProgram(root: string, npmPackage: string): void {
  const program = join(root, PROGRAM);
  mkdirSync(join(program, 'bin'), { recursive: true });
  execFileSync('tar', ['-xzf', npmPackage, '--strip-components=1', '--no-same-owner', '-C', program]);
  const omitted = omittedFiles();
  for (const { path } of packagesWithDependencies(EXTERNAL_PACKAGES)) {
    const source = join(ROOT, path);
    // Packages for other systems are in the lock file, but not installed.
    if (existsSync(source))
      cpSync(source, join(program, path), {
        recursive: true,
        // Packages below it are dependencies of its own, and are copied by name.
        filter: (file) => {
          const inside = relative(source, file);
          return inside !== 'node_modules' && !omitted.some((glob) => matchesGlob(join(path, inside), glob));
        },
      });
  }
  cpSync(join(ROOT, 'node_modules/node/bin/node'), join(program, 'bin/node'));
  copy('debian/paydesk', join(root, 'usr/bin/paydesk'));
  copy('paydesk.service', join(root, 'usr/lib/systemd/system/paydesk.service'));
  const licenses = join(root, 'usr/share/doc/paydesk/copyright');
  mkdirSync(join(licenses, '..'), { recursive: true });
  writeFileSync(
    licenses,
    `${readFileSync(join(program, 'out/renderer/third-party-notices.txt'), 'utf8')}\n${'-'.repeat(80)}\n\n${readFileSync(nodeLicense(), 'utf8')}`,
  );
}

/** Returns the files of packages that the desktop application leaves out, too, as globs. */
function omittedFiles(): string[] {
  const text = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
  return [...text.matchAll(/^ {2}- "!(.+)"$/gm)].map(([, glob = '']) =>
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the names of electron-builder for the system.
    glob.replace('${platform}-${arch}', `${process.platform}-${process.arch}`),
  );
}

function nodeLicense(): string {
  return join(ROOT, `node_modules/node/node_modules/node-${process.platform}-${process.arch}/LICENSE`);
}

function stageControl(root: string, files: readonly string[], values: { readonly version: string; readonly architecture: string }): void {
  const folder = join(root, 'DEBIAN');
  const size = files.reduce((sum, path) => sum + Math.ceil(statSync(join(root, path)).size / 1_024), 0);
  const control = readFileSync(join(PACKAGING, 'debian/control'), 'utf8')
    .replace('@version@', values.version)
    .replace('@architecture@', values.architecture)
    .replace('@size@', String(size));
  mkdirSync(folder);
  writeFileSync(join(folder, 'control'), control);
  writeFileSync(join(folder, 'md5sums'), files.map((path) => `${md5(join(root, path))}  ${path}\n`).join(''));
  for (const name of SCRIPTS) {
    copy(`debian/${name}`, join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
}

function copy(name: string, to: string): void {
  mkdirSync(join(to, '..'), { recursive: true });
  cpSync(join(PACKAGING, name), to);
}

/** Returns the checksum that `dpkg --verify` compares, which Debian defines as MD5. */
function md5(path: string): string {
  return createHash('md5').update(readFileSync(path)).digest('hex');
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, basename(entry.name))))
    .toSorted();
}
