import type { DoubtCounts } from '#renderer/client';

interface DoubtBadge {
  /** Count; zero shows no badge. */
  readonly count: number;
  readonly tone: 'error' | 'warning';
  /** Description of the count. */
  readonly words: string;
}

/** Returns the badge for unconfirmed payments. Payments that a gateway holds for review count only if they need a person. */
export function doubtBadge({ inDoubt, needsPerson }: DoubtCounts): DoubtBadge {
  if (needsPerson === 0) return { count: inDoubt, tone: 'warning', words: 'in doubt' };
  const need = needsPerson === 1 ? 'needs somebody' : 'need somebody';
  if (needsPerson > inDoubt) return { count: needsPerson, tone: 'error', words: need };
  return { count: inDoubt, tone: 'error', words: `in doubt, ${needsPerson} ${need}` };
}
