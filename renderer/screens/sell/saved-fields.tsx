import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Transaction } from '#renderer/client';
import type { MeansFieldsProps } from './card-fields.tsx';
import { EntryField } from './entry-field.tsx';
import { shortMeans } from './means.ts';

export interface SavedFieldsProps extends MeansFieldsProps {
  /** Sales whose card may be charged again. */
  readonly recent: readonly Transaction[];
}

/** A card on file: its token, pasted, or taken from one of today's sales. */
export function SavedFields({ form, frozen, recent }: SavedFieldsProps) {
  const cards = chargeable(recent);
  return (
    <>
      <EntryField bound={form.field('token')} label="Card token" required frozen={frozen} placeholder="tok_…" maxLength={80} />
      {cards.length > 0 && (
        <Box>
          <Box id="saved-recent" sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary', mb: 1 }}>
            Cards of today’s last sales
          </Box>
          <Box role="group" aria-labelledby="saved-recent" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            {cards.map(({ token, label }) => (
              <Button
                key={token}
                size="small"
                disabled={frozen}
                onClick={() => {
                  form.fill({ token });
                  form.focus(form.next() ?? 'token');
                }}
              >
                {label}
              </Button>
            ))}
          </Box>
        </Box>
      )}
    </>
  );
}

/** Each card once, by its newest sale. A declined one is not offered. */
export function chargeable(recent: readonly Transaction[]): { token: string; label: string }[] {
  const byToken = new Map<string, string>();
  for (const sale of recent) {
    if (sale.token === null || sale.card === null || sale.status !== 'approved' || byToken.has(sale.token)) continue;
    byToken.set(sale.token, [shortMeans(sale), sale.customer?.name].filter(Boolean).join(' · '));
  }
  return [...byToken].map(([token, label]) => ({ token, label }));
}
