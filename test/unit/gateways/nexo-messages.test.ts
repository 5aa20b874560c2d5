import { describe, expect, test } from 'vitest';
import { money, parseCurrency } from '#core/kernel';
import { addressFault, parseAddress } from '../../../core/processing/gateways/nexo/address.ts';
import { certificateFrom, isNameOf } from '../../../core/processing/gateways/nexo/certificate.ts';
import { groupIn, readJson, textIn } from '../../../core/processing/gateways/nexo/json.ts';
import { newServiceId, paymentBody, referenceOf, serviceIdOf, transactionOf } from '../../../core/processing/gateways/nexo/messages.ts';
import { open, seal, sharedKeyOf } from '../../../core/processing/gateways/nexo/security.ts';
import { createRoot } from '../../../simulators/nexo/certificates.ts';

const KEY = sharedKeyOf({ identifier: 'key', version: '1', passphrase: 'paydesk-test-passphrase' });
const NONCE = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
const TEXT = '{"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0"}}}';
const BLOB = 'iWMD9S5+y4wqbnh48WwAUEyF9rgspCYm2XpFWvyv38K2RSWQgSSxMObakJNTx9YuIp+hWErgvTIt5BbNyWHkOQS3HPWMwoMLYgP3Dj8j3wk=';
const HMAC = 'c4IgOOSNsT/haeAbgn9qxuk0uiLsNIKL79XxXC5J2xc=';

describe('encryption of nexo messages', () => {
  test('derives the keys and encrypts as the published test vector', () => {
    expect(KEY.hmac.toString('hex')).toBe('a0705fbcebfe022a9c28310a4c8a9df656beb45406b4beda23c584697ddebdd0');
    expect(KEY.aes.toString('hex')).toBe('1f093e0672b90c928b1b38749e0f6e4316a1075c753f0d96795f12371528850b');
    expect(KEY.iv.toString('hex')).toBe('16d08d89c602a0aa23687086976598a4');
    const { NexoBlob, SecurityTrailer } = seal(KEY, TEXT, NONCE);
    expect(NexoBlob).toBe(BLOB);
    expect(SecurityTrailer).toEqual({
      AdyenCryptoVersion: 1,
      KeyIdentifier: 'key',
      KeyVersion: 1,
      Nonce: NONCE.toString('base64'),
      Hmac: HMAC,
    });
  });

  const trailer = { AdyenCryptoVersion: '1', KeyIdentifier: 'key', KeyVersion: '1', Nonce: NONCE.toString('base64'), Hmac: HMAC };

  test('decrypts a message of its own key', () => {
    expect(open(KEY, BLOB, trailer)).toBe(TEXT);
  });

  test.each([
    ['another key identifier', BLOB, { KeyIdentifier: 'other' }],
    ['another key version', BLOB, { KeyVersion: '2' }],
    ['another crypto version', BLOB, { AdyenCryptoVersion: '2' }],
    ['a wrong HMAC', BLOB, { Hmac: Buffer.alloc(32).toString('base64') }],
    ['a short HMAC', BLOB, { Hmac: 'AAAA' }],
    ['another nonce', BLOB, { Nonce: Buffer.alloc(16).toString('base64') }],
    ['a short nonce', BLOB, { Nonce: 'AAAA' }],
    ['a blob that is cut', BLOB.slice(0, 40), {}],
    ['a blob that is not base64', `!${BLOB.slice(1)}`, {}],
    ['no blob', undefined, {}],
  ])('refuses a message with %s in the same way', (_, blob, changes) => {
    expect(open(KEY, blob, { ...trailer, ...changes })).toBeNull();
  });

  test('uses another nonce for each message', () => {
    const nonces = Array.from({ length: 20 }, () => seal(KEY, TEXT).SecurityTrailer.Nonce);
    expect(new Set(nonces).size).toBe(20);
  });
});

