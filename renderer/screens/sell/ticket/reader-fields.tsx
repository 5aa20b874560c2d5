import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { actorText, announce, FailureNote, StatusChip } from '#renderer/kit/ui';
import { checkCardReader } from '#renderer/shared/card-readers';
import type { ReaderChoice } from '../reader/use-card-readers.ts';

interface ReaderFieldsProps {
  readonly choice: ReaderChoice;
  readonly frozen: boolean;
}

/** The card reader that takes the payment, with its state. */
export function ReaderFields({ choice: { readers, reader, choose }, frozen }: ReaderFieldsProps) {
  const check = useMutation({
    mutationFn: checkCardReader,
    onSuccess: ({ name, state }) =>
      announce(state === 'offline' ? t('{{name}} is offline.', { name }) : t('{{name}} is online.', { name })),
  });
  if (reader === null) return null;
  const { terminalId, name, state, payment } = reader;
  return (
    <Box sx={{ display: 'grid', gap: 3, py: 2 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, flexWrap: 'wrap', minHeight: 44 }}>
        {readers.length > 1 ? (
          <TextField
            select
            id="sale-reader"
            label={t('Card reader')}
            value={terminalId}
            disabled={frozen}
            onChange={({ target }) => choose(target.value)}
            sx={{ minWidth: 220, flex: '1 1 220px', maxWidth: 360 }}
          >
            {readers.map((each) => (
              <MenuItem key={each.terminalId} value={each.terminalId}>
                {each.name}
              </MenuItem>
            ))}
          </TextField>
        ) : (
          <Box sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>{name}</Box>
        )}
        <StatusChip state={state} />
        {state === 'offline' && (
          <Button size="small" loading={check.isPending} onClick={() => check.mutate(terminalId)}>
            {t('Check again')}
          </Button>
        )}
      </Box>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {state === 'offline'
          ? t('Check its power and its network, or key the card.')
          : payment
            ? t('In use by {{person}}.', { person: actorText(payment.usedBy) })
            : t('The customer taps, inserts or swipes the card after you charge.')}
      </Box>
      {check.error && <FailureNote failure={check.error} />}
    </Box>
  );
}
