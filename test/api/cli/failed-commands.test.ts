import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { SETTINGS } from '../../../cli/connection.ts';
import { main, program } from '../../../cli/main.ts';

const NO_SERVER = 'http://127.0.0.1:1';
const NO_DATABASE = 'postgres://127.0.0.1:1/none';

let inputs: string;
let folder: string;
const before = { ...process.env };
beforeAll(async () => {
  inputs = await mkdtemp(join(tmpdir(), 'paydesk-inputs-'));
  writeFileSync(join(inputs, 'a.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 });
  writeFileSync(join(inputs, 'text'), 'neither a backup nor a recovery file\n');
  writeFileSync(join(inputs, 'nmi.json'), JSON.stringify({ securityKey: 'x'.repeat(32) }));
  mkdirSync(join(inputs, 'empty'));
  for (const name of Object.values(SETTINGS)) process.env[name] = 'x';
  process.env[SETTINGS.url] = NO_SERVER;
});
afterEach(() => {
  process.exitCode = undefined;
});
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  await rm(inputs, { recursive: true, force: true });
});

/** Arguments with which a command fails. `INPUTS` are files that exist, `NEW` is a folder that does not. */
const FAILURES: readonly (readonly [args: string, code: number, message: RegExp])[] = [
  ['up --data-dir NEW/data --port 0 --env NEW/.env --webhook-ca NEW/ca.pem', 1, /certificates .* cannot be read from .*ca\.pem/],
  ['up --data-dir NEW/data --port x', 2, /whole number/],
  ['listen --forward here --state NEW/state.json', 2, /here/],
  ['trigger transaction.exploded', 2, /There is no event type transaction\.exploded/],
  ['trigger transaction.approved', 3, /did not respond|cannot be reached|127\.0\.0\.1:1/],
  ['events --limit 201', 2, /whole number/],
  ['events', 3, /127\.0\.0\.1:1/],
  ['clock tomorrow', 2, /neither a duration/],
  ['tail --once', 3, /127\.0\.0\.1:1/],
  ['record start name', 3, /127\.0\.0\.1:1/],
  ['record stop NEW/recording.jsonl', 3, /127\.0\.0\.1:1/],
  ['replay NEW/recording.jsonl', 2, /There is no file .*recording\.jsonl/],
  ['mcp --url http://127.0.0.1:2', 2, /--url is http:\/\/127\.0\.0\.1:2/],
  ['simulator nobody', 2, /nobody/],
  ['trial --gateway nobody --credentials NEW/a.json --report NEW/trial.json', 2, /nobody/],
  ['trial --gateway nmi --credentials NEW/missing.json --report NEW/trial.json', 2, /There is no file .*missing\.json/],
  ['trial --gateway nmi --credentials INPUTS/text --report NEW/trial.json', 2, /must be a JSON object/],
  ['trial --gateway nmi --credentials INPUTS/nmi.json --report NEW/trial.json', 2, /No file can be written into/],
  ['trial --gateway nmi --credentials INPUTS/nmi.json --report trial.json --key INPUTS/text', 2, /contains no private key/],
  ['trial --gateway authorizenet --credentials INPUTS/nmi.json --report trial.json', 2, /The credentials lack/],
  ['trial --gateway nmi --credentials INPUTS/nmi.json --report trial.json --origin http://127.0.0.1:1', 1, /Nothing was charged/],
  ['serve --data-dir NEW/data --web-root INPUTS --webhook-ca NEW/ca.pem', 1, /certificates .* cannot be read/],
  ['serve --data-dir NEW/data --web-root INPUTS --enterprise-limits many', 1, /./],
  ['serve --data-dir NEW/data --web-root INPUTS --port 0 --public-url nowhere', 1, /--public-url/],
  ['serve --data-dir NEW/data --web-root INPUTS --master-key INPUTS/text', 1, /does not contain 64 hexadecimal digits|chmod 600/],
  ['serve --data-dir NEW/data --web-root INPUTS --database-url DATABASE', 1, /./],
  ['status', 3, /did not respond/],
  ['seed --transactions 1 --data-dir NEW/data --database-url DATABASE', 1, /./],
  ['seed --transactions 1', 2, /--data-dir is required/],
  ['backup --data-dir NEW/data --to NEW/backups', 1, /There is no paydesk\.sqlite in/],
  ['backup --data-dir INPUTS/empty --to NEW/backups --master-key INPUTS/a.key', 1, /There is no paydesk\.sqlite in/],
  ['backup --to NEW/backups', 2, /--data-dir is required, or --database-url and --master-key/],
  ['backup --to NEW/backups --database-url DATABASE --master-key NEW/missing.key', 1, /There is no key file .*missing\.key/],
  ['backup --to NEW/backups --database-url DATABASE --master-key INPUTS/a.key', 1, /127\.0\.0\.1:1/],
  [
    'restore NEW/missing.paydesk-backup --data-dir NEW/data --master-key INPUTS/a.key',
    1,
    /There is no backup file .*missing\.paydesk-backup/,
  ],
  ['restore INPUTS/text --data-dir NEW/data --master-key INPUTS/a.key', 1, /not a Paydesk backup/],
  ['restore INPUTS/text --data-dir INPUTS/empty --master-key INPUTS/a.key', 1, /not a Paydesk backup/],
  ['restore INPUTS/text --data-dir NEW/data --master-key NEW/missing.key', 1, /There is no key file .*missing\.key/],
  ['ledger --data-dir NEW/data', 1, /There is no paydesk\.sqlite in/],
  ['audit verify', 3, /127\.0\.0\.1:1/],
  ['audit verify --anchor-file NEW/audit.jsonl', 2, /audit\.jsonl cannot be read/],
  ['recover-key NEW/missing.json --data-dir NEW/data', 2, /There is no file .*missing\.json/],
  ['recover-key INPUTS/text --data-dir NEW/data', 1, /./],
  ['rotate-key --data-dir NEW/data', 1, /contains no installation, so there is no key to exchange/],
  ['rotate-key --data-dir INPUTS/empty --data-keys', 1, /contains no installation/],
  ['rotate-key --database-url DATABASE', 2, /--data-dir is required, also with --database-url/],
  ['completion cmd', 2, /cmd/],
];

test('the table of failures has every command', () => {
  const names = new Set(FAILURES.map(([args]) => args.split(' ')[0]));
  expect([...names].toSorted()).toEqual(
    program()
      .commands.map((command) => command.name())
      .toSorted(),
  );
});

test.each(FAILURES)('leaves no file behind: paydesk %s', async (args, code, message) => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-failed-'));
  const cwd = process.cwd();
  process.chdir(folder);
  process.env.PAYDESK_PASSPHRASE = 'a passphrase of a test';
  const written: string[] = [];
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => written.push(String(text)) > 0),
  );
  onTestFinished(async () => {
    process.chdir(cwd);
    await rm(folder, { recursive: true, force: true });
  });
  const inputsBefore = readdirSync(inputs, { recursive: true });
  await main(
    args.split(' ').map((word) => word.replace('NEW', join(folder, 'new')).replace('INPUTS', inputs).replace('DATABASE', NO_DATABASE)),
  );
  for (const spy of spies) spy.mockRestore();
  expect([process.exitCode, written.join('')]).toEqual([code, expect.stringMatching(message)]);
  expect(readdirSync(folder, { recursive: true })).toEqual([]);
  expect(readdirSync(inputs, { recursive: true })).toEqual(inputsBefore);
});
