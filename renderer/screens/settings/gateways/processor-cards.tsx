import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import type { ReactNode } from 'react';
import type { GatewayType } from '#renderer/base/client';
import { t } from '#renderer/base/language';

interface ProcessorCardsProps {
  readonly types: readonly GatewayType[];
  readonly value: string;
  readonly onValue: (type: string) => void;
}

/** Selection of the gateway's processor. */
export function ProcessorCards({ types, value, onValue }: ProcessorCardsProps) {
  return (
    <RadioGroup
      aria-label={t('Processor')}
      value={value}
      onChange={(_, next) => onValue(next)}
      sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
    >
      {types.map(({ type, label, hasOwnHosts }) => (
        <ChoiceCard
          key={type}
          value={type}
          title={label}
          help={hasOwnHosts ? t('Also sold by resellers under other names') : undefined}
          autoFocus={type === value}
        />
      ))}
    </RadioGroup>
  );
}

interface ChoiceCardProps {
  readonly value: string;
  readonly title: string;
  readonly help?: ReactNode;
  readonly autoFocus?: boolean;
  readonly id?: string;
}

/** A framed radio option, for use in a RadioGroup. */
export function ChoiceCard({ value, title, help, autoFocus, id }: ChoiceCardProps) {
  return (
    <FormControlLabel
      value={value}
      control={<Radio id={id} size="small" autoFocus={autoFocus} sx={{ mt: -1 }} />}
      label={
        <Box>
          <Box sx={{ fontWeight: 600 }}>{title}</Box>
          {help && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{help}</Box>}
        </Box>
      }
      sx={(theme) => ({
        alignItems: 'flex-start',
        m: 0,
        p: 3,
        paddingInlineStart: 2,
        gap: 1,
        border: `1px solid ${theme.vars.palette.outline}`,
        borderRadius: 1,
        '&:has(input:checked)': { borderColor: theme.vars.palette.primary.main, backgroundColor: theme.vars.palette.tone.primary.tint },
      })}
    />
  );
}
