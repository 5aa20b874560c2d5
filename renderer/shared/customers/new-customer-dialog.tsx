import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FormDialog, useSubmit } from '#renderer/kit/ui';
import { customerName } from './name.ts';
import { createCustomer, type NewCustomer } from './queries.ts';

interface NewCustomerDialogProps {
  readonly merchantId: string;
  /** Text that was typed before. */
  readonly name: string;
  readonly onCreated: (customer: Customer) => void;
  readonly onClose: () => void;
}

/** Creates a customer without leaving the form in which one is chosen. */
export function NewCustomerDialog({ merchantId, name, onCreated, onClose }: NewCustomerDialogProps) {
  const [form, setForm] = useState(() => partsOf(name));
  const [isChecked, setChecked] = useState(false);
  const creating = useSubmit({
    send: () => createCustomer(merchantId, bodyOf(form)),
    announcement: (customer) => t('{{customer}} was added.', { customer: customerName(customer) }),
    onDone: onCreated,
    onClose,
  });
  const isEmpty = Object.keys(bodyOf(form)).length === 0;
  const field = (key: keyof typeof form, label: string, maxLength: number, isFirst = false) => {
    const refusal = creating.failure?.field === key ? creating.failure.message : undefined;
    const message = refusal ?? (isFirst && isChecked && isEmpty ? t('Enter a name or an email address.') : undefined);
    return (
      <TextField
        id={`new-customer-${key}`}
        label={label}
        value={form[key]}
        onChange={({ target }) => {
          setForm({ ...form, [key]: target.value });
          setChecked(false);
          creating.reset();
        }}
        autoFocus={isFirst}
        error={message !== undefined}
        helperText={message}
        slotProps={{ htmlInput: { autoComplete: 'off', maxLength } }}
      />
    );
  };
  const isAtField = creating.failure?.field !== undefined && creating.failure.field in form;
  const submit = () => {
    setChecked(true);
    if (!isEmpty) creating.onSubmit();
  };
  return (
    // The form below handles Enter and other keys itself.
    <Box onKeyDown={(event) => event.stopPropagation()} sx={{ display: 'contents' }}>
      <FormDialog
        {...creating}
        failure={isAtField ? null : creating.failure}
        title={t('New customer')}
        submitLabel={t('Add customer')}
        onSubmit={submit}
      >
        <Box sx={{ display: 'grid', gap: 3, pt: 1, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          {field('firstName', t('First name'), 100, true)}
          {field('lastName', t('Last name'), 100)}
          {field('email', t('Email'), 254)}
          {field('phone', t('Phone'), 40)}
        </Box>
        <Box sx={{ mt: 3, fontSize: 13, color: 'text.secondary' }}>
          {t('Saves the customer with these details; you can add more later.')}
        </Box>
      </FormDialog>
    </Box>
  );
}

type Form = Readonly<Record<'firstName' | 'lastName' | 'email' | 'phone', string>>;

/** Returns typed text as an email address if it looks like one, and else as a name. */
function partsOf(typed: string): Form {
  if (typed.includes('@')) return { firstName: '', lastName: '', email: typed, phone: '' };
  const [firstName = '', ...rest] = typed.split(/\s+/);
  return { firstName, lastName: rest.join(' '), email: '', phone: '' };
}

function bodyOf(form: Form): NewCustomer {
  const entries = Object.entries({ ...form, phone: form.phone.replace(/[\s().-]/g, '') }).map(([key, text]) => [key, text.trim()] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}
