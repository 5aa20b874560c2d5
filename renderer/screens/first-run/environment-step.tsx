import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Link from '@mui/material/Link';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Trans, t } from '#renderer/base/language';
import { useDraft } from './draft.ts';
import { OptionCard } from './option-card.tsx';
import { StepForm } from './step-form.tsx';

/** Text to type before real money may move. */
const CONFIRMATION = t('go live');

interface EnvironmentStepProps {
  readonly onDone: () => void;
  readonly onRestore: () => void;
  readonly onJoin: () => void;
}

/** Choice between sandbox and live; live requires confirmation. */
export function EnvironmentStep({ onDone, onRestore, onJoin }: EnvironmentStepProps) {
  const { environment, sampleData, change } = useDraft();
  const [typed, setTyped] = useState('');
  const [wasSubmitted, setSubmitted] = useState(false);
  const isConfirmed = environment === 'sandbox' || typed.trim().toLowerCase() === CONFIRMATION;
  return (
    <StepForm
      title={t('How will you use Paydesk?')}
      onSubmit={() => (isConfirmed ? onDone() : setSubmitted(true))}
      submitLabel={t('Continue')}
    >
      <RadioGroup
        aria-label={t('Environment')}
        value={environment}
        onChange={(_, value) => change({ environment: value === 'live' ? 'live' : 'sandbox' })}
        sx={{ gap: 3 }}
      >
        <OptionCard value="sandbox" title={t('Sandbox')} autoFocus={environment === 'sandbox'}>
          {t('Try everything with test cards and a simulated processor. No money moves.')}
        </OptionCard>
        <OptionCard value="live" title={t('Live')} autoFocus={environment === 'live'}>
          {t('Take real payments through a processor you have a contract with.')}
        </OptionCard>
      </RadioGroup>
      {environment === 'sandbox' ? (
        <FormControlLabel
          control={<Checkbox size="small" checked={sampleData} onChange={(event) => change({ sampleData: event.target.checked })} />}
          label={t('Add sample data')}
        />
      ) : (
        <Box sx={{ display: 'grid', gap: 4 }}>
          <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
            <Trans
              i18nKey="<0>Card data will be on this computer.</0> Paydesk runs its own server and stores encrypted cards here. Your business therefore doesn’t qualify for the short PCI questionnaire for virtual terminals (SAQ C-VT). Expect SAQ D, and confirm this with your acquirer before the first sale."
              components={[<strong key="0" />]}
            />
          </Alert>
          <TextField
            id="live-confirmation"
            label={t('Type “{{phrase}}” to confirm', { phrase: CONFIRMATION })}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            error={wasSubmitted && !isConfirmed}
            helperText={wasSubmitted && !isConfirmed ? t('Type “{{phrase}}”, or choose the sandbox.', { phrase: CONFIRMATION }) : undefined}
            slotProps={{ htmlInput: { autoComplete: 'off' } }}
          />
        </Box>
      )}
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        <Trans
          i18nKey="Moving from another computer? <0>Restore from a backup</0>. Adding another workstation? <1>Connect to an existing Paydesk</1>."
          components={[
            <Link key="0" component="button" type="button" onClick={onRestore} sx={{ font: 'inherit', verticalAlign: 'baseline' }} />,
            <Link key="1" component="button" type="button" onClick={onJoin} sx={{ font: 'inherit', verticalAlign: 'baseline' }} />,
          ]}
        />
      </Box>
    </StepForm>
  );
}
