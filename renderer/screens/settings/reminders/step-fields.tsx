import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { t } from '#renderer/base/language';
import { SelectField } from '#renderer/kit/ui';
import { LANGUAGE_CODES, LANGUAGES, type Language } from '#shared/languages';
import { REMINDER_PLACEHOLDERS } from '#shared/reminder-placeholders';
import type { ValuesOf } from '../sections.ts';

type Step = ValuesOf<'reminders'>['steps'][number];
type Relation = 'before' | 'on' | 'after';
type OwnText = NonNullable<Step['texts'][Language]>;

const DAYS_MAX = { before: 60, on: 0, after: 180 };
const SUBJECT_MAX = 200;
const MESSAGE_MAX = 2_000;
const relationOf = (days: number): Relation => (days < 0 ? 'before' : days === 0 ? 'on' : 'after');
const RELATIONS: readonly (readonly [Relation, string])[] = [
  ['before', t('days before the due date')],
  ['on', t('on the due date')],
  ['after', t('days after the due date')],
];

interface StepFieldsProps {
  readonly step: Step;
  readonly isReadOnly: boolean;
  /** Returns true if another reminder has this number of days. */
  readonly isTaken: (days: number) => boolean;
  readonly onChange: (step: Step) => void;
  readonly onRemove: () => void;
}

/** One reminder: its day, its channel and its texts. */
export function StepFields({ step, isReadOnly, isTaken, onChange, onRemove }: StepFieldsProps) {
  const [typed, setTyped] = useState(String(Math.abs(step.days)));
  const [relation, setRelation] = useState(relationOf(step.days));
  const hasTexts = Object.keys(step.texts).length > 0;
  const [isTextOpen, setTextOpen] = useState(hasTexts);
  const id = useId();
  const number = relation === 'on' ? 0 : Number(typed);
  const isUsable = Number.isInteger(number) && number <= DAYS_MAX[relation] && (relation === 'on' || number > 0);
  const days = relation === 'before' ? -number : number;
  const fault = !isUsable
    ? t('Enter a whole number from 1 to {{max}}.', { max: DAYS_MAX[relation] })
    : isTaken(days)
      ? t('Another reminder has this day.')
      : undefined;
  /** Keeps a number while it is typed, and passes it on if it can be saved. */
  const move = (nextTyped: string, nextRelation: Relation) => {
    setTyped(nextTyped);
    setRelation(nextRelation);
  };
  const commit = () => {
    if (fault === undefined && days !== step.days) onChange({ ...step, days });
  };
  return (
    <Box
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 3,
        p: 3,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
      })}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'flex-start' }} onBlur={commit}>
        {relation !== 'on' && (
          <TextField
            id={`${id}-days`}
            label={t('Days')}
            value={typed}
            onChange={({ target }) => move(target.value, relation)}
            error={fault !== undefined}
            helperText={fault}
            disabled={isReadOnly}
            sx={{ width: 120 }}
            slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 3, autoComplete: 'off' } }}
          />
        )}
        <SelectField
          id={`${id}-relation`}
          label={t('When')}
          value={relation}
          options={RELATIONS}
          onChange={(value) => {
            const next = value as Relation;
            move(typed === '0' ? '7' : typed, next);
            const size = next === 'on' ? 0 : Number(typed === '0' ? '7' : typed);
            const nextDays = next === 'before' ? -size : size;
            if (!isTaken(nextDays)) onChange({ ...step, days: nextDays });
          }}
          error={relation === 'on' && fault !== undefined}
          helperText={relation === 'on' ? fault : undefined}
          disabled={isReadOnly}
          sx={{ width: 250 }}
        />
        <SelectField
          id={`${id}-channel`}
          label={t('Send by')}
          value={step.channel}
          options={[
            ['email', t('Email')],
            ['sms', t('Text message')],
          ]}
          onChange={(value) => onChange({ ...step, channel: value })}
          disabled={isReadOnly}
          sx={{ width: 190 }}
        />
        <Box sx={{ display: 'flex', gap: 2, mt: 5, marginInlineStart: 'auto' }}>
          <Button variant="text" onClick={() => setTextOpen(!isTextOpen)} aria-expanded={isTextOpen}>
            {t('Text')}
          </Button>
          {!isReadOnly && (
            <Button variant="text" onClick={onRemove}>
              {t('Remove')}
            </Button>
          )}
        </Box>
      </Box>
      {isTextOpen && (
        <>
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {t('Leave a text empty to send the one of Paydesk, as in the preview. Placeholders: {{names}}', {
              names: REMINDER_PLACEHOLDERS.map((name) => `{{${name}}}`).join(' '),
            })}
          </Box>
          {LANGUAGE_CODES.map((code) => (
            <TextFields
              key={code}
              code={code}
              channel={step.channel}
              own={step.texts[code] ?? { subject: null, message: null }}
              isReadOnly={isReadOnly}
              onChange={(own) => {
                const { [code]: _, ...others } = step.texts;
                const isEmpty = own.subject === null && own.message === null;
                onChange({ ...step, texts: isEmpty ? others : { ...others, [code]: own } });
              }}
            />
          ))}
        </>
      )}
    </Box>
  );
}

interface TextFieldsProps {
  readonly code: Language;
  readonly channel: Step['channel'];
  readonly own: OwnText;
  readonly isReadOnly: boolean;
  readonly onChange: (own: OwnText) => void;
}

const orNull = (text: string) => (text === '' ? null : text);

function TextFields({ code, channel, own, isReadOnly, onChange }: TextFieldsProps) {
  const id = useId();
  const name = LANGUAGES[code];
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {channel === 'email' && (
        <TextField
          id={`${id}-subject`}
          label={t('Subject, {{language}}', { language: name })}
          value={own.subject ?? ''}
          onChange={({ target }) => onChange({ ...own, subject: orNull(target.value) })}
          disabled={isReadOnly}
          slotProps={{ htmlInput: { maxLength: SUBJECT_MAX, lang: code } }}
        />
      )}
      <TextField
        id={`${id}-message`}
        label={t('Message, {{language}}', { language: name })}
        value={own.message ?? ''}
        onChange={({ target }) => onChange({ ...own, message: orNull(target.value) })}
        multiline
        minRows={2}
        maxRows={8}
        disabled={isReadOnly}
        slotProps={{ htmlInput: { maxLength: MESSAGE_MAX, lang: code } }}
      />
    </Box>
  );
}
