import { expect, test } from 'vitest';
import { forProduction } from '../../../scripts/production.ts';

test.each(['development', undefined])('a build is for production if NODE_ENV is %s, which it is again afterwards', async (given) => {
  const former = process.env.NODE_ENV;
  const set = (value: string | undefined) => {
    if (value === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = value;
  };
  set(given);
  try {
    expect(await forProduction(async () => process.env.NODE_ENV)).toBe('production');
    await expect(forProduction(() => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    expect(process.env.NODE_ENV).toBe(given);
  } finally {
    set(former);
  }
});
