// `npm run check-package -- DIR` checks an unpacked application (dist/linux-unpacked, dist/win-unpacked, dist/mac-arm64/Paydesk.app) before its release.
import { existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isEd25519, isTrustedFeed, parseFeedUrl } from '../electron/updates/update-trust.ts';
import lock from '../package-lock.json' with { type: 'json' };

const MB = 1_000_000;
const ARCHIVE_MAX = 90 * MB;
const APPLICATION_MAX = 420 * MB;

const REQUIRED = [
  'package.json',
  'out/main/main.js',
  'out/main/document-worker.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
  'out/renderer/third-party-notices.txt',
  'electron/resources/tray.png',
];
const ALLOWED = [
  /^package\.json$/,
  /^CHANGELOG\.md$/,
  /^docs\/(operations\/)?[\w-]+\.md$/,
  /^out\/(main|preload|renderer)\//,
  /^electron\/resources\/tray\w*(@2x)?\.png$/,
  /^node_modules\//,
];
/** Files that do not belong in an application, or must never leave the developer's computer. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\.map$/, 'a source map'],
  [/(?<!\.json)\.[mc]?tsx?$/, 'a source file'],
  [/\.(sqlite|db)(-wal|-shm)?$/, 'a database'],
  [/(^|\/)(master\.key|config\.json\.new|paydesk-recovery\.json|in-use\.lock|\.npmrc|\.env[^/]*)$/, 'a secret or a personal setting'],
  [/\.(p12|pfx|p8|jks|keychain)$/, 'a signing key'],
  [/\.log(\.\d+)?$/, 'a log'],
];

const OPENPGP = 'node_modules/openpgp/dist/node/openpgp.mjs';
/** Text of its code that is in any bundle of it. */
const OPENPGP_TEXT = 'Maximum decompressed message size exceeded';

/** Electron fuses in their order, with the required state; undefined if the state does not matter. */
const FUSE_SENTINEL = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX');
const FUSES = [
  ['runAsNode', '0'],
  ['cookieEncryption', '1'],
  ['nodeOptions', '0'],
  ['nodeCliInspect', '0'],
  ['asarIntegrity', '1'],
  ['onlyFromAsar', '1'],
  ['v8Snapshot', undefined],
  ['fileProtocol', '0'],
] as const;

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly size?: number;
  readonly offset?: string;
  readonly unpacked?: boolean;
  readonly link?: string;
  readonly integrity?: { readonly algorithm: string; readonly hash: string };
}

interface Archive {
  readonly entries: ReadonlyMap<string, Entry>;
  text(path: string): string;
}

