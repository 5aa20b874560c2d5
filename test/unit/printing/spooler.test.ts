import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostOfShare, isQueueName, sendToQueue, sendToShare } from '../../../electron/printing/spooler.ts';

const BYTES = Buffer.from('\u001b@ one receipt \u001dV\u0001', 'latin1');
let folder: string;
const path = process.env.PATH;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-lp-'));
  const lp = join(folder, 'lp');
  await writeFile(
    lp,
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/arguments'\n[ "$2" = Gone ] && { echo 'lp: The printer or class does not exist.' >&2; exit 1; }\n[ "$2" = Stuck ] && exec sleep 20\ncat > '${folder}/bytes'\n`,
  );
  await chmod(lp, 0o755);
  process.env.PATH = `${folder}${delimiter}${path}`;
});
afterAll(async () => {
  process.env.PATH = path;
  await rm(folder, { recursive: true, force: true });
});

test.runIf(process.platform !== 'win32')('sends the bytes unchanged to a CUPS queue', async () => {
  expect(await sendToQueue('Front_Desk', BYTES)).toEqual({ sent: true });
  expect(await readFile(join(folder, 'bytes'))).toEqual(BYTES);
  expect((await readFile(join(folder, 'arguments'), 'utf8')).trim().split('\n')).toEqual([
    '-d',
    'Front_Desk',
    '-o',
    'raw',
    '-t',
    'Paydesk',
  ]);
});

test.runIf(process.platform !== 'win32')('reports errors of the print system, and gives up on silence', async () => {
  expect(await sendToQueue('Gone', Buffer.alloc(200_000))).toEqual({
    sent: false,
    isPartial: false,
    problem: 'The print system refused the job for Gone: lp: The printer or class does not exist.',
  });
  expect(await sendToQueue('Stuck', BYTES, 200)).toMatchObject({ sent: false, isPartial: true });
  process.env.PATH = join(folder, 'nothing');
  const outcome = await sendToQueue('Front_Desk', BYTES);
  process.env.PATH = `${folder}${delimiter}${path}`;
  expect(outcome).toEqual({ sent: false, isPartial: false, problem: 'This computer has no CUPS printing: the lp command is missing.' });
});

test.runIf(process.platform !== 'win32')('explains where a shared Windows printer can be used', async () => {
  expect(await sendToShare(String.raw`\\FRONT-PC\Receipts`, BYTES)).toMatchObject({
    sent: false,
    problem: expect.stringContaining('from Windows only'),
  });
});

test.each(['Front_Desk', 'EPSON-TM-T20', 'a.b@c+d'])('accepts %s as a queue', (name) => expect(isQueueName(name)).toBe(true));
test.each(['', '-o', 'a b', 'a;b', 'a/b', '$(x)', 'a\nb', 'x'.repeat(200)])('refuses %j as a queue', (name) =>
  expect(isQueueName(name)).toBe(false),
);

test.each([
  [String.raw`\\FRONT-PC\Receipts`, 'FRONT-PC'],
  [String.raw`\\10.0.0.5\Till printer`, '10.0.0.5'],
])('accepts %s as a share', (share, host) => expect(hostOfShare(share)).toBe(host));
test.each([
  String.raw`C:\Windows\win.ini`,
  String.raw`\\?\C:\file`,
  String.raw`\\.\COM1`,
  String.raw`\\pc\share\file.txt`,
  String.raw`\\pc\..`,
  String.raw`\\pc\a:stream`,
  '//pc/share',
  '/dev/usb/lp0',
  '',
])('refuses %j as a share', (share) => expect(hostOfShare(share)).toBeUndefined());
