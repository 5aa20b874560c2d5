import { expect, test } from 'vitest';
import { doubtBadge } from '../../../renderer/shell/doubt-badge.ts';

test.each([
  [
    { inDoubt: 0, inReview: 3, needsPerson: 0 },
    { count: 0, tone: 'warning', words: 'in doubt' },
  ],
  [
    { inDoubt: 2, inReview: 0, needsPerson: 0 },
    { count: 2, tone: 'warning', words: 'in doubt' },
  ],
  [
    { inDoubt: 2, inReview: 0, needsPerson: 1 },
    { count: 2, tone: 'error', words: 'in doubt, 1 needs somebody' },
  ],
  [
    { inDoubt: 0, inReview: 3, needsPerson: 1 },
    { count: 1, tone: 'error', words: 'needs somebody' },
  ],
  [
    { inDoubt: 1, inReview: 3, needsPerson: 2 },
    { count: 2, tone: 'error', words: 'need somebody' },
  ],
] as const)('shows the badge of %o as %o', (counts, badge) => {
  expect(doubtBadge(counts)).toEqual(badge);
});
