import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import InputAdornment from '@mui/material/InputAdornment';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import { channelName } from '#renderer/base/channels';
import type { GatewayType } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { CurrencyPicker, TimeZonePicker } from '#renderer/kit/pickers';
import { CheckboxGroup, Group } from '../fields.tsx';
import { asksHost, GATEWAY_CHANNELS, type GatewayForm } from './form.ts';
import { ChoiceCard } from './processor-cards.tsx';
import { holdText, TIME } from './texts.ts';

interface AccountFieldsProps {
  readonly type: GatewayType;
  readonly form: GatewayForm;
  /** True if nothing is set yet, so that the time zone may be left to the processor. */
  readonly isNew: boolean;
  readonly set: (part: Partial<GatewayForm>) => void;
  readonly faultOf: (field: string) => string | undefined;
  readonly idOf: (field: string) => string;
}

const ORIGIN_LENGTH_MAX = 200;
const MINUTES_LENGTH_MAX = 4;

/** Mode, currency and cutoff of a gateway account. */
export function AccountFields({ type, form, isNew, set, faultOf, idOf }: AccountFieldsProps) {
  const fieldState = (name: keyof GatewayForm, label: string, help?: string) => ({
    label,
    error: faultOf(name) !== undefined,
    helperText: faultOf(name) ?? help,
  });
  const field = (name: keyof GatewayForm, label: string, help?: string) => ({ id: idOf(name), ...fieldState(name, label, help) });
  return (
    <>
      <Group title={t('Account')}>
        <Box>
          <RadioGroup
            aria-label={t('Mode')}
            value={form.mode}
            onChange={(_, mode) => set({ mode: mode === 'test' ? 'test' : 'live' })}
            sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
          >
            <ChoiceCard id={idOf('mode')} value="live" title={t('Live')} help={t('Cards are charged.')} />
            <ChoiceCard
              value="test"
              title={t('Test')}
              help={t('The processor’s test environment, with its own credentials. No money moves.')}
            />
          </RadioGroup>
          {faultOf('mode') && <FormHelperText error>{faultOf('mode')}</FormHelperText>}
        </Box>
        {asksHost(form, type) && (
          <TextField
            {...field('origin', ...hostTexts(form.mode, type))}
            type="url"
            value={form.origin}
            onChange={({ target }) => set({ origin: target.value })}
            slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: ORIGIN_LENGTH_MAX } }}
          />
        )}
        <CurrencyPicker
          id={idOf('currency')}
          label={t('Currency')}
          help={t('This gateway takes payments only in this currency.')}
          value={form.currency}
          onValue={(currency) => set({ currency })}
          fault={faultOf('currency')}
        />
        <Box id={idOf('channels')} tabIndex={-1}>
          <CheckboxGroup
            label={t('Channels')}
            help={t('Payments with other channels use another gateway, or are refused.')}
            value={form.channels}
            options={GATEWAY_CHANNELS.map((channel) => [channel, channelName(channel)])}
            onValue={(channels) => set({ channels })}
            isReadOnly={false}
            fault={faultOf('channels')}
          />
        </Box>
      </Group>
      <Group title={t('When captures are sent')}>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '128px minmax(0, 1fr)' }, alignItems: 'start' }}>
          <TextField
            {...field('cutoffTime', t('Cutoff time'))}
            value={form.cutoffTime}
            onChange={({ target }) => set({ cutoffTime: target.value.trim() })}
            slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', placeholder: '23:00', maxLength: '23:59'.length } }}
          />
          <TimeZonePicker
            id={idOf('timezone')}
            label={t('Time zone of the cutoff')}
            noneLabel={isNew ? t('Processor’s time zone') : undefined}
            value={form.timezone}
            onValue={(timezone) => set({ timezone })}
            fault={faultOf('timezone')}
          />
          {type.hints.cutoffTime && (
            <FormHelperText sx={{ m: 0, gridColumn: '1 / -1' }}>{serviceText(type.hints.cutoffTime)}</FormHelperText>
          )}
        </Box>
        <TextField
          {...field('captureHoldMinutes', t('Send captures before the cutoff'))}
          value={form.captureHoldMinutes}
          onChange={({ target }) => set({ captureHoldMinutes: target.value.trim() })}
          sx={{ maxWidth: 320 }}
          slotProps={{
            input: { endAdornment: <InputAdornment position="end">{t('minutes')}</InputAdornment> },
            htmlInput: { inputMode: 'numeric', autoComplete: 'off', maxLength: MINUTES_LENGTH_MAX },
          }}
        />
        {TIME.test(form.cutoffTime) && /^\d+$/.test(form.captureHoldMinutes) && (
          <Box data-hold sx={{ fontSize: 13, color: 'text.secondary' }}>
            {holdText({ ...form, captureHoldMinutes: Number(form.captureHoldMinutes) })}
          </Box>
        )}
      </Group>
    </>
  );
}

function hostTexts(mode: GatewayForm['mode'], { label: processor }: GatewayType): [label: string, help: string] {
  if (mode === 'test')
    return [
      t('Simulator or reseller host (optional)'),
      t('Such as http://127.0.0.1:4900. Leave empty to use the test environment of {{processor}}.', { processor }),
    ];
  return [
    t('Host (optional)'),
    t('Only if your reseller has its own host, such as https://secure.example.com. Leave empty to use the host of {{processor}}.', {
      processor,
    }),
  ];
}
