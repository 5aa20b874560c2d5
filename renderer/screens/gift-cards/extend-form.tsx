import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { GiftCardDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { focusField, PanelForm, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { useToday } from '#renderer/session/tenant-clock';
import { refreshGiftCards } from '#renderer/shared/gift-cards';
import { monthsLater } from '#shared/calendar';
import { extendGiftCard } from './queries.ts';

/** Moves the last day of a card, and puts its expired balance on it again. */
export function ExtendForm({ card, onClose }: { readonly card: GiftCardDetail; readonly onClose: () => void }) {
  const today = useToday();
  const [day, setDay] = useState(monthsLater([card.expiresOn ?? today, today].toSorted().at(-1) ?? today, 12));
  const [isForever, setForever] = useState(false);
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const extending = useSubmit({
    send: (expiresOn: string | null, key) => extendGiftCard(card.giftCardId, { expiresOn, reason: reason.trim() }, key),
    refresh: refreshGiftCards,
    announcement: t('Saved'),
    onClose,
  });
  const isExpired = card.expiredAmount > 0;
  const isMissing = isChecked && reason.trim() === '';
  const submit = () => {
    setChecked(true);
    if (!isForever && day === '') return focusField('extend-day');
    if (reason.trim() === '') return focusField('extend-reason');
    extending.onSubmit(isForever ? null : day);
  };
  return (
    <PanelForm
      {...extending}
      title={isExpired ? t('Reinstate card') : t('Extend card')}
      explanation={
        isExpired
          ? t('The card gets its expired {{amount}} again, which you then owe to its holder.', {
              amount: writeMoney(card.expiredAmount, card.currency),
            })
          : t('The card pays until the end of the new last day.')
      }
      submitLabel={isExpired ? t('Reinstate card') : t('Extend card')}
      onSubmit={submit}
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        {!isForever && <DateField id="extend-day" label={t('Last day')} value={day} onChange={setDay} min={today} />}
        <FormControlLabel
          control={<Switch checked={isForever} onChange={(_, checked) => setForever(checked)} />}
          label={t('The card never expires')}
        />
        <TextField
          id="extend-reason"
          label={t('Reason')}
          value={reason}
          autoFocus
          onChange={({ target }) => setReason(target.value)}
          error={isMissing}
          helperText={isMissing ? t('Enter the reason.') : undefined}
          slotProps={{ htmlInput: { maxLength: 200 } }}
        />
      </Box>
    </PanelForm>
  );
}
