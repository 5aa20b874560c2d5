import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Gateway, GatewayType } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, Dialog, FormDialog, focusField, showToast, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { refreshSettings } from '../sections.ts';
import { AccountFields } from './account-fields.tsx';
import { CheckResult } from './check-result.tsx';
import { CredentialFields } from './credential-fields.tsx';
import { asksProcessor, bodyOfChange, bodyOfNew, faultsOf, fieldsOf, formOf, type GatewayForm, hasAccount, newForm } from './form.ts';
import { ProcessorCards } from './processor-cards.tsx';
import { addGateway, changeGateway, checkGateway } from './requests.ts';
import { checkText, unusedName } from './texts.ts';

const NAME_LENGTH_MAX = 60;
const PRIORITY_LENGTH_MAX = 4;

interface GatewayDialogProps {
  readonly types: readonly GatewayType[];
  /** The gateway to change; without one, a gateway is added. */
  readonly gateway?: Gateway;
  /** Gateways of the merchant. */
  readonly known: readonly Gateway[];
  readonly onClose: () => void;
}

const idOf = (field: string) => `gateway-${field.replaceAll('.', '-')}`;

/** Adds or changes a gateway. The processor checks the account before it is saved, and the result is shown. */
export function GatewayDialog({ types, gateway, known, onClose }: GatewayDialogProps) {
  const merchant = useMerchant();
  const names = known.map(({ name }) => name);
  const [form, setForm] = useState<GatewayForm>(() => (gateway ? formOf(gateway) : firstForm(types, known, merchant.currency)));
  const [wasSubmitted, setSubmitted] = useState(false);
  const abortController = useRef<AbortController>(undefined);
  const saving = useSubmit({
    send: (): Promise<Gateway> => {
      abortController.current = new AbortController();
      const { signal } = abortController.current;
      return gateway
        ? changeGateway(merchant.merchantId, gateway.id, bodyOfChange(form, type, gateway), signal)
        : addGateway(merchant.merchantId, bodyOfNew(form, type), signal);
    },
    refresh: refreshSettings,
    onDone: (saved) => {
      if (saved.check !== null && saved.check.at !== gateway?.check?.at) return announce(checkText(saved.check));
      showToast(gateway ? t('{{name}} was saved.', { name: saved.name }) : t('{{name}} was added.', { name: saved.name }));
      onClose();
    },
    onClose,
  });
  const type = types.find((one) => one.type === form.type) ?? unknownType(form.type);
  const faults = faultsOf(form, type, gateway?.hasCredentials ?? false);
  const refusal = saving.failure?.field;
  const faultOf = (field: string) =>
    (wasSubmitted ? faults[field] : undefined) ?? (refusal === field ? saving.failure?.message : undefined);
  useFocusOnRefusal(refusal);

  const set = (part: Partial<GatewayForm>) => {
    setForm((before) => ({ ...before, ...part }));
    if (saving.failure) saving.reset();
  };
  const choose = (next: string) => {
    const chosen = types.find((one) => one.type === next);
    const isOwnName = form.name !== unusedName(type.label, names);
    set({ type: next, credentials: {}, dropped: [], ...(!isOwnName && chosen && { name: unusedName(chosen.label, names) }) });
    setSubmitted(false);
  };
  const close = () => {
    if (saving.isBusy) {
      abortController.current?.abort();
      void refreshSettings();
      showToast(t('Stopped waiting. The list shows what was saved.'));
    }
    onClose();
  };
  const submit = () => {
    setSubmitted(true);
    const [first] = Object.keys(faults);
    if (first !== undefined) return focusField(idOf(first));
    if (gateway && Object.keys(bodyOfChange(form, type, gateway)).length === 0) return onClose();
    saving.onSubmit();
  };

  if (saving.result?.check) return <Checked gateway={saving.result} type={type} onClose={onClose} />;
  const needsCheck = hasAccount(type) && (!gateway || asksProcessor(bodyOfChange(form, type, gateway)));
  const isAsking = saving.isBusy && needsCheck;
  const isFieldError = refusal !== undefined && fieldsOf(form, type).includes(refusal);
  return (
    <FormDialog
      {...saving}
      title={gateway ? gateway.name : t('Add gateway')}
      submitLabel={needsCheck ? t('Check and save') : gateway ? t('Save') : t('Add gateway')}
      cancelLabel={isAsking ? t('Stop waiting') : t('Cancel')}
      failure={isFieldError ? null : saving.failure}
      onSubmit={submit}
      onClose={close}
      more={isAsking && <CheckingNote processor={type.label} />}
    >
      <Box sx={{ display: 'grid', gap: 5, pt: 1 }}>
        {!gateway && types.length > 1 && <ProcessorCards types={types} value={form.type} onValue={choose} />}
        {hasAccount(type) && (
          <>
            <CredentialFields
              key={type.type}
              type={type}
              values={form.credentials}
              onValue={(name, value) => set({ credentials: { ...form.credentials, [name]: value } })}
              dropped={form.dropped}
              onDropped={(dropped) => set({ dropped })}
              faultOf={faultOf}
              idOf={idOf}
              isKept={gateway?.hasCredentials ?? false}
            />
            <AccountFields type={type} form={form} isNew={!gateway} set={set} faultOf={faultOf} idOf={idOf} />
          </>
        )}
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: 'minmax(0, 1fr) 96px' }, alignItems: 'start' }}>
          <TextField
            id={idOf('name')}
            label={t('Name')}
            value={form.name}
            onChange={({ target }) => set({ name: target.value })}
            autoFocus={!hasAccount(type) && (gateway !== undefined || types.length < 2)}
            error={faultOf('name') !== undefined}
            helperText={faultOf('name') ?? t('Shown in rules and lists')}
            slotProps={{ htmlInput: { maxLength: NAME_LENGTH_MAX, autoComplete: 'off' } }}
          />
          <TextField
            id={idOf('priority')}
            label={t('Priority')}
            value={form.priority}
            onChange={({ target }) => set({ priority: target.value.trim() })}
            error={faultOf('priority') !== undefined}
            helperText={faultOf('priority') ?? t('Lowest number first')}
            slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: PRIORITY_LENGTH_MAX, autoComplete: 'off' } }}
          />
        </Box>
      </Box>
    </FormDialog>
  );
}

