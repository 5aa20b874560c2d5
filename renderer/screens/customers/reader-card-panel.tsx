import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CardReader, CardSave, Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { announce, focusField, PanelForm, SelectField, useSubmit } from '#renderer/kit/ui';
import { openReader, readerOfWorkstation, useMaySimulate } from '#renderer/shared/card-readers';
import { brandName } from '#shared/card-brands';
import { cancelCardSave, cardSaveQuery, refreshCustomers, startCardSave } from './queries.ts';
import { cardSaveText, consentFor, isCardSaveOpen } from './texts.ts';

interface ReaderCardPanelProps {
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
export function ReaderCardPanel({ customer, merchantName, readers, onAdded, onClose }: ReaderCardPanelProps) {
  const { cardReader, drawer } = useWorkstation();
  const [readerId, setReaderId] = useState((readerOfWorkstation(readers, { cardReader, drawer }) ?? readers[0])?.terminalId ?? '');
  const [consent, setConsent] = useState(() => consentFor(merchantName));
  const [isChecked, setChecked] = useState(false);
  const canSimulate = useMaySimulate();
  const starting = useSubmit({
    send: () => startCardSave(customer.customerId, readerId, consent.trim()),
    onDone: () => canSimulate && openReader(readerId),
    onClose,
  });
  const problem = isChecked && consent.trim() === '' ? t('A card is stored with the consent of the customer only.') : null;
  const submit = () => {
    setChecked(true);
    if (consent.trim() === '') return focusField(CONSENT_ID);
    starting.onSubmit();
  };
  if (starting.result) return <RunningCardSave started={starting.result} onAdded={onAdded} onAgain={starting.reset} onClose={onClose} />;
  return (
    <PanelForm
      {...starting}
      title={t('Add card by reader')}
      explanation={t('The processor checks and stores the card. Nothing is charged now; later, only this processor can charge it.')}
      submitLabel={t('Ask for the card')}
      onSubmit={submit}
    >
      {readers.length > 1 && (
        <SelectField
          label={t('Card reader')}
          value={readerId}
          options={readers.map(({ terminalId, name }) => [terminalId, name] as const)}
          onChange={setReaderId}
        />
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
    </PanelForm>
  );
}

interface RunningProps extends Pick<ReaderCardPanelProps, 'onAdded' | 'onClose'> {
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
    <PanelForm
      title={t('Add card by reader')}
      explanation={
        <Box component="span" role="status" data-card-save={data.status}>
          {text}
        </Box>
      }
      submitLabel={canCancel ? t('Cancel on the card reader') : isOpen ? t('Close') : t('Ask for the card again')}
      isDangerous={canCancel}
      isBusy={canceling.isPending}
      failure={canceling.error}
      onSubmit={() => (canCancel ? canceling.mutate() : isOpen ? onClose() : onAgain())}
      onClose={() => {
        if (canCancel) canceling.mutate();
        onClose();
      }}
      focusesSubmit
    >
      {isOpen && <LinearProgress aria-label={t('Waiting for the card reader')} />}
    </PanelForm>
  );
}