describe('nexo messages', () => {
  test('writes amounts as decimal numbers without binary fractions', () => {
    const body = (minor: number, currency: string) =>
      JSON.stringify(
        paymentBody({ operation: 'sale', processorRef: 'R', amount: money(minor, parseCurrency(currency)) }, '2026-11-28T15:04:05.000Z'),
      );
    expect(body(2_550, 'USD')).toContain('"RequestedAmount":25.50}');
    expect(body(123_456_789_012_345, 'USD')).toContain('"RequestedAmount":1234567890123.45}');
    expect(body(500, 'JPY')).toContain('"RequestedAmount":500}');
  });

  test('reads numbers by their digits, and refuses deep, long and broken texts', () => {
    const read = readJson('{"a":{"amount":1234567890123.45,"text":"[[[["}}', 3);
    expect(textIn(groupIn(read ?? {}, 'a'), 'amount')).toBe('1234567890123.45');
    expect(readJson('{"a":{"b":{"c":{}}}}', 3)).toBeUndefined();
    expect(readJson('['.repeat(100_000), 16)).toBeUndefined();
    expect(readJson('{"a":', 3)).toBeUndefined();
    expect(readJson('[]', 3)).toBeUndefined();
    expect(groupIn(readJson('{"a":1}', 3) ?? {}, 'constructor', 'prototype')).toEqual({});
  });

  test('derives the service ID of a payment from its reference, with ten letters and digits', () => {
    expect(serviceIdOf('K3V7Q2M9T4X8B6N1C5D0')).toBe(serviceIdOf('K3V7Q2M9T4X8B6N1C5D0'));
    const ids = Array.from({ length: 2_000 }, (_, at) => serviceIdOf(`REFERENCE${at}`));
    expect(new Set(ids).size).toBe(2_000);
    for (const id of [...ids, newServiceId()]) expect(id).toMatch(/^[0-9A-Za-z]{10}$/);
  });

  test('keeps the time of a payment in its reference, which a reversal needs', () => {
    expect(referenceOf('T1.P2', '2026-11-28T15:04:31.000Z')).toBe('T1.P2@2026-11-28T15:04:31.000Z');
    expect(transactionOf('T1.P2@2026-11-28T15:04:31.000Z')).toEqual({ id: 'T1.P2', at: '2026-11-28T15:04:31.000Z' });
    expect(referenceOf('T1.P2', 'yesterday')).toBe('T1.P2');
    expect(transactionOf('T1.P2')).toBeUndefined();
    expect(referenceOf('<b>', undefined)).toBeUndefined();
  });
});

describe('addresses and certificates of nexo readers', () => {
  test.each([
    ['192.168.1.50', { host: '192.168.1.50', port: 8443, text: '192.168.1.50' }],
    [' Reader.Shop.LAN ', { host: 'reader.shop.lan', port: 8443, text: 'reader.shop.lan' }],
    ['[fd00::12]', { host: 'fd00::12', port: 8443, text: '[fd00::12]' }],
    ['127.0.0.1:4751', { host: '127.0.0.1', port: 4751, isLoopback: true, text: '127.0.0.1:4751' }],
    ['192.168.1.50:8443', { text: '192.168.1.50' }],
  ])('reads the address %s', (text, expected) => {
    expect(parseAddress(text)).toMatchObject(expected);
  });

  test.each(['', 'http://192.168.1.50', '192.168.1.50/nexo', 'a b', '192.168.1.50:0', '192.168.1.50:70000', 'fd00::12', 'user@host'])(
    'refuses %s as an address',
    (text) => {
      expect(parseAddress(text)).toBeUndefined();
    },
  );

  test('allows another port, and this computer, only for a simulator', () => {
    const fault = (text: string, mode: 'test' | 'live') => addressFault(parseAddress(text) as never, mode);
    expect(fault('192.168.1.50', 'live')).toBeNull();
    expect(fault('192.168.1.50:22', 'live')).toContain('8443');
    expect(fault('192.168.1.50:22', 'test')).toContain('8443');
    expect(fault('127.0.0.1:4751', 'test')).toBeNull();
    expect(fault('127.0.0.1:4751', 'live')).toContain('test mode');
  });

  test('reads a certificate whose lines were joined, and compares names with the reader and the environment', () => {
    const { certificate } = createRoot();
    expect(certificateFrom(certificate.replaceAll('\n', ' '))?.certificate.ca).toBe(true);
    expect(certificateFrom('no certificate')).toBeUndefined();
    expect(isNameOf('V400m-123456789.live.terminal.adyen.com', 'V400m-123456789', 'live')).toBe(true);
    expect(isNameOf('legacy-terminal-certificate.live.terminal.adyen.com', 'V400m-123456789', 'live')).toBe(true);
    expect(isNameOf('V400m-123456789.test.terminal.adyen.com', 'V400m-123456789', 'live')).toBe(false);
    expect(isNameOf('V400m-000000000.live.terminal.adyen.com', 'V400m-123456789', 'live')).toBe(false);
    expect(isNameOf('V400m-123456789.live.terminal.adyen.com.evil.example', 'V400m-123456789', 'live')).toBe(false);
  });
});
