import type { FailoverRehearsals } from '#renderer/client';

type Running = NonNullable<FailoverRehearsals['running']>;
type Certificate = FailoverRehearsals['certificates'][number];

const UNKNOWN = 'not measured';

/** Returns a duration such as "0.4 s". */
export const secondsText = (ms: number | null): string => (ms === null ? UNKNOWN : `${(ms / 1_000).toFixed(1)} s`);

const PHASES: Readonly<Record<Running['phase'], string>> = {
  'selling-before': 'Sandbox sales are running. The failover follows in a few seconds.',
  switching: 'Waiting until another server is the primary.',
  'selling-after': 'Another server is the primary. Sales continue.',
  checking: 'Comparing the acknowledged sales with the database and the processor.',
};

/** Returns the progress of a rehearsal in one sentence. */
export const phaseText = ({ phase, command }: Running): string =>
  phase === 'switching' && command !== null ? 'Run this command on a database server now:' : PHASES[phase];

const countText = (count: number | null) => (count === null ? UNKNOWN : count.toLocaleString('en-US'));

/** Returns the figures of a certificate: "Gap 0.4 s · 0 of 52 sales lost · 0 doubled". */
export function figuresOf({ gapMs, acknowledged, lost, doubled, unconfirmed }: Certificate): string {
  return [
    `Gap: ${secondsText(gapMs)}`,
    `Sales: ${acknowledged.toLocaleString('en-US')}`,
    `Lost: ${countText(lost)}`,
    `Doubled: ${countText(doubled)}`,
    ...(unconfirmed ? [`Unconfirmed: ${countText(unconfirmed)}`] : []),
  ].join(' · ');
}

/** Returns the circumstances of a certificate. */
export function factsOf({
  fromServer,
  toServer,
  carriedOutBy,
  serverVersion,
  synchronousStandbys,
  actor,
  usualGapMs,
}: Certificate): string {
  const servers = fromServer !== null && toServer !== null ? `from ${fromServer} to ${toServer}` : null;
  return [
    servers,
    `by ${carriedOutBy === 'patroni' ? 'Patroni' : 'hand'}`,
    `PostgreSQL ${serverVersion}`,
    `${synchronousStandbys} synchronous ${synchronousStandbys === 1 ? 'standby' : 'standbys'}`,
    usualGapMs === null ? null : `usual gap ${secondsText(usualGapMs)}`,
    `started by ${actor}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
