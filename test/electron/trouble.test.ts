import { expect, test } from 'vitest';
import { DamagedDatabase } from '#core/platform/integrity';
import { troubleOf } from '../../electron/server-process/trouble.ts';
import { offlineActionOf, offlinePage } from '../../electron/window/offline-page.ts';

const fault = (code: string, message = 'connect ECONNREFUSED 10.0.0.7:5432') => Object.assign(new Error(message), { code });

test.each([
  [fault('EADDRINUSE'), 'Port 4801 is taken', true],
  [fault('ENOSPC'), 'Nothing can be written', false],
  [fault('SQLITE_FULL'), 'Nothing can be written', false],
  [fault('EACCES'), 'The data cannot be opened', false],
  [fault('ECONNREFUSED'), 'The database does not answer', false],
  [fault('ENOTFOUND'), 'The database does not answer', false],
  [fault('57P03'), 'The database does not answer', false],
  [fault('28P01'), 'The database lets nobody in', false],
  [fault('SQLITE_CORRUPT'), 'The database file is damaged', false],
  [fault('SERVICE_UNAVAILABLE'), 'The database does not answer', false],
  [new Error('something else'), 'The service has stopped', false],
  ['no error at all', 'The service has stopped', false],
])('%s is said as %s', (cause, title, isPortTaken) => {
  const trouble = troubleOf(cause, 4801);
  expect(trouble).toMatchObject({ title, isPortTaken });
  expect(trouble.words).toMatch(/^\p{Lu}.*\.$|^[a-z].*\.$/u);
});

test('a damaged file is stated with its name and the steps that restore the data', () => {
  const trouble = troubleOf(new DamagedDatabase('/data/paydesk.sqlite', '/backups/paydesk-1.paydesk-backup'), 4801);
  expect(trouble.title).toBe('The database file is damaged');
  expect(trouble.words).toContain('The database file paydesk.sqlite is damaged.');
  expect(trouble.words).toContain('npm run restore -- /backups/paydesk-1.paydesk-backup --data-dir /data');
});

test('the words of SQLite never become the sentence of the page', () => {
  for (const code of ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_READ', 'SQLITE_CANTOPEN', 'SQLITE_BUSY'])
    expect(troubleOf(fault(code, 'database disk image is malformed'), 4801).words).not.toContain('malformed');
});

test('what a driver says of an address does not become the person’s sentence', () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT']) expect(troubleOf(fault(code), 4801).words).not.toContain('10.0.0.7');
});

test('the page shows words and loads nothing', () => {
  const page = offlinePage({ title: '<img src=x>', words: '"&<script>1</script>', isPortTaken: false }, true, 4802);
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
])('%j asks for %j', (address, action) => {
  expect(offlineActionOf(address)).toEqual(action);
});
