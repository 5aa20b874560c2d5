// The Debian package on this computer: built twice, installed over data of an earlier version, and removed.
// @module-tag full
import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRelease } from '../../../scripts/release/release.ts';
import { isSiege } from '../../support/tier.ts';
import { factsOf, unpackFixture } from '../../support/upgrade-fixtures.ts';

const DATA = '/var/lib/paydesk';
const UNIT = '/usr/lib/systemd/system/paydesk.service';
const VERSION = '0.1.0';
/** Highest exposure by `systemd-analyze security`, from 0 to 10, in tenths. */
const EXPOSURE_MAX = 15;

const reason = whyNot();

/** Returns why the package is not installed here; undefined if it is. An installation of this computer is never touched. */
function whyNot(): string | undefined {
  if (!isSiege) return 'siege tier only';
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/dpkg')) return 'it needs Debian and root';
  return existsSync(DATA) || existsSync('/usr/lib/paydesk') ? 'this computer has an installation' : undefined;
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

describe.skipIf(reason !== undefined)(`Debian package${reason === undefined ? '' : ` (not run: ${reason})`}`, () => {
  let folder: string;
  let file: string;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paydesk-release-'));
    await buildRelease(join(folder, 'one'));
    await buildRelease(join(folder, 'two'), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    file = join(folder, 'one', readdirSync(join(folder, 'one')).find((name) => name.endsWith('.deb')) ?? '');
  }, 900_000);
  afterAll(() => {
    run('dpkg', '--purge', 'paydesk');
    for (const path of [DATA, folder]) rmSync(path, { recursive: true, force: true });
    run('deluser', '--quiet', 'paydesk');
  });

  test('two builds of a commit have the same checksums, which are signed', () => {
    const [one, two] = ['one', 'two'].map((name) => readFileSync(join(folder, name, 'SHA256SUMS'), 'utf8'));
    expect(one).toBe(two);
    expect(one).toContain('.deb');
    const [key, sums] = [join(folder, 'key.pem'), join(folder, 'two/SHA256SUMS')];
    writeFileSync(key, publicKey.export({ type: 'spki', format: 'pem' }));
    const files = ['-inkey', key, '-in', sums, '-sigfile', `${sums}.sig`];
    expect(run('openssl', 'pkeyutl', '-verify', '-rawin', '-pubin', ...files)).toContain('Verified Successfully');
  });

  test('runs as a user of its own on the data of an earlier version, and leaves them when it is removed', {
    timeout: 120_000,
  }, async () => {
    mkdirSync(DATA);
    await unpackFixture(VERSION, 'sqlite', { dataDir: DATA });
    run('dpkg', '--install', file);
    run('chown', '--recursive', 'paydesk:paydesk', DATA);
    expect(run('dpkg', '--verify', 'paydesk')).toBe('');
    const command = /^ExecStart=(.+)$/m.exec(readFileSync(UNIT, 'utf8'))?.[1]?.split(' ') ?? [];
    const server = spawn('runuser', ['-u', 'paydesk', '--', 'env', `PAYDESK_DATA_DIR=${DATA}`, ...command, '--port', '0'], { cwd: '/' });
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const { baseUrl } = JSON.parse(line.toString()) as { baseUrl: string };
    const { tenantId, email, password } = factsOf(VERSION, 'sqlite').sandbox;
    const answer = await fetch(`${baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'X-Tenant-ID': tenantId, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(answer.status).toBe(200);
    expect((await fetch(baseUrl)).headers.get('content-type')).toContain('text/html');
    run('pkill', '--uid', 'paydesk', '--full', 'paydesk.mjs');
    expect(await once(server, 'exit')).toEqual([0, null]);

    run('dpkg', '--remove', 'paydesk');
    run('dpkg', '--purge', 'paydesk');
    expect(existsSync('/usr/lib/paydesk')).toBe(false);
    expect(existsSync(join(DATA, 'paydesk.sqlite'))).toBe(true);
    run('dpkg', '--install', file);
  });

  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('the unit is valid and closed', () => {
    expect(run('systemd-analyze', 'verify', UNIT)).toBe('');
    expect(() => run('systemd-analyze', 'security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, UNIT)).not.toThrow();
  });
});
