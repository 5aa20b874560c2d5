import Box from '@mui/material/Box';
import TextField, { type TextFieldProps } from '@mui/material/TextField';
import { t } from '#renderer/base/language';
import type { CustomerField, CustomerForm, Problems } from './form.ts';
import { fieldId } from './form.ts';
import { SameEmailNote } from './same-email-note.tsx';

interface CustomerFieldsProps {
  readonly form: CustomerForm;
  readonly onField: (name: CustomerField, text: string) => void;
  readonly problems: Problems;
  /** ID of the edited customer; undefined for a new one. */
  readonly ownId?: string;
  /** Opens another customer instead of the form. */
  readonly onOpen: (customerId: string) => void;
}

/** Fields of a customer, in the order in which callers dictate them. */
export function CustomerFields({ form, onField, problems, ownId, onOpen }: CustomerFieldsProps) {
  const field = (name: CustomerField, label: string, maxLength: number, more: TextFieldProps = {}) => (
    <TextField
      {...more}
      id={fieldId(name)}
      label={label}
      value={form[name]}
      onChange={(event) => onField(name, event.target.value)}
      error={problems[name] !== undefined}
      helperText={problems[name] ?? more.helperText}
      slotProps={{ htmlInput: { ...more.slotProps?.htmlInput, autoComplete: 'off', maxLength } }}
    />
  );
  return (
    <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
      <Row columns="1fr 1fr">
        {field('firstName', t('First name'), 100, { autoFocus: true })}
        {field('lastName', t('Last name'), 100)}
      </Row>
      {field('company', t('Company'), 200)}
      <Row columns="2fr 1fr">
        {field('email', t('Email'), 254, {
          slotProps: { htmlInput: { inputMode: 'email', spellCheck: false } },
          helperText: <SameEmailNote email={form.email} ownId={ownId} onOpen={onOpen} />,
        })}
        {field('phone', t('Phone'), 40, { slotProps: { htmlInput: { inputMode: 'tel' } }, helperText: t('For example +12075550142') })}
      </Row>
      {field('street', t('Street'), 200)}
      <Row columns="2fr 1fr 1fr">
        {field('city', t('City'), 100)}
        {field('state', t('State', { context: 'address' }), 50)}
        {field('zip', t('ZIP'), 20)}
      </Row>
      {field('notes', t('Notes'), 2_000, { multiline: true, minRows: 2, maxRows: 6 })}
    </Box>
  );
}

function Row({ columns, children }: { columns: string; children: React.ReactNode }) {
  return <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: columns }, gap: 4, alignItems: 'start' }}>{children}</Box>;
}
