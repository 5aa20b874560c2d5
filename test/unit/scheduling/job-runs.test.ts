import { expect, test } from 'vitest';
import { LastRuns } from '../../../core/platform/scheduling/job-status.ts';
import { groupOf } from '../../support/process-group.ts';

test('returns the last run of a job in any process of the server', async () => {
  const { groups } = groupOf(3);
  const [one, two, three] = groups.map((group) => new LastRuns(group)) as [LastRuns, LastRuns, LastRuns];
  one.record('deliver', 'ten_1', false);
  two.record('deliver', 'ten_1', true);
  two.record('clean-up', 'ten_2', false);
  expect([...(await three.of('ten_1'))]).toEqual([['deliver', { atMs: expect.any(Number), failed: true }]]);
  expect((await one.of('ten_2')).get('clean-up')).toMatchObject({ failed: false });
});
