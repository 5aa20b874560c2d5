import type { Replication, Standby } from '#core/database';
import { sizeText } from '#shared/size-text';
import { counted, durationText, fact, item } from './item.ts';
import type { StatusItem } from './records.ts';

/** Time that a commit may wait for a synchronous standby. In a healthy network it takes milliseconds. */
const WAIT_MS = 5_000;

/** Returns the status of streaming replication: which standbys confirm changes, and how far the others are behind. */
export function replicationItem(replication: Replication): StatusItem {
  const { hosts, standbys, hidden, required, synchronousStandbyNames: names, waitingCommits, longestWaitMs } = replication;
  const synchronous = standbys.filter(({ isSynchronous }) => isSynchronous);
  const asynchronous = standbys.length - synchronous.length;
  const facts = [
    fact('Synchronous', counted(synchronous.length, 'standby', 'standbys')),
    fact('Asynchronous', counted(asynchronous, 'standby', 'standbys')),
    ...standbys.map((standby) => fact(standby.name || 'Standby', lagText(standby))),
    ...(waitingCommits === 0
      ? []
      : [fact('Waiting', `${counted(waitingCommits, 'change', 'changes')}, the longest for ${durationText(longestWaitMs)}`)]),
  ];
  const finding = (state: 'ok' | 'warning' | 'problem', message: string) => item('replication', { state, message }, facts);
  if (required > synchronous.length + hidden) {
    return finding(
      'problem',
      `Changes wait for a standby that is not connected: synchronous_standby_names (${names}) requires ${required}, and ${synchronous.length} confirm changes. Start the standby, or remove it from synchronous_standby_names.`,
    );
  }
  if (longestWaitMs > WAIT_MS)
    return finding(
      'problem',
      `A change has been waiting for a synchronous standby for ${durationText(longestWaitMs)}. Check the standby and its network.`,
    );
  if (hidden > 0)
    return finding(
      'warning',
      'The PostgreSQL role of Paydesk must not see the state of the standbys. Grant it the role pg_monitor to show their lag here.',
    );
  if (required > 0)
    return finding(
      'ok',
      `${counted(required, 'synchronous standby confirms', 'synchronous standbys confirm')} each change before it is answered.`,
    );
  if (standbys.length > 0)
    return finding(
      'warning',
      'Replication is asynchronous: a failover may lose the last sales. Set synchronous_standby_names, or synchronous_mode in Patroni.',
    );
  if (hosts > 1)
    return finding('warning', `The database address names ${hosts} hosts, but no standby is connected. If this server fails, sales stop.`);
  return finding('ok', 'This PostgreSQL server has no standby. If it fails, sales stop until it runs again.');
}

const lagText = ({ isSynchronous, lagBytes, lagMs }: Standby) =>
  `${isSynchronous ? 'synchronous' : 'asynchronous'}, ${lagBytes === 0 ? 'up to date' : `${sizeText(lagBytes)} behind`}${lagMs === null ? '' : `, lag ${(lagMs / 1_000).toFixed(1)} s`}`;