function firstForm(types: readonly GatewayType[], known: readonly Gateway[], currency: string): GatewayForm {
  const [first = unknownType('')] = types;
  const names = known.map(({ name }) => name);
  const last = Math.max(0, ...known.map(({ priority }) => priority));
  return newForm(first.type, unusedName(first.label, names), last + 1, currency);
}

/** True for a processor that this version of the service no longer supports: only name, priority and status can be changed. */
const unknownType = (type: string): GatewayType => ({
  type,
  label: type,
  hasOwnHosts: false,
  credentials: [],
  pairsReadersBy: null,
  hints: { cutoffTime: null },
});

/** Focuses the field that the service or the processor refused. */
function useFocusOnRefusal(field: string | undefined): void {
  useEffect(() => {
    if (field !== undefined) focusField(idOf(field));
  }, [field]);
}

/** Shown while the processor checks the account. */
function CheckingNote({ processor }: { processor: string }) {
  return (
    <Box role="status" sx={{ order: -1, flex: 1, display: 'flex', gap: 2, alignItems: 'center', fontSize: 13, color: 'text.secondary' }}>
      <CircularProgress size={16} aria-hidden />
      <span>{t('Checking with {{processor}}… This may take a minute.', { processor })}</span>
    </Box>
  );
}

/** The processor's result, which replaces the form. */
function Checked({ gateway, type, onClose }: { gateway: Gateway; type: GatewayType; onClose: () => void }) {
  const merchant = useMerchant();
  const recheck = useMutation({
    mutationFn: () => checkGateway(merchant.merchantId, gateway.id),
    onSuccess: ({ check }) => check && announce(checkText(check)),
    onSettled: () => refreshSettings(),
  });
  const shown = recheck.data ?? gateway;
  const isOk = shown.check?.state === 'ok';
  return (
    <Dialog
      title={gateway.name}
      isOpen
      onClose={onClose}
      actions={
        <>
          {recheck.isPending && <CheckingNote processor={type.label} />}
          {!isOk && (
            <Button variant="outlined" loading={recheck.isPending} onClick={() => recheck.mutate()}>
              {t('Check again')}
            </Button>
          )}
          <Button variant="contained" color="primary" onClick={onClose} autoFocus>
            {t('Done')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 3, pt: 1 }}>
        {recheck.error ? <Alert severity="error">{recheck.error.message}</Alert> : <CheckResult gateway={shown} type={type} />}
      </Box>
    </Dialog>
  );
}
