import { expect, test } from 'vitest';
import type { Replication, Standby } from '#core/database';
import { replicationItem } from '../../../core/operation/status/replication.ts';

const ALONE: Replication = {
  hosts: 1,
  primary: '10.0.0.1:5432',
  timeline: 1,
  serverVersion: '17.6',
  synchronousStandbyNames: '',
  required: 0,
  standbys: [],
  hidden: 0,
  waitingCommits: 0,
  longestWaitMs: 0,
};
const SYNCHRONOUS: Standby = { name: 'db2', isSynchronous: true, lagBytes: 0, lagMs: 2 };
const ASYNCHRONOUS: Standby = { name: 'db3', isSynchronous: false, lagBytes: 4_200_000, lagMs: 1_540 };
const NAMED = { synchronousStandbyNames: 'db2', required: 1 };

test.each<[string, Partial<Replication>, string, RegExp]>([
  ['reports a server without a standby', {}, 'ok', /has no standby/],
  ['warns about several hosts without a standby', { hosts: 3 }, 'warning', /names 3 hosts, but no standby is connected/],
  ['warns about asynchronous replication', { standbys: [ASYNCHRONOUS] }, 'warning', /asynchronous: a failover may lose the last sales/],
  ['confirms a synchronous standby', { ...NAMED, standbys: [SYNCHRONOUS, ASYNCHRONOUS] }, 'ok', /^1 synchronous standby confirms each/],
  ['reports a named standby that is gone', NAMED, 'problem', /not connected: synchronous_standby_names \(db2\) requires 1, and 0 confirm/],
  [
    'reports one of two required standbys that is gone',
    { synchronousStandbyNames: 'FIRST 2 (db2, db3)', required: 2, standbys: [SYNCHRONOUS, ASYNCHRONOUS] },
    'problem',
    /requires 2, and 1 confirm/,
  ],
  [
    'reports changes that wait for a standby that is still connected',
    { ...NAMED, standbys: [SYNCHRONOUS], waitingCommits: 4, longestWaitMs: 12_000 },
    'problem',
    /waiting for a synchronous standby for 12 seconds/,
  ],
  ['asks for the right to see the standbys', { ...NAMED, hidden: 1 }, 'warning', /pg_monitor/],
  ['reports a named standby that is gone without that right', NAMED, 'problem', /not connected/],
])('%s', (_, found, state, message) => {
  expect(replicationItem({ ...ALONE, ...found })).toMatchObject({ name: 'replication', state, message: expect.stringMatching(message) });
});

test('shows the number and the lag of the standbys', () => {
  const { facts } = replicationItem({ ...ALONE, ...NAMED, standbys: [SYNCHRONOUS, ASYNCHRONOUS], waitingCommits: 1, longestWaitMs: 900 });
  expect(facts.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Synchronous: 1 standby',
    'Asynchronous: 1 standby',
    'db2: synchronous, up to date, lag 0.0 s',
    'db3: asynchronous, 4.2 MB behind, lag 1.5 s',
    'Waiting: 1 change, the longest for 1 second',
  ]);
});
