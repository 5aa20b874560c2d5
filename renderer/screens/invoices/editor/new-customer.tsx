import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, PanelForm } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { customerName } from '#renderer/shared/customers';
import { type NewCustomer as Body, createCustomer } from '../operations.ts';

interface NewCustomerProps {
  /** Text that was typed before. */
  readonly name: string;
  readonly onCreated: (customer: Customer) => void;
  readonly onClose: () => void;
}

/** Creates a customer without leaving the invoice. */
export function NewCustomer({ name, onCreated: onMade, onClose }: NewCustomerProps) {
  const { merchantId } = useMerchant();
  const [form, setForm] = useState(() => partsOf(name));
  const [isChecked, setChecked] = useState(false);
  const creating = useMutation({
    mutationFn: () => createCustomer(merchantId, bodyOf(form)),
    onSuccess: (customer) => {
      announce(t('{{customer}} was added.', { customer: customerName(customer) }));
      onMade(customer);
    },
  });
  const isEmpty = Object.keys(bodyOf(form)).length === 0;
  const field = (key: keyof typeof form, label: string, maxLength: number, isFirst = false) => {
    const refusal = creating.error?.field === key ? creating.error.message : undefined;
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
  // The surrounding invoice handles Enter as well.
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Enter' && event.stopPropagation();
  const isAtField = creating.error?.field !== undefined && creating.error.field in form;
  return (
    <Box onKeyDown={onKeyDown}>
      <PanelForm
        title={t('New customer')}
        explanation={t('Saves the customer with these details; you can add more later.')}
        submitLabel={t('Add customer')}
        isBusy={creating.isPending}
        failure={isAtField ? null : creating.error}
        onSubmit={() => {
          setChecked(true);
          if (!isEmpty) creating.mutate();
        }}
        onClose={onClose}
      >
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          {field('firstName', t('First name'), 100, true)}
          {field('lastName', t('Last name'), 100)}
          {field('email', t('Email'), 254)}
          {field('phone', t('Phone'), 40)}
        </Box>
      </PanelForm>
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

function bodyOf(form: Form): Body {
  const entries = Object.entries({ ...form, phone: form.phone.replace(/[\s().-]/g, '') }).map(([key, text]) => [key, text.trim()] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}
