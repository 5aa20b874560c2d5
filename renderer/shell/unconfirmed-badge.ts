import type { UnconfirmedCounts } from '#renderer/base/client';
import { t } from '#renderer/base/language';

interface UnconfirmedBadge {
  /** Count; zero shows no badge. */
  readonly count: number;
  readonly tone: 'error' | 'warning';
  /** Description after the count: "unconfirmed". */
  readonly description: string;
}

/** Returns the badge for unconfirmed payments. Payments that a gateway holds for review count only if they need a person. */
export function unconfirmedBadge({ unconfirmed, needsPerson }: UnconfirmedCounts): UnconfirmedBadge {
  if (needsPerson === 0) return { count: unconfirmed, tone: 'warning', description: t('unconfirmed') };
  if (needsPerson > unconfirmed)
    return { count: needsPerson, tone: 'error', description: needsPerson === 1 ? t('needs review') : t('need review') };
  return { count: unconfirmed, tone: 'error', description: t('unconfirmed, {{count, number}} need review', { count: needsPerson }) };
}
