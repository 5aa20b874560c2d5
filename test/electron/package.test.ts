import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isExpired, isSignedUpdate } from '../../electron/updates/update-trust.ts';
import lock from '../../package-lock.json' with { type: 'json' };
import { ROOT } from '../../scripts/bundle.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'paydesk-package-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const SQLITE = 'node_modules/better-sqlite3/prebuilds/linux-x64.node';
const ARGON = 'node_modules/@node-rs/argon2-linux-x64-gnu/argon2.linux-x64-gnu.node';
const OPENPGP = 'node_modules/openpgp/dist/node/openpgp.mjs';
const GOOD: Readonly<Record<string, string>> = {
  'package.json': '{"name":"paydesk","main":"out/main/main.js"}',
  'out/main/main.js': '1',
  'out/main/document-worker.js': '1',
  'out/preload/preload.cjs': '1',
  'out/renderer/index.html': '<p>',
  'electron/resources/tray.png': 'x',
  'electron/resources/tray@2x.png': 'x',
  'out/renderer/third-party-notices.txt': 'x',
  'node_modules/openpgp/openpgp.js': '1',
  [OPENPGP]: '1',
  [SQLITE]: 'binary',
  [ARGON]: 'binary',
};

const UPDATE_KEYS = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

interface PackageOptions {
  files?: Readonly<Record<string, string>>;
  /** File that is missing in the unpacked part of the archive. */
  missingFile?: string;
  isPacked?: boolean;
  fuses?: string;
  feed?: string;
  updateKey?: string;
  hasUnpackedApp?: boolean;
}

/** Writes a packaged application in the layout of electron-builder, with a generated archive. */
async function createPackage({
  files = GOOD,
  missingFile,
  isPacked = false,
  fuses = '010011r0',
  feed,
  updateKey,
  hasUnpackedApp = false,
}: PackageOptions): Promise<void> {
  const put = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  };
  interface Folder {
    files: Record<string, Folder | object>;
  }
  const header: Folder = { files: {} };
  let content = '';
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    let folder = header;
    for (const part of parts) {
      folder.files[part] ??= { files: {} };
      folder = folder.files[part] as Folder;
    }
    const isUnpacked = (path.endsWith('.node') || path === OPENPGP) && !isPacked;
    folder.files[name] = {
      size: text.length,
      integrity: { algorithm: 'SHA256', hash: 'x' },
      ...(isUnpacked ? { unpacked: true } : { offset: String(content.length) }),
    };
    if (!isUnpacked) content += text;
    else if (path !== missingFile) await put(`resources/app.asar.unpacked/${path}`, text);
  }
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(16);
  for (const [index, value] of [4, json.length + 8, json.length + 4, json.length].entries()) head.writeUInt32LE(value, index * 4);
  await put('resources/app.asar', Buffer.concat([head, json, Buffer.from(content)]));
  await put('paydesk', `ELF…dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x08${fuses}…`);
  await chmod(join(dir, 'paydesk'), 0o755);
  if (feed !== undefined) await put('resources/app-update.yml', `provider: generic\nurl: ${feed}\n`);
  if (updateKey !== undefined) await put('resources/update-public-key.pem', updateKey);
  if (hasUnpackedApp) await put('resources/app/main.js', '1');
}

function runCheck(): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/check-package.ts'), dir], { encoding: 'utf8' });
  return { code: status, output: `${stdout}${stderr}` };
}

test('accepts a package that electron-builder moved up, to the path of another version for development', async () => {
  const locked = lock.packages as object as Readonly<Record<string, { version?: string; dev?: boolean }>>;
  const of = (path: string) => locked[path];
  const [shipped, other] = [of('node_modules/electron-updater/node_modules/semver'), of('node_modules/semver')];
  expect([shipped?.dev, other?.dev]).toEqual([undefined, true]);
  const withVersion = (version = '') => ({ ...GOOD, 'node_modules/semver/package.json': JSON.stringify({ version }) });
  await createPackage({ files: withVersion(shipped?.version) });
  expect(runCheck()).toMatchObject({ code: 0 });
  await createPackage({ files: withVersion(other?.version) });
  expect(runCheck().output).toContain('node_modules/semver is a development package');
});

test('accepts a complete package and prints its size', async () => {
  await createPackage({ feed: 'https://updates.example.com/', updateKey: UPDATE_KEYS.publicKey });
  const { code, output } = runCheck();
  expect(output).toMatch(/app\.asar +0\.0 MB/);
  expect(output).toContain('has no problems');
  expect(code).toBe(0);
});

