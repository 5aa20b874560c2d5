import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CardReader, CardSave, Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { announce, Dialog, DialogButtons, FailureNote, focusField } from '#renderer/kit/ui';
import { openReader, readerOfWorkstation, useMaySimulate } from '#renderer/shared/card-readers';
import { brandName } from '#shared/card-brands';
import { cancelCardSave, cardSaveQuery, refreshCustomers, startCardSave } from './queries.ts';
import { cardSaveText, consentFor, isCardSaveOpen } from './texts.ts';

interface ReaderCardDialogProps {
  readonly customer: Customer;
  readonly merchantName: string;
  /** Card readers of the customer's merchant; at least one. */
  readonly readers: readonly CardReader[];
  /** Called with the ID of the stored method. */
  readonly onAdded: (paymentMethodId: string) => void;
  readonly onClose: () => void;
}

const CONSENT_ID = 'reader-card-consent';
const CONSENT_MAX = 1_000;

/** Stores the card that the customer presents to a card reader. Mounted while it is open. */
export function ReaderCardDialog({ customer, merchantName, readers, onAdded, onClose }: ReaderCardDialogProps) {
  const { cardReader, drawer } = useWorkstation();
  const [readerId, setReaderId] = useState((readerOfWorkstation(readers, { cardReader, drawer }) ?? readers[0])?.terminalId ?? '');
  const [consent, setConsent] = useState(() => consentFor(merchantName));
  const [isChecked, setChecked] = useState(false);
  const canSimulate = useMaySimulate();
  const starting = useMutation({
    mutationFn: () => startCardSave(customer.customerId, readerId, consent.trim()),
    onSuccess: () => canSimulate && openReader(readerId),
  });
  const problem = isChecked && consent.trim() === '' ? t('A card is stored with the consent of the customer only.') : null;
  const submit = () => {
    setChecked(true);
    if (consent.trim() === '') return focusField(CONSENT_ID);
    if (!starting.isPending) starting.mutate();
  };
  if (starting.data)
    return <RunningCardSave started={starting.data} onAdded={onAdded} onAgain={() => starting.reset()} onClose={onClose} />;
  return (
    <Dialog
      title={t('Add card by reader')}
      isOpen
      onClose={onClose}
      maxWidth="xs"
      onSubmit={submit}
      actions={<DialogButtons label={t('Ask for the card')} isBusy={starting.isPending} onClose={onClose} />}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ color: 'text.secondary' }}>
          {t('The processor checks and stores the card. Nothing is charged now; later, only this processor can charge it.')}
        </Box>
        {readers.length > 1 && (
          <TextField select label={t('Card reader')} value={readerId} onChange={({ target }) => setReaderId(target.value)}>
            {readers.map(({ terminalId, name }) => (
              <MenuItem key={terminalId} value={terminalId}>
                {name}
              </MenuItem>
            ))}
          </TextField>
        )}
        <TextField
          id={CONSENT_ID}
          label={t('Customer’s consent')}
          multiline
          minRows={2}
          maxRows={6}
          autoFocus
          value={consent}
          onChange={({ target }) => setConsent(target.value)}
          error={problem !== null}
          helperText={problem ?? t('Saved with the card and today’s date. Read it to the customer, or have it signed.')}
          slotProps={{ htmlInput: { maxLength: CONSENT_MAX } }}
        />
        {starting.error && <FailureNote failure={starting.error} />}
      </Box>
    </Dialog>
  );
}

interface RunningProps extends Pick<ReaderCardDialogProps, 'onAdded' | 'onClose'> {
  readonly started: CardSave;
  readonly onAgain: () => void;
}

/** Shows a request while it runs on the reader, and why the card was not stored. */
function RunningCardSave({ started, onAdded, onAgain, onClose }: RunningProps) {
  const { data = started } = useQuery(cardSaveQuery(started));
  const canceling = useMutation({ mutationFn: () => cancelCardSave(started.cardSaveId) });
  const isOpen = isCardSaveOpen(data);
  const canCancel = isOpen && data.status !== 'unconfirmed';
  const text = cardSaveText(data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the card is stored.
  useEffect(() => {
    if (data.status !== 'saved') return announce(text);
    void refreshCustomers();
    announce(t('{{card}} is saved.', { card: `${brandName(data.brand ?? t('Card'))} ${data.last4}` }));
    onAdded(data.paymentMethodId ?? '');
  }, [data.status]);
  return (
    <Dialog
      title={t('Add card by reader')}
      isOpen
      onClose={() => {
        if (canCancel) canceling.mutate();
        onClose();
      }}
      maxWidth="xs"
      actions={
        canCancel ? (
          <Button color="error" loading={canceling.isPending} onClick={() => canceling.mutate()}>
            {t('Cancel on the card reader')}
          </Button>
        ) : (
          <>
            <Button variant="text" onClick={onClose}>
              {t('Close')}
            </Button>
            {!isOpen && <Button onClick={onAgain}>{t('Ask for the card again')}</Button>}
          </>
        )
      }
    >
      <Box sx={{ display: 'grid', gap: 3, pt: 1 }}>
        <Box role="status" data-card-save={data.status}>
          {text}
        </Box>
        {isOpen && <LinearProgress aria-label={t('Waiting for the card reader')} />}
        {canceling.error && <FailureNote failure={canceling.error} />}
      </Box>
    </Dialog>
  );
}
