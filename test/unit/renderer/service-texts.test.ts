import type { TObject } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DISPUTE_REASONS } from '#shared/dispute-reasons';
import { loadServiceTexts, serviceText } from '#shared/service-texts';
import { EVIDENCE_LABELS } from '../../../core/books/disputes/checklist.ts';
import { authorizeNet } from '../../../core/processing/gateways/authorizenet/index.ts';
import { nmi } from '../../../core/processing/gateways/nmi/index.ts';
import { REASON_TEXTS } from '../../../core/sales/payments/surcharge/rule.ts';
import spanish from '../../../renderer/base/language/service.es.json' with { type: 'json' };
import { choicesOf, requirementOf } from '../../../server/http/requirements.ts';
import { allRoutes } from '../../../server/routes/index.ts';
import { serviceTexts } from '../../support/service-texts.ts';

type Schema = Readonly<Record<string, unknown>>;
const catalogue: Readonly<Record<string, string>> = spanish;

/** Texts of tables that screens show. */
const TABLES = [
  ...DISPUTE_REASONS.flatMap(({ name, description }) => [name, description]),
  ...Object.values(EVIDENCE_LABELS),
  ...Object.values(REASON_TEXTS),
  ...[authorizeNet, nmi].flatMap(({ credentials }) => credentials.flatMap(({ label, hint }) => [label, hint])),
];

const placesOf = (text: string) => [...text.matchAll(/\{(\d)(?::text)?\}/g)].map(([, number]) => number).toSorted();
/** Returns a text with a value in each place. */
const filled = (text: string) => text.replaceAll(/\{(\d)(?::text)?\}/g, (_, number: string) => `value${number}`);

/** Returns the requirements of the fields of a schema that a mistake of a caller can show. */
function requirements(schema: Schema): string[] {
  return choicesOf(schema).flatMap((choice) => {
    const { properties, items, patternProperties } = choice as { properties?: object; items?: Schema; patternProperties?: object };
    const inner = [...Object.values(properties ?? {}), ...Object.values(patternProperties ?? {}), ...(items ? [items] : [])] as Schema[];
    return inner.flatMap((each) => [...['\u0001', 5.5, {}, [], true].map((value) => requirementOf(each, value)), ...requirements(each)]);
  });
}

describe('catalogue of the texts of the service', () => {
  test('translates every sentence of the service', () => {
    expect(serviceTexts().filter((text) => !Object.hasOwn(catalogue, text))).toEqual([]);
  });

  test('translates every text of the tables that screens show', () => {
    expect(TABLES.filter((text) => !Object.hasOwn(catalogue, text))).toEqual([]);
  });

  test('translates the name of every operation that a recent sign-in confirms', () => {
    const confirmed = allRoutes({} as never, () => ({}) as never).filter(({ confirms }) => confirms?.level === 'recent');
    expect(confirmed.map(({ summary }) => summary).filter((summary) => !Object.hasOwn(catalogue, summary))).toEqual([]);
  });

  test('translates the requirement of every field of a request', () => {
    const schemas = allRoutes({} as never, () => ({}) as never)
      .flatMap(({ body, query, upload }) => [body, query, upload?.fields])
      .filter((schema): schema is TObject => schema !== undefined);
    loadServiceTexts(catalogue);
    const found = new Set(schemas.flatMap((schema) => requirements(schema as unknown as Schema)));
    const translated = [...found].map((requirement) => [requirement, serviceText(requirement)] as const);
    expect(translated.filter(([requirement, text]) => text === requirement)).toEqual([]);
    // A description that only the general text translates stays English.
    const isGeneral = ([requirement, text]: readonly [string, string]) =>
      / .* /.test(requirement) && text === requirement.replace('be', 'ser');
    expect(translated.filter(isGeneral)).toEqual([]);
  });

  test('keeps the variable parts in translations', () => {
    expect(Object.entries(catalogue).filter(([key, text]) => String(placesOf(key)) !== String(placesOf(text)))).toEqual([]);
  });

  test('has no text that a longer one translates', () => {
    loadServiceTexts(catalogue);
    const wrong = Object.entries(catalogue).filter(([key, text]) => serviceText(filled(key)) !== filled(text));
    expect(wrong).toEqual([]);
  });
});

describe('serviceText', () => {
  beforeAll(() => loadServiceTexts(catalogue));
  afterAll(() => loadServiceTexts(null));

  test.each([
    ['The card has expired.', 'La tarjeta está vencida.'],
    ['There is no customer cus_1.', 'No existe el cliente cus_1.'],
    ['`sendVia` must be one of email, sms.', '`sendVia` debe ser uno de email, sms.'],
    ['Rule 2: The condition is empty.', 'Regla 2: La condición está vacía.'],
    ['The gateway refused: The card has expired.', 'La pasarela rechazó la operación: La tarjeta está vencida.'],
    [
      'This merchant already has a gateway named The card has expired.',
      'Este comercio ya tiene una pasarela llamada The card has expired.',
    ],
    ['The PIN is wrong. Locked by the bank. The PIN is wrong.', 'El PIN es incorrecto. Locked by the bank. El PIN es incorrecto.'],
    ['A text of a processor', 'A text of a processor'],
    ['', ''],
  ])('translates %j', (english, translation) => {
    expect(serviceText(english)).toBe(translation);
  });

  test('returns every text unchanged without a catalogue', () => {
    loadServiceTexts(null);
    expect(serviceText('The card has expired.')).toBe('The card has expired.');
    loadServiceTexts(catalogue);
  });
});
