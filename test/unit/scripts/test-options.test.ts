import { expect, test } from 'vitest';
import { HELP_TEXT, readOptions } from '../../runner/options.ts';

test('reads the options of `npm test`', () => {
  expect(readOptions(['--seed', '7', '--browsers', 'firefox,webkit'])).toMatchObject({
    seed: '7',
    browsers: 'firefox,webkit',
    full: false,
  });
});

test('explains each option of `npm test`', () => {
  expect(readOptions(['--help']).help).toBe(true);
  for (const name of Object.keys(readOptions(['--seed=1', '--date=x', '--browsers=firefox', '--postgres=x'])))
    expect(HELP_TEXT).toContain(`  --${name}`);
});

test('names an unknown option and an unknown browser of `npm test`', () => {
  expect(() => readOptions(['--sead', '7'])).toThrow("Unknown option '--sead'");
  expect(() => readOptions(['--browsers', 'lynx'])).toThrow('There is no browser lynx. --browsers knows firefox');
});
