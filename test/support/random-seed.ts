import fc from 'fast-check';
import { expect } from 'vitest';
import { sized } from './tier.ts';

/** The seed of the run, printed by test/run.ts at its start. */
const seed = Number(process.env.PAYDESK_TEST_SEED ?? 1);

// Each file starts with its own sequence, which does not depend on the files before it.
let state = [...(expect.getState().testPath ?? '')].reduce(
  (hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 16_777_619),
  seed ^ 2_166_136_261,
);
fc.configureGlobal({ seed, numRuns: sized(30, 300) });
Math.random = () => {
  // Mulberry32.
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};
