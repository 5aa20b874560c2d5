import { expect, test } from 'vitest';
import { unconfirmedBadge } from '../../../renderer/shell/unconfirmed-badge.ts';

test.each([
  [
    { unconfirmed: 0, inReview: 3, needsPerson: 0 },
    { count: 0, tone: 'warning', description: 'unconfirmed' },
  ],
  [
    { unconfirmed: 2, inReview: 0, needsPerson: 0 },
    { count: 2, tone: 'warning', description: 'unconfirmed' },
  ],
  [
    { unconfirmed: 2, inReview: 0, needsPerson: 1 },
    { count: 2, tone: 'error', description: 'unconfirmed, 1 needs review' },
  ],
  [
    { unconfirmed: 0, inReview: 3, needsPerson: 1 },
    { count: 1, tone: 'error', description: 'needs review' },
  ],
  [
    { unconfirmed: 1, inReview: 3, needsPerson: 2 },
    { count: 2, tone: 'error', description: 'need review' },
  ],
] as const)('shows for %o the badge %o', (counts, badge) => {
  expect(unconfirmedBadge(counts)).toEqual(badge);
});
