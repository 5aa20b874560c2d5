import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CardReader, gatewaysQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { DRAWER_LENGTH_MAX, useWorkstation } from '#renderer/base/workstation';
import { FormDialog, focusField, SelectField, useSubmit } from '#renderer/kit/ui';
import { useIsSandbox } from '#renderer/session/user';
import { refreshCardReaders } from '#renderer/shared/card-readers';
import { gatewayTypesQuery } from '../gateways/requests.ts';
import { changeReader, pairReader } from './requests.ts';

interface ReaderDialogProps {
  readonly merchantId: string;
  /** Card reader to change; undefined for a new one. */
  readonly reader: CardReader | undefined;
  /** Number of the next card reader, for the name that is suggested. */
  readonly nextNumber: number;
  readonly onClose: () => void;
}

const FIELDS = ['gatewayId', 'code', 'address', 'name', 'workstation'] as const;
type Field = (typeof FIELDS)[number];

/** Pairs a card reader by the code on its display or by its address, or changes it. Mounted while it is open. */
export function ReaderDialog({ merchantId, reader, nextNumber, onClose }: ReaderDialogProps) {
  const isSandbox = useIsSandbox();
  const drawer = useWorkstation((workstation) => workstation.drawer);
  const gateways = useQuery({ ...gatewaysQuery(merchantId), enabled: reader === undefined });
  const types = useQuery({ ...gatewayTypesQuery, enabled: reader === undefined });
  const pairsBy = (type: string) => types.data?.find((each) => each.type === type)?.pairsReadersBy ?? null;
  const usable = gateways.data?.items.filter(({ status, type }) => status === 'active' && pairsBy(type) !== null) ?? [];
  const [texts, setTexts] = useState<Record<Field, string>>({
    code: '',
    address: reader?.address ?? '',
    name: reader?.name ?? t('Counter {{number}}', { number: nextNumber }),
    workstation: reader?.workstation ?? '',
    gatewayId: '',
  });
  const [asksTip, setAsksTip] = useState(reader?.asksTip ?? false);
  const [isChecked, setChecked] = useState(false);
  const gateway = usable.find(({ id }) => id === texts.gatewayId) ?? usable[0];
  const hasAddress = reader ? reader.address !== null : gateway !== undefined && pairsBy(gateway.type) === 'address';
  const saving = useSubmit({
    send: () => {
      const fields = { name: texts.name.trim(), workstation: texts.workstation.trim() || null, asksTip };
      const address = texts.address.trim();
      if (reader) return changeReader(reader.terminalId, { ...fields, ...(address !== (reader.address ?? '') && { address }) });
      const code = hasAddress ? texts.code.trim() : texts.code.replaceAll(/[\s-]/g, '');
      return pairReader({ ...fields, code, merchantId, ...(hasAddress && { address }), ...(gateway && { gatewayId: gateway.id }) });
    },
    refresh: refreshCardReaders,
    toast: ({ name }) => (reader ? t('{{name}} changed', { name }) : t('{{name}} is paired', { name })),
    onFailure: ({ field }) => field && focusField(`reader-${field}`),
    onClose,
  });
  const problems: Partial<Record<Field, string>> = {
    ...(!reader && texts.code.trim() === '' && { code: codeMissing(hasAddress) }),
    ...(hasAddress && texts.address.trim() === '' && { address: t('Enter the address of the card reader.') }),
    ...(texts.name.trim() === '' && { name: t('Enter a name.') }),
  };
  const faultOf = (field: Field) =>
    (isChecked ? problems[field] : undefined) ?? (saving.failure?.field === field ? saving.failure.message : undefined);
  /** Returns true if the dialog shows the error of a field beside it. */
  const isShown = (field: string | undefined) =>
    field === 'gatewayId' ? usable.length > 1 : field === 'asksTip' || faultOf(field as Field) !== undefined;
  const submit = () => {
    setChecked(true);
    const wrong = FIELDS.find((field) => problems[field] !== undefined);
    if (wrong !== undefined) return focusField(`reader-${wrong}`);
    saving.onSubmit();
  };
  const text = (field: Field, label: string, more: { helper?: string; maxLength: number; autoFocus?: boolean }) => (
    <TextField
      id={`reader-${field}`}
      label={label}
      value={texts[field]}
      autoFocus={more.autoFocus ?? false}
      onChange={({ target }) => setTexts({ ...texts, [field]: target.value })}
      error={faultOf(field) !== undefined}
      helperText={faultOf(field) ?? more.helper}
      slotProps={{ htmlInput: { maxLength: more.maxLength, autoComplete: 'off' } }}
    />
  );
  return (
    <FormDialog
      {...saving}
      failure={saving.failure && !isShown(saving.failure.field) ? saving.failure : null}
      title={reader ? t('Change {{name}}', { name: reader.name }) : t('Pair card reader')}
      submitLabel={reader ? t('Save card reader') : t('Pair card reader')}
      onSubmit={submit}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        {usable.length > 1 && (
          <SelectField
            id="reader-gatewayId"
            label={t('Gateway')}
            value={gateway?.id ?? ''}
            options={usable.map(({ id, name }) => [id, name] as const)}
            onChange={(value) => setTexts({ ...texts, gatewayId: value })}
            error={faultOf('gatewayId') !== undefined}
            helperText={faultOf('gatewayId')}
          />
        )}
        {!reader &&
          text('code', hasAddress ? t('ID of the card reader') : t('Code on the card reader'), {
            maxLength: 40,
            autoFocus: true,
            helper: codeHelp(hasAddress, isSandbox),
          })}
        {hasAddress &&
          text('address', t('Address in the local network'), {
            maxLength: 260,
            helper: t('In the network settings of the card reader, such as {{address}}. It should be a fixed one.', {
              address: '192.168.1.50',
            }),
          })}
        {text('name', t('Name'), { maxLength: 60, autoFocus: reader !== undefined })}
        {text('workstation', t('Cash drawer of its workstation (optional)'), {
          maxLength: DRAWER_LENGTH_MAX,
          helper: t('The Sell screen with this drawer uses the card reader first. This workstation has {{drawer}}.', { drawer }),
        })}
        <Box>
          <FormControlLabel
            control={<Checkbox checked={asksTip} onChange={({ target }) => setAsksTip(target.checked)} />}
            label={t('Ask the customer for a tip')}
          />
          <Box sx={{ fontSize: 13, color: saving.failure?.field === 'asksTip' ? 'error.main' : 'text.secondary' }}>
            {saving.failure?.field === 'asksTip'
              ? saving.failure.message
              : t('The card reader suggests the tips of “Tax, tips, surcharge”. A payment with a tip is not asked for another one.')}
          </Box>
        </Box>
      </Box>
    </FormDialog>
  );
}

const codeMissing = (hasAddress: boolean) =>
  hasAddress ? t('Enter the ID of the card reader.') : t('Enter the code that the card reader shows.');

function codeHelp(hasAddress: boolean, isSandbox: boolean): string {
  if (hasAddress) return t('Its model and serial number, such as {{id}}.', { id: 'V400m-123456789' });
  if (isSandbox) return t('A simulated card reader shows the code {{code}}.', { code: 'SIM123' });
  return t('An unpaired card reader shows it on its display. It changes after a while.');
}
