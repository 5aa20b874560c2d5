import type { UnconfirmedCounts } from '#renderer/client';

interface UnconfirmedBadge {
  /** Count; zero shows no badge. */
  readonly count: number;
  readonly tone: 'error' | 'warning';
  /** Description of the count. */
  readonly description: string;
}

/** Returns the badge for unconfirmed payments. Payments that a gateway holds for review count only if they need a person. */
export function unconfirmedBadge({ inDoubt, needsPerson }: UnconfirmedCounts): UnconfirmedBadge {
  if (needsPerson === 0) return { count: inDoubt, tone: 'warning', description: 'unconfirmed' };
  const review = needsPerson === 1 ? 'needs review' : 'need review';
  if (needsPerson > inDoubt) return { count: needsPerson, tone: 'error', description: review };
  return { count: inDoubt, tone: 'error', description: `unconfirmed, ${needsPerson} ${review}` };
}
