import Autocomplete, { type AutocompleteProps } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type Customer, queryClient } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useDebounced } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { customerName } from './name.ts';
import { NewCustomerDialog } from './new-customer-dialog.tsx';
import { customerSearchQuery } from './queries.ts';

const PAUSE_MS = 150;
/** Stands for a new customer instead of an existing one. */
const NEW_CUSTOMER = 'new';

interface CustomerFieldProps {
  readonly id: string;
  readonly merchantId: string;
  readonly value: Customer | null;
  readonly onChange: (customer: Customer | null) => void;
  /** Returns the detail that distinguishes customers of the same name. */
  readonly detailOf: (customer: Customer) => string;
  readonly problem?: string | undefined;
  /** Help text while there is no problem. */
  readonly hint?: string | undefined;
  readonly autoFocus?: boolean;
  readonly isDisabled?: boolean;
  /** Another look of the field. */
  readonly renderInput?: AutocompleteProps<Option, false, false, false>['renderInput'];
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

type Option = Customer | typeof NEW_CUSTOMER;

/**
 * Finds a customer by typed text: Enter picks the first match, even if it was pressed before the matches arrived. The last entry creates a
 * customer, for users who may.
 */
export function CustomerField({
  id,
  merchantId,
  value,
  onChange,
  detailOf,
  problem,
  hint,
  autoFocus = false,
  isDisabled = false,
  renderInput,
  onKeyDown: onOtherKey,
}: CustomerFieldProps) {
  const canAdd = useMay()('customers:write');
  const [text, setText] = useState('');
  /** Text typed for the name of a new customer. */
  const [newName, setNewName] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  /** Text for which Enter was pressed before its matches arrived. */
  const enteredText = useRef<string | null>(null);
  /** Text typed over a chosen customer, which the field would reset. */
  const retyped = useRef<string | null>(null);
  /** Option chosen with the arrow keys or the pointer. */
  const highlighted = useRef<Option | null>(null);
  const typed = value === null ? text.trim() : '';
  const searchText = useDebounced(typed, PAUSE_MS);
  const found = useQuery(customerSearchQuery(merchantId, searchText));
  // Matches for other text are never chosen.
  const isLoading = found.isPending || found.isPlaceholderData || searchText !== typed;
  const options: Option[] = isLoading ? [] : [...(found.data ?? []), ...(canAdd ? ([NEW_CUSTOMER] as const) : [])];
  const choose = (option: Option | null) => {
    setOpen(false);
    if (option !== NEW_CUSTOMER) return onChange(option);
    setText('');
    setNewName(typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || typed === '') return;
    event.preventDefault();
    event.stopPropagation();
    const option = options.find((each) => each === highlighted.current) ?? options[0];
    if (option !== undefined) return choose(option);
    enteredText.current = typed;
    const pickFirst = ([first]: Customer[]) => {
      const option = first ?? (canAdd ? NEW_CUSTOMER : undefined);
      if (option !== undefined && enteredText.current === typed) choose(option);
    };
    queryClient.fetchQuery(customerSearchQuery(merchantId, typed)).then(pickFirst, () => undefined);
  };
  const field = (
    <Autocomplete<Option>
      id={id}
      disabled={isDisabled}
      onKeyDown={onOtherKey}
      options={options}
      open={isOpen}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      value={value}
      onChange={(_, option) => choose(option)}
      onHighlightChange={(_, option) => {
        highlighted.current = option;
      }}
      inputValue={text}
      onInputChange={(_, next, reason) => {
        const isCleared = reason === 'reset' && retyped.current !== null;
        retyped.current = null;
        if (isCleared) return;
        enteredText.current = null;
        highlighted.current = null;
        setText(next);
        if (reason !== 'input' || value === null) return;
        retyped.current = next;
        onChange(null);
      }}
      onKeyDownCapture={onKeyDown}
      onBlur={() => {
        enteredText.current = null;
      }}
      getOptionLabel={(option) => (option === NEW_CUSTOMER ? typed : customerName(option))}
      getOptionKey={(option) => (option === NEW_CUSTOMER ? NEW_CUSTOMER : option.customerId)}
      isOptionEqualToValue={(first, second) => first !== NEW_CUSTOMER && second !== NEW_CUSTOMER && first.customerId === second.customerId}
      filterOptions={(all) => all}
      autoHighlight
      loading={isLoading}
      loadingText={t('Searching…')}
      noOptionsText={found.error ? t('Customers can’t be searched right now.') : t('No matching customer')}
      slotProps={{
        paper: { sx: (theme) => ({ border: `1px solid ${theme.vars.palette.divider}`, boxShadow: '0 8px 24px rgb(8 14 20 / 0.18)' }) },
      }}
      renderOption={({ key, ...props }, option) =>
        option === NEW_CUSTOMER ? (
          <Box component="li" key={key} {...props} sx={{ gap: 2 }}>
            <UserPlus size={16} aria-hidden /> {typed === '' ? t('New customer') : t('New customer “{{name}}”', { name: typed })}
          </Box>
        ) : (
          <Box component="li" key={key} {...props} sx={{ gap: 3 }}>
            <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
              {customerName(option)}
            </Box>
            <Box component="span" sx={{ fontSize: 12, color: 'text.secondary', textAlign: 'end', overflowWrap: 'anywhere' }}>
              {detailOf(option)}
            </Box>
          </Box>
        )
      }
      renderInput={
        renderInput ??
        ((params) => (
          <TextField
            {...params}
            label={t('Customer')}
            placeholder={t('Name, email, phone or last four')}
            autoFocus={autoFocus}
            error={problem !== undefined}
            helperText={problem ?? hint}
          />
        ))
      }
    />
  );
  return (
    <>
      {field}
      {newName !== undefined && (
        <NewCustomerDialog
          merchantId={merchantId}
          name={newName}
          onCreated={(customer) => {
            setNewName(undefined);
            onChange(customer);
          }}
          onClose={() => setNewName(undefined)}
        />
      )}
    </>
  );
}
