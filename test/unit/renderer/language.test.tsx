import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Trans, t } from '#renderer/base/language';
import shellEn from '../../../electron/language/en.json' with { type: 'json' };
import shellEs from '../../../electron/language/es.json' with { type: 'json' };
import en from '../../../renderer/base/language/en.json' with { type: 'json' };
import es from '../../../renderer/base/language/es.json' with { type: 'json' };
import esBeforeSignIn from '../../../renderer/base/language/sign-in.es.json' with { type: 'json' };
import { catalogueTexts } from '../../support/catalogue-texts.ts';
import { loadedWith } from '../../support/imports.ts';
import { filesOf } from '../../support/sources.ts';

type Catalogue = Readonly<Record<string, string>>;
const CATALOGUES: [name: string, folder: 'renderer' | 'electron', english: Catalogue, spanish: Catalogue][] = [
  ['screens', 'renderer', en, { ...es, ...esBeforeSignIn }],
  ['desktop application', 'electron', shellEn, shellEs],
];
/** Returns the placeholders and marks of a text, sorted. */
const placesOf = (text: string) => [...text.matchAll(/\{\{[^}]*\}\}|<\/?\d\/?>/g)].map(([place]) => place).toSorted();

describe.each(CATALOGUES)('texts of the %s', (_name, folder, english, spanish) => {
  const texts = catalogueTexts(folder);
  const keys = new Set(texts.map(({ text }) => text));
  const singulars = new Set(texts.filter(({ isCounted }) => isCounted).map(({ text }) => `${text}_one`));

  test('have a Spanish translation, and no translation is unused', () => {
    expect([...keys, ...singulars].filter((key) => !Object.hasOwn(spanish, key))).toEqual([]);
    expect(Object.keys(spanish).filter((key) => !keys.has(key) && !singulars.has(key))).toEqual([]);
  });

  test('have an English singular where they count, and nothing else', () => {
    expect(Object.keys(english).toSorted()).toEqual([...singulars].toSorted());
  });

  test('keep their placeholders and marks in translations', () => {
    const broken = Object.entries({ ...spanish }).filter(([key, text]) => {
      const places = placesOf(key.replace(/_one$/, ''));
      const found = placesOf(text);
      // A singular may be written without its number.
      return key.endsWith('_one') ? found.some((place) => !places.includes(place)) : String(found) !== String(places);
    });
    expect(broken).toEqual([]);
  });

  test('are whole: none begins or ends with a space or a comma', () => {
    // A name of a file may begin with a dot.
    expect([...keys].filter((key) => /^(?:[\s,;:]|\.(?!\w))|[\s,]$/.test(key))).toEqual([]);
  });
});

test('Spanish texts that are shown before the sign-in, and no others, are in the catalogue that the sign-in waits for', () => {
  const loaded = loadedWith('renderer/main.tsx', 'renderer/product.tsx', filesOf('renderer', ['.ts', '.tsx']));
  const texts = catalogueTexts('renderer').filter(({ path }) => loaded.has(`renderer/${path}`));
  const keys = texts.flatMap(({ text, isCounted }) => (isCounted ? [text, `${text}_one`] : [text]));

  expect(Object.keys(esBeforeSignIn).toSorted()).toEqual([...new Set(keys)].toSorted());
  expect(Object.keys(es).filter((key) => Object.hasOwn(esBeforeSignIn, key))).toEqual([]);
});

describe('t', () => {
  test('returns the English text with its values, also if they look like placeholders or functions of the catalogue', () => {
    expect(t('Refund {{amount}} to {{customer}}?', { amount: '5.00 USD', customer: '{{amount}} $t(Save) <b>' })).toBe(
      'Refund 5.00 USD to {{amount}} $t(Save) <b>?',
    );
  });

  test('ends a sentence with one period after a Spanish time, which has one of its own', () => {
    expect(t('No connection since {{time}}.', { time: '5:19 p. m.' })).toBe('No connection since 5:19 p. m.');
    expect(t('No connection since {{time}}.', { time: '5:19\u202fp.m.' })).toBe('No connection since 5:19\u202fp.m.');
    expect(t('No connection since {{time}}.', { time: '5:19 PM' })).toBe('No connection since 5:19 PM.');
  });

  test('writes numbers with separators', () => {
    expect(t('{{count, number}} of many', { count: 12_345 })).toBe('12,345 of many');
  });
});

test('Trans puts elements at their marks, and shows marks within values as text', () => {
  const markup = renderToStaticMarkup(
    Trans({
      i18nKey: 'Paid by <0>{{customer}}</0> on {{day}}.<1/>',
      components: [<b key="0" />, <br key="1" />],
      values: { customer: '<1/> & Co', day: 'Monday' },
    }),
  );
  expect(markup).toBe('Paid by <b>&lt;1/&gt; &amp; Co</b> on Monday.<br/>');
});
