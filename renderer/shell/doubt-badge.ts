import type { DoubtCounts } from '#renderer/client';

interface DoubtBadge {
  /** Nothing is shown of none. */
  readonly count: number;
  readonly tone: 'error' | 'warning';
  /** What the count is of. */
  readonly words: string;
}

/** What the rail says of doubt. One that a gateway holds for review is no doubt, and counts only where it wants somebody. */
export function doubtBadge({ inDoubt, needsPerson }: DoubtCounts): DoubtBadge {
  if (needsPerson === 0) return { count: inDoubt, tone: 'warning', words: 'in doubt' };
  const need = needsPerson === 1 ? 'needs somebody' : 'need somebody';
  if (needsPerson > inDoubt) return { count: needsPerson, tone: 'error', words: need };
  return { count: inDoubt, tone: 'error', words: `in doubt, ${needsPerson} ${need}` };
}
