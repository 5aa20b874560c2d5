import { expect, test } from 'vitest';
import { DamagedDatabase, MixedInstallation } from '#core/database/integrity';
import { explainServiceFailure } from '../../electron/server-process/service-failure.ts';
import { offlineActionOf, offlinePage } from '../../electron/window/offline-page.ts';

const errorWithCode = (code: string, message = 'connect ECONNREFUSED 10.0.0.7:5432') => Object.assign(new Error(message), { code });

test.each([
  [errorWithCode('EADDRINUSE'), 'Port 4801 is in use', true],
  [errorWithCode('ENOSPC'), 'The data cannot be written', false],
  [errorWithCode('SQLITE_FULL'), 'The data cannot be written', false],
  [errorWithCode('EACCES'), 'The data cannot be opened', false],
  [errorWithCode('ECONNREFUSED'), 'The database isn’t responding', false],
  [errorWithCode('ENOTFOUND'), 'The database isn’t responding', false],
  [errorWithCode('57P03'), 'The database isn’t responding', false],
  [errorWithCode('28P01'), 'The database refuses the connection', false],
  [errorWithCode('SQLITE_CORRUPT'), 'The database file is damaged', false],
  [errorWithCode('SERVICE_UNAVAILABLE'), 'The database isn’t responding', false],
  [new Error('something else'), 'The service has stopped', false],
  ['no error at all', 'The service has stopped', false],
])('explains %s as "%s"', (cause, title, isPortTaken) => {
  const failure = explainServiceFailure(cause, 4801);
  expect(failure).toMatchObject({ title, isPortTaken });
  expect(failure.explanation).toMatch(/^\p{Lu}.*\.$|^[a-z].*\.$/u);
});

test('names a damaged database file and the steps that restore the data', () => {
  const failure = explainServiceFailure(new DamagedDatabase('/data/paydesk.sqlite', '/backups/paydesk-1.paydesk-backup'), 4801);
  expect(failure.title).toBe('The database file is damaged');
  expect(failure.explanation).toContain('The database file paydesk.sqlite is damaged.');
  expect(failure.explanation).toContain('npx paydesk restore /backups/paydesk-1.paydesk-backup --data-dir /data');
});

test('explains a lost database and parts of two installations with what to do', () => {
  const lost = { state: 'empty', evidence: 'master.key' } as const;
  const empty = explainServiceFailure(new DamagedDatabase('/data/paydesk.sqlite', null, { lost }), 4801);
  expect(empty.title).toBe('The database file is damaged');
  expect(empty.explanation).toMatch(/paydesk\.sqlite is empty, but master\.key shows .*npx paydesk restore BACKUP --data-dir \/data/);
  const parts = [
    { name: 'sandbox-gateway.sqlite', installationId: 'ins_2' },
    { name: 'paydesk.sqlite', installationId: 'ins_1' },
  ] as const;
  const mixed = explainServiceFailure(new MixedInstallation(...parts), 4801);
  expect(mixed.title).toBe('The data of this installation are incomplete');
  expect(mixed.explanation).toMatch(/ins_2.*ins_1.*Put back the part/);
});

test('never shows an untranslated message of SQLite', () => {
  for (const code of ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_READ', 'SQLITE_CANTOPEN', 'SQLITE_BUSY'])
    expect(explainServiceFailure(errorWithCode(code, 'database disk image is malformed'), 4801).explanation).not.toContain('malformed');
});

test('never shows the database address from a driver’s message', () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT'])
    expect(explainServiceFailure(errorWithCode(code), 4801).explanation).not.toContain('10.0.0.7');
});

test('escapes texts on the offline page and loads nothing', () => {
  const page = offlinePage({ title: '<img src=x>', explanation: '"&<script>1</script>', isPortTaken: false }, true, 4802);
  const html = Buffer.from(page.replace(/^[^,]*,/, ''), 'base64').toString();
  expect(html).not.toMatch(/<img|<script/);
  expect(html).toContain(`default-src 'none'`);
});

test.each([
  ['http://shell.paydesk.invalid/retry?', { do: 'retry' }],
  ['http://shell.paydesk.invalid/open-log-folder', { do: 'open-log-folder' }],
  ['http://shell.paydesk.invalid/use-port?port=5555', { do: 'use-port', port: 5555 }],
  ['http://shell.paydesk.invalid/use-port?port=80', undefined],
  ['http://shell.paydesk.invalid/use-port?port=1e4x', undefined],
  ['http://shell.paydesk.invalid/quit', undefined],
  ['https://shell.paydesk.invalid/retry', undefined],
  ['http://shell.paydesk.invalid.evil.test/retry', undefined],
  ['http://evil.test/retry', undefined],
  ['', undefined],
])('parses the address %j as the action %j', (address, action) => {
  expect(offlineActionOf(address)).toEqual(action);
});
