import type { Tender } from '#renderer/client';

/** Describes a tender: "Cash", "Check 1042", "Gift voucher". */
export function tenderText({ kind, name, checkNumber }: Pick<Tender, 'kind' | 'name' | 'checkNumber'>): string {
  if (kind === 'cash') return 'Cash';
  return kind === 'check' ? ['Check', checkNumber].filter(Boolean).join(' ') : (name ?? 'Other');
}
