import { expect, test } from 'vitest';
import { sendToNetwork } from '../../../electron/printing/network.ts';
import { isHost, isPrinterPort, locate } from '../../../electron/printing/network-location.ts';
import { startFakePrinter } from '../../support/fake-printer.ts';

/** Limits that a busy computer does not exceed. A printer that keeps the connection open has its job soon. */
const PATIENT = { connectMs: 30_000, stallMs: 30_000, lingerMs: 100 };
const BYTES = Buffer.from('\u001b@ one receipt \n');
/** More than the buffers at both ends of a connection. */
const LONG = Buffer.alloc(32 * 1024 * 1024, 0x20);
const to = (port: number) => ({ address: '127.0.0.1', port, displayAddress: 'Front desk' });

test.each(['takes', 'lingers'] as const)('sends every byte to a printer that %s a job, and counts the job as sent', async (manner) => {
  await using printer = await startFakePrinter();
  printer.behavior = manner;
  expect(await sendToNetwork(to(printer.port), BYTES, PATIENT)).toEqual({ sent: true });
  // The printer may read the end of the job later.
  await expect.poll(() => printer.jobs).toEqual([BYTES]);
});

test('reports a broken connection as possibly printed', async () => {
  await using printer = await startFakePrinter();
  printer.behavior = 'breaks';
  const outcome = await sendToNetwork(to(printer.port), LONG, PATIENT);
  expect(outcome).toEqual({
    sent: false,
    isPartial: true,
    problem: 'The connection to Front desk was lost. Part of it may have been printed. Check the printer before you try again.',
  });
});

test('reports a printer that stops reading', async () => {
  await using printer = await startFakePrinter();
  printer.behavior = 'stalls';
  expect(await sendToNetwork(to(printer.port), LONG, { ...PATIENT, stallMs: 300 })).toMatchObject({
    sent: false,
    isPartial: true,
    problem: expect.stringContaining('have paper'),
  });
});

test('explains that a printer that is off accepts nothing', async () => {
  const { port, [Symbol.asyncDispose]: stop } = await startFakePrinter();
  await stop();
  expect(await sendToNetwork(to(port), BYTES, PATIENT)).toEqual({
    sent: false,
    isPartial: false,
    problem: 'No printer accepts jobs at Front desk. Is the printer on, and is the port correct?',
  });
});

test('gives up on an address that does not answer', async () => {
  // Addresses for documentation, which no computer has.
  const nowhere = { address: '192.0.2.1', port: 9100, displayAddress: 'Front desk' };
  const outcome = await sendToNetwork(nowhere, BYTES, { ...PATIENT, connectMs: 400 });
  expect(outcome).toMatchObject({ sent: false, isPartial: false });
});

test.each([
  ['127.0.0.1', 'own'],
  ['::1', 'own'],
  ['192.168.1.50', 'own'],
  ['10.0.0.9', 'own'],
  ['169.254.7.7', 'own'],
  ['fd00::5', 'own'],
  ['localhost', 'own'],
  ['::ffff:8.8.8.8', 'outside'],
  ['8.8.8.8', 'outside'],
  ['0.0.0.0', 'outside'],
  ['2001:4860::8888', 'outside'],
  ['no-such-printer.invalid', 'unknown'],
] as const)('parses the address %s as %s', async (host, kind) => {
  expect((await locate(host, 9100, [])).kind).toBe(kind);
});

test.each(['printer', 'front-desk.local', '10.0.0.9', '::1', 'EPSON_1.lan'])('accepts %s as a host', (host) =>
  expect(isHost(host)).toBe(true),
);
test.each(['', 'a b', 'http://printer', 'printer:9100', '-o', 'a..b', 'x'.repeat(300), 'a\nb', 'printer/1', '[::1]'])(
  'refuses %j as a host',
  (host) => {
    expect(isHost(host)).toBe(false);
  },
);

test('prints to ports of printers without a question', () => {
  const ports = Array.from({ length: 65_535 }, (_, index) => index + 1).filter(isPrinterPort);
  expect(ports).toEqual([515, 6_101, ...Array.from({ length: 10 }, (_, index) => 9_100 + index)]);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['::1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['127.7.7.7', '0.0.0.0'],
  ['192.168.1.50', '192.168.1.50'],
])('recognizes a port of Paydesk at %s, if it listens at %s', async (host, own) => {
  const ownAddresses = [{ host: own, port: 9100 }];
  expect(await locate(host, 9100, ownAddresses)).toEqual({ kind: 'paydesk' });
  expect((await locate(host, 9101, ownAddresses)).kind).toBe('own');
});
