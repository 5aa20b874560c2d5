import { expect, test } from 'vitest';
import { readXml } from '../../../core/processing/gateways/nmi/xml.ts';
import { BLOCK_MS_MAX, processorMs } from '../../support/event-loop.ts';

const CHARACTERS = 4_000_000;
const repeated = (text: string) => text.repeat(CHARACTERS / text.length);

test.each([
  ['of a million elements', `<nm_response>${repeated('<a/>')}</nm_response>`],
  ['of a million levels', repeated('<a>')],
  ['of a million errors', `<nm_response>${repeated('</a>')}`],
  ['with a document type', `<!DOCTYPE a [${repeated('<!ENTITY a "b">')}]><a/>`],
  ['with an unknown entity', `<a>${repeated('&b;')}</a>`],
])('stops reading a response %s', (_name, document) => {
  const start = processorMs();
  expect(readXml(document)).toBeNull();
  expect(processorMs() - start).toBeLessThan(BLOCK_MS_MAX);
});

test('reads a page of transactions', () => {
  const transaction = `<transaction><transaction_id>1</transaction_id>${'<field>1</field>'.repeat(90)}</transaction>`;
  expect(readXml(`<nm_response>${transaction.repeat(500)}</nm_response>`)?.children).toHaveLength(500);
});
