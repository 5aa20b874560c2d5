import type { FailoverRehearsals } from '#renderer/base/client';
import { numberText, t } from '#renderer/base/language';

type Running = NonNullable<FailoverRehearsals['running']>;
type Certificate = FailoverRehearsals['certificates'][number];

const UNKNOWN = t('not measured');

/** Returns a duration such as "0.4 s". */
export const secondsText = (ms: number | null): string => (ms === null ? UNKNOWN : `${(ms / 1_000).toFixed(1)} s`);

const PHASES: Readonly<Record<Running['phase'], string>> = {
  'selling-before': t('Sandbox sales are running. The failover follows in a few seconds.'),
  switching: t('Waiting until another server is the primary.'),
  'selling-after': t('Another server is the primary. Sales continue.'),
  checking: t('Comparing the acknowledged sales with the database and the processor.'),
};

/** Returns the progress of a rehearsal in one sentence. */
export const phaseText = ({ phase, command }: Running): string =>
  phase === 'switching' && command !== null ? t('Run this command on a database server now:') : PHASES[phase];

const countText = (count: number | null) => (count === null ? UNKNOWN : numberText(count));

/** Returns the figures of a certificate: "Gap 0.4 s · 0 of 52 sales lost · 0 doubled". */
export function figuresOf({ gapMs, acknowledged, lost, doubled, unconfirmed }: Certificate): string {
  return [
    t('Gap: {{duration}}', { duration: secondsText(gapMs) }),
    t('Sales: {{number}}', { number: numberText(acknowledged) }),
    t('Lost: {{number}}', { number: countText(lost) }),
    t('Doubled: {{number}}', { number: countText(doubled) }),
    ...(unconfirmed ? [t('Unconfirmed: {{number}}', { number: countText(unconfirmed) })] : []),
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
  const servers = fromServer !== null && toServer !== null ? t('from {{fromServer}} to {{toServer}}', { fromServer, toServer }) : null;
  return [
    servers,
    carriedOutBy === 'patroni' ? t('by Patroni') : t('by hand'),
    `PostgreSQL ${serverVersion}`,
    t('{{count, number}} synchronous standbys', { count: synchronousStandbys }),
    usualGapMs === null ? null : t('usual gap {{duration}}', { duration: secondsText(usualGapMs) }),
    t('started by {{user}}', { user: actor }),
  ]
    .filter(Boolean)
    .join(' · ');
}