test('reports every fault of a package by name', async () => {
  const stray = (...paths: string[]) => ({ ...GOOD, ...Object.fromEntries(paths.map((path) => [path, 'x'])) });
  const without = (...paths: string[]) => Object.fromEntries(Object.entries(GOOD).filter(([name]) => !paths.includes(name)));
  const faulty: [PackageOptions, string[]][] = [
    [
      {
        files: stray(
          'core/index.js',
          'test/a.js',
          'out/main/main.js.map',
          'node_modules/openpgp/types.d.ts',
          'node_modules/vite/index.js',
          'out/main/paydesk.sqlite',
          'out/main/master.key',
          'out/main/.env.local',
          'out/main/publisher.p12',
          'node_modules/better-sqlite3/prebuilds/win32-x64.node',
        ),
        missingFile: ARGON,
        fuses: '110001r1',
        feed: 'http://updates.example.com/',
        updateKey: UPDATE_KEYS.privateKey,
        hasUnpackedApp: true,
      },
      [
        'core/index.js does not belong in the package',
        'test/a.js does not belong in the package',
        'main.js.map is a source map',
        'types.d.ts is a source',
        'node_modules/vite is a development package',
        'paydesk.sqlite is a database',
        'master.key is a secret',
        '.env.local is a secret',
        'publisher.p12 is a signing key',
        'Expected one binary of better-sqlite3, found 2',
        `${ARGON} is missing from app.asar.unpacked`,
        'The fuse runAsNode is not 0',
        'The fuse asarIntegrity is not 1',
        'The fuse fileProtocol is not 0',
        'downloaded without encryption',
        'update-public-key.pem is missing or is not an Ed25519 public key',
        'an unpacked folder "app"',
      ],
    ],
    [
      {
        files: {
          ...without('out/preload/preload.cjs', ARGON),
          'package.json': '{"main":"electron/main.ts","devDependencies":{}}',
          'out/main/main.js': "throw new Error('Maximum decompressed message size exceeded')",
        },
        isPacked: true,
      },
      [
        'out/preload/preload.cjs is missing',
        'Expected one binary of argon2, found 0',
        'does not start out/main/main.js',
        'still contains scripts or development packages',
        `${SQLITE} is packed`,
        `${OPENPGP} is missing from app.asar.unpacked`,
        'out/main/main.js contains openpgp',
      ],
    ],
  ];
  for (const [options, problems] of faulty) {
    await rm(dir, { recursive: true, force: true });
    await createPackage(options);
    const { code, output } = runCheck();
    for (const problem of problems) expect(output).toContain(problem);
    expect(output).toContain(`${problems.length} problems found.`);
    expect(code).toBe(1);
  }
  await rm(join(dir, 'resources/app.asar'));
  expect(runCheck()).toMatchObject({ code: 1, output: expect.stringContaining('Expected one app.asar, found 0') });
});

test('signs the descriptions of a new version until a date, also signed ones again', async () => {
  const [feed, other, key] = [join(dir, 'latest-linux.yml'), join(dir, 'latest.yml'), join(dir, 'key.pem')];
  const described =
    'version: 1.2.3\nfiles:\n  - url: Paydesk-1.2.3.AppImage\n    sha512: abc==\n    size: 3\npath: Paydesk-1.2.3.AppImage\nsha512: abc==\n';
  for (const each of [feed, other]) await writeFile(each, described);
  await writeFile(key, UPDATE_KEYS.privateKey);
  for (let time = 0; time < 2; time += 1) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'scripts/sign-update.ts'), '--key', key, '--days', '30', feed, other],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const text = await readFile(feed, 'utf8');
    expect(text.startsWith(described)).toBe(true);
    expect((await readFile(other, 'utf8')).slice(described.length)).toBe(text.slice(described.length));
    const [, expires, signature] = /^expires: '(\S+)'\nsignature: (\S+)\n$/.exec(text.slice(described.length)) ?? [];
    const update = { version: '1.2.3', expires, files: [{ url: 'Paydesk-1.2.3.AppImage', sha512: 'abc==' }], signature };
    expect(isExpired(update, Date.now() + 29 * 86_400_000)).toBe(false);
    expect(isExpired(update, Date.now() + 30 * 86_400_000)).toBe(true);
    expect(isSignedUpdate(update, UPDATE_KEYS.publicKey)).toBe(true);
    for (const forged of [{ version: '1.2.4' }, { expires: '2099-01-01T00:00:00.000Z' }, { expires: undefined }, { files: [] }])
      expect(isSignedUpdate({ ...update, ...forged }, UPDATE_KEYS.publicKey)).toBe(false);
  }
});

test('packages the public key of updates for every system', async () => {
  const settings = await readFile(join(ROOT, 'electron-builder.yml'), 'utf8');
  expect(settings).toMatch(
    /^extraResources:\n(?: .*\n)* {2}- from: electron\/resources\/update-public-key\.pem\n {4}to: update-public-key\.pem$/m,
  );
});

test('packages for macOS with the hardened runtime and library validation', async () => {
  const settings = await readFile(join(ROOT, 'electron-builder.yml'), 'utf8');
  const mac = /^mac:\n((?: .*\n)+)/m.exec(settings)?.[1] ?? '';
  expect(mac).toMatch(/^ {2}hardenedRuntime: true$/m);
  const files = [...mac.matchAll(/^ {2}entitlements(?:Inherit)?: (\S+)$/gm)].map(([, file]) => file ?? '');
  expect(files).toHaveLength(2);
  for (const file of files) {
    const granted = [...(await readFile(join(ROOT, file), 'utf8')).matchAll(/<key>([^<]+)<\/key>/g)].map(([, name]) => name);
    expect(granted).toEqual(['com.apple.security.cs.allow-jit']);
  }
});