const dir = process.argv[2];
if (dir === undefined || !existsSync(dir)) {
  console.error('Usage: npm run check-package -- DIR (an unpacked application, such as dist/linux-unpacked)');
  process.exit(2);
}
const { problems, figures } = inspect(dir);
for (const [name, bytes] of figures) console.log(`${name.padEnd(20)} ${(bytes / MB).toFixed(1)} MB`);
for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0 ? 'The package has no problems.' : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} found.`,
);
process.exit(problems.length === 0 ? 0 : 1);

/** Returns the problems of the application in a folder, and its size. */
function inspect(root: string): { problems: string[]; figures: [string, number][] } {
  const files = filesBelow(root);
  const archives = files.filter((file) => file.endsWith('/app.asar'));
  const [archive] = archives;
  if (archive === undefined || archives.length > 1) return { problems: [`Expected one app.asar, found ${archives.length}.`], figures: [] };
  const resources = join(archive, '..');
  const opened = readArchive(archive);
  const whole = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const size = statSync(archive).size;
  return {
    figures: [
      ['app.asar', size],
      ['whole application', whole],
    ],
    problems: [
      ...(existsSync(join(resources, 'app')) ? ['There is an unpacked folder "app" beside the archive.'] : []),
      ...(size > ARCHIVE_MAX ? [`app.asar has ${Math.round(size / MB)} MB; the limit is ${ARCHIVE_MAX / MB} MB.`] : []),
      ...(whole > APPLICATION_MAX ? [`The application has ${Math.round(whole / MB)} MB; the limit is ${APPLICATION_MAX / MB} MB.`] : []),
      ...contentProblems(opened),
      ...manifestProblems(opened),
      ...binaryProblems(opened, `${archive}.unpacked`),
      ...replaceabilityProblems(opened, `${archive}.unpacked`),
      ...fuseProblems(files),
      ...feedProblems(resources),
    ],
  };
}

function contentProblems(archive: Archive): string[] {
  const { entries } = archive;
  const packages = new Set<string>();
  const problems = REQUIRED.filter((path) => !entries.has(path)).map((path) => `${path} is missing.`);
  for (const [path, { integrity }] of entries) {
    if (!ALLOWED.some((allowed) => allowed.test(path))) problems.push(`${path} does not belong in the package.`);
    const forbidden = FORBIDDEN.find(([shape]) => shape.test(path))?.[1];
    if (forbidden !== undefined) problems.push(`${path} is ${forbidden}.`);
    if (integrity === undefined) problems.push(`${path} has no checksum.`);
    const inside = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    if (inside !== undefined) packages.add(inside);
  }
  for (const path of packages) if (isDevelopmentPackage(archive, path)) problems.push(`${path} is a development package.`);
  return problems;
}

/** Returns true if a package is locked for development only. electron-builder moves packages up, so that their paths differ from those of the lock file. */
function isDevelopmentPackage(archive: Archive, path: string): boolean {
  const packed = archive.entries.get(`${path}/package.json`);
  const isText = packed !== undefined && !packed.unpacked;
  const { version } = (isText ? JSON.parse(archive.text(`${path}/package.json`)) : {}) as { version?: string };
  const name = path.slice(path.lastIndexOf('node_modules/'));
  const locked = Object.entries(lock.packages as Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>);
  const found = locked.filter(([at, each]) => at.endsWith(name) && (version === undefined ? at === path : each.version === version));
  return found.length > 0 && found.every(([, { dev }]) => dev === true);
}

function manifestProblems(archive: Archive): string[] {
  if (!archive.entries.has('package.json')) return [];
  const { main, devDependencies, scripts } = JSON.parse(archive.text('package.json')) as Record<string, unknown>;
  return [
    ...(main === 'out/main/main.js' ? [] : ['package.json does not start out/main/main.js.']),
    ...(devDependencies === undefined && scripts === undefined ? [] : ['package.json still contains scripts or development packages.']),
  ];
}

/** Checks that native code is unpacked, because it is loaded from real files, and that there is only one binary of each package. */
function binaryProblems({ entries }: Archive, unpacked: string): string[] {
  const binaries = [...entries].filter(([path]) => path.endsWith('.node'));
  const problems = binaries.flatMap(([path, entry]) => {
    if (!entry.unpacked) return [`${path} is packed and cannot be loaded.`];
    return existsSync(join(unpacked, path)) ? [] : [`${path} is missing from app.asar.unpacked.`];
  });
  for (const [name, shape] of [
    ['better-sqlite3', /\/better-sqlite3\//],
    ['argon2', /\/argon2/],
  ] as const) {
    const count = binaries.filter(([path]) => shape.test(path)).length;
    if (count !== 1) problems.push(`Expected one binary of ${name}, found ${count}.`);
  }
  return problems;
}

/** Checks that the package under the LGPL is a readable file outside of the archive and of the bundle, so that users can replace it. */
function replaceabilityProblems(archive: Archive, unpacked: string): string[] {
  const isUnpacked = archive.entries.get(OPENPGP)?.unpacked === true && existsSync(join(unpacked, OPENPGP));
  const bundles = [...archive.entries.keys()].filter((path) => /^out\/main\/.*\.js$/.test(path));
  return [
    ...(isUnpacked ? [] : [`${OPENPGP} is missing from app.asar.unpacked, where users can replace it.`]),
    ...bundles
      .filter((path) => archive.text(path).includes(OPENPGP_TEXT))
      .map((path) => `${path} contains openpgp, which users must be able to replace.`),
  ];
}

function fuseProblems(files: readonly string[]): string[] {
  for (const file of files) {
    const { size, mode } = statSync(file);
    const mayBeProgram = /(\.exe|Electron Framework)$/.test(file) || (mode & 0o111) !== 0;
    const at = mayBeProgram && size > FUSE_SENTINEL.length ? positionOf(file, FUSE_SENTINEL) : -1;
    if (at < 0) continue;
    // After the sentinel: the version of the fuse wire, its length, then one character per fuse.
    const wire = bytesOf(file, at + FUSE_SENTINEL.length + 2, FUSES.length).toString('latin1');
    return FUSES.flatMap(([name, wanted], index) =>
      wanted === undefined || wire[index] === wanted ? [] : [`The fuse ${name} is not ${wanted}.`],
    );
  }
  return ['No program with Electron fuses was found.'];
}

function feedProblems(resources: string): string[] {
  const feed = join(resources, 'app-update.yml');
  if (!existsSync(feed)) return [];
  const isSecure = isTrustedFeed(parseFeedUrl(readFileSync(feed, 'utf8')), false);
  const key = join(resources, 'update-public-key.pem');
  const hasKey = existsSync(key) && isEd25519(readFileSync(key, 'utf8'));
  return [
    ...(isSecure ? [] : ['Updates would be downloaded without encryption: the address must begin with https://.']),
    ...(hasKey ? [] : ['update-public-key.pem is missing or is not an Ed25519 public key, so updates could not be verified.']),
  ];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, relative(folder, entry.parentPath), entry.name));
}

/** Reads an asar archive. It begins with four numbers, the lengths of its JSON header; the contents of the files follow. */
function readArchive(file: string): Archive {
  const head = bytesOf(file, 0, 16);
  const contentAt = 8 + head.readUInt32LE(4);
  const header = JSON.parse(bytesOf(file, 16, head.readUInt32LE(12)).toString()) as Entry;
  const entries = new Map<string, Entry>();
  const walk = (folder: Entry, path: string) => {
    for (const [name, entry] of Object.entries(folder.files ?? {})) {
      if (entry.files) walk(entry, `${path}${name}/`);
      else if (entry.link === undefined) entries.set(`${path}${name}`, entry);
    }
  };
  walk(header, '');
  const text = (path: string) => {
    const { offset = '0', size = 0 } = entries.get(path) ?? {};
    return bytesOf(file, contentAt + Number(offset), size).toString();
  };
  return { entries, text };
}

function bytesOf(file: string, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes, 0, length, from);
  return bytes;
}

function positionOf(file: string, wanted: Buffer): number {
  return readFileSync(file).indexOf(wanted);
}
