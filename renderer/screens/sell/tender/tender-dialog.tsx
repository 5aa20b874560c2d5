import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { amountsGiven, decimalText, readAmount, toMinor, writeAmount, writeMoney } from '#renderer/base/money';
import { Dialog, FailureNote, focusField, KeyHint, MoneyText, useAfterRender } from '#renderer/kit/ui';
import { idOf, type TenderChoice } from './kinds.ts';
import { TenderResult } from './tender-result.tsx';
import { type TenderSale, type TenderTexts, useTender } from './use-tender.ts';

interface TenderDialogProps {
  readonly choices: readonly TenderChoice[];
  readonly initial: TenderChoice;
  readonly sale: TenderSale;
  readonly onClose: () => void;
  /** The tender was recorded, and the next sale can begin. */
  readonly onDone: () => void;
}

const FIRST_FIELDS: Readonly<Record<TenderChoice['kind'], string>> = {
  cash: 'tender-given',
  check: 'tender-check',
  other: 'tender-record',
};

/** Takes cash, a check or another tender for a sale, and shows the change. Mounted while it is open. */
export function TenderDialog({ choices, initial, sale, onClose, onDone }: TenderDialogProps) {
  const [choice, setChoice] = useState(initial);
  const entry = useTender(choice, sale);
  const afterRender = useAfterRender();
  const { recorded } = entry;
  const choose = (id: string | null) => {
    const next = choices.find((each) => idOf(each) === id);
    if (next === undefined) return;
    setChoice(next);
    afterRender(() => focusField(FIRST_FIELDS[next.kind]));
  };
  if (recorded !== undefined) return <TenderResult tender={recorded} onDone={onDone} />;
  return (
    <Dialog
      title={writeMoney(sale.amount, sale.currency)}
      isOpen
      onClose={entry.isBusy ? () => undefined : onClose}
      maxWidth="sm"
      onSubmit={() => entry.submit()}
      actions={
        <>
          <Button variant="text" onClick={onClose} disabled={entry.isBusy}>
            {t('Cancel')}
          </Button>
          <Button
            id="tender-record"
            type="submit"
            variant="contained"
            color="primary"
            loading={entry.isBusy}
            autoFocus={initial.kind === 'other'}
          >
            {submitLabel(choice, sale)}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5, pt: 1 }}>
        {choices.length > 1 && (
          <ToggleButtonGroup
            exclusive
            size="small"
            aria-label={t('Tender')}
            value={idOf(choice)}
            disabled={entry.isBusy}
            onChange={(_, id: string | null) => choose(id)}
            sx={{ flexWrap: 'wrap' }}
          >
            {choices.map((each) => (
              <ToggleButton key={idOf(each)} value={idOf(each)}>
                {each.label}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        )}
        {choice.kind === 'cash' && (
          <CashFields
            sale={sale}
            text={entry.texts.given}
            problem={entry.problem}
            onText={(given) => entry.set({ given })}
            onGiven={entry.submit}
          />
        )}
        {choice.kind === 'check' && <CheckFields texts={entry.texts} problem={entry.problem} onTexts={entry.set} />}
        {choice.kind === 'other' && <Box>{t('Confirm that you received {{tender}}.', { tender: choice.name })}</Box>}
        {entry.failure && <FailureNote failure={entry.failure} />}
      </Box>
    </Dialog>
  );
}

function submitLabel(choice: TenderChoice, { amount, currency }: TenderSale): string {
  return t('Record {{amount}}, {{tender}}', { amount: writeAmount(amount, currency), tender: choice.labelInSentence });
}

interface CashFieldsProps {
  readonly sale: TenderSale;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onText: (text: string) => void;
  /** Records the sale with this amount given. */
  readonly onGiven: (decimal: string) => void;
}

/** Amount given, with buttons for the notes that customers are likely to give, and the change. */
function CashFields({ sale: { amount, currency }, text, problem, onText, onGiven }: CashFieldsProps) {
  const due = toMinor(Number(amount), currency);
  const read = readAmount(text, currency);
  const given = read.kind === 'valid' ? toMinor(Number(read.decimal), currency) : due;
  const change = Math.max(0, given - due);
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <TextField
        id="tender-given"
        autoFocus
        label={t('Amount given, {{currency}}', { currency })}
        value={text}
        placeholder={writeAmount(amount, currency)}
        onChange={({ target }) => onText(target.value)}
        error={problem !== undefined}
        helperText={problem ?? t('Leave empty for the exact amount.')}
        slotProps={{
          inputLabel: { shrink: true },
          htmlInput: {
            inputMode: 'decimal',
            autoComplete: 'off',
            maxLength: 18,
            style: { textAlign: 'end', fontSize: 24, fontWeight: 600 },
          },
        }}
      />
      <Box role="group" aria-label={t('Quick amounts')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {[due, ...amountsGiven(due, currency)].map((minor, index) => (
          <Button
            key={minor}
            onClick={() => onGiven(decimalText(minor, currency))}
            sx={{ flex: '1 1 88px', fontVariantNumeric: 'tabular-nums' }}
          >
            {index === 0 ? t('Exact') : writeAmount(decimalText(minor, currency), currency)}
          </Button>
        ))}
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between' }}>
        <span>{t('Change', { context: 'cash' })}</span>
        <Box component="output" htmlFor="tender-given" sx={{ fontSize: 32, lineHeight: '40px', fontWeight: 600 }}>
          <MoneyText amount={Number(decimalText(change, currency))} currency={currency} code />
        </Box>
      </Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        <KeyHint keys="Enter" /> {t('records the sale and opens the drawer')}
      </Box>
    </Box>
  );
}

interface CheckFieldsProps {
  readonly texts: TenderTexts;
  readonly problem: string | undefined;
  readonly onTexts: (change: Partial<TenderTexts>) => void;
}

function CheckFields({ texts, problem, onTexts }: CheckFieldsProps) {
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
      <TextField
        id="tender-check"
        autoFocus
        label={t('Check number')}
        value={texts.checkNumber}
        onChange={({ target }) => onTexts({ checkNumber: target.value })}
        error={problem !== undefined}
        helperText={problem}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 40, inputMode: 'numeric' } }}
      />
      <TextField
        id="tender-bank"
        label={t('Bank (optional)')}
        value={texts.checkBank}
        onChange={({ target }) => onTexts({ checkBank: target.value })}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 100 } }}
      />
    </Box>
  );
}
