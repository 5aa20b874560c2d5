import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { type MessageChannel, messageChannelsQuery } from '#renderer/base/client';
import { serviceText, Trans, t } from '#renderer/base/language';
import { ChoiceButtons } from '#renderer/kit/choices';
import { fullTime, QueryContent, StatusChip } from '#renderer/kit/ui';
import { useMe, useMerchant } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { ChannelActions } from './channel-actions.tsx';
import type { EmailForm, SmsForm } from './channels.ts';
import { ChoiceSetting, Group, NumberSetting, TextSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SecretSetting } from './secret-setting.tsx';
import { SectionForm } from './section-form.tsx';
import type { Draft } from './use-draft.ts';

const CHANNELS = [
  ['email', t('Email')],
  ['sms', t('Text messages')],
] as const;

/** Settings of email and text messages. One channel at a time, so that there is one form to save. */
export function ChannelsTab({ merchantId }: TabProps) {
  const { tenant } = useMe();
  const [params, setParams] = useSearchParams();
  const channels = useQuery(messageChannelsQuery);
  const chosen = params.get('channel') === 'sms' ? 'sms' : 'email';
  return (
    <Box sx={{ display: 'grid', gap: 5, maxWidth: 760 }}>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        <Trans
          i18nKey="Applies to all of {{account}}. Until a channel is set up, messages wait under <0>Messages</0>; none are lost."
          components={[<Link key="0" component={RouterLink} to="/messages" underline="always" />]}
          values={{ account: tenant.name }}
        />
      </Box>
      <ChoiceButtons
        label={t('Channel')}
        options={CHANNELS}
        value={chosen}
        onChange={(channel) => setParams({ channel })}
        sx={{ justifySelf: 'start' }}
      />
      <QueryContent query={channels} skeleton={<Box sx={{ height: 320 }} />}>
        {(states) => {
          const state = states.find(({ channel }) => channel === chosen);
          return (
            <>
              {state && <ChannelStatus state={state} />}
              {chosen === 'email' ? (
                <EmailFields merchantId={merchantId} state={state} />
              ) : (
                <SmsFields merchantId={merchantId} state={state} />
              )}
              {state?.isSetUp && <ChannelActions key={chosen} state={state} />}
            </>
          );
        }}
      </QueryContent>
    </Box>
  );
}

/** Health of the channel by its last results. */
function ChannelStatus({ state: { isSetUp, lastError, lastErrorAt, lastOkAt, waiting, failed, channel } }: { state: MessageChannel }) {
  const { timezone } = useMerchant();
  const counts = [
    ['waiting', waiting, t('{{count, number}} waiting', { count: waiting })],
    ['failed', failed, t('{{count, number}} failed', { count: failed })],
  ] as const;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center', fontSize: 13 }}>
        {isSetUp ? (
          <StatusChip
            state={lastError === null ? 'active' : 'failed'}
            label={lastError === null ? t('Set up', { context: 'state' }) : t('Can’t send')}
          />
        ) : (
          <StatusChip state="disabled" label={t('Not set up')} />
        )}
        {lastOkAt && <span>{t('Last sent {{time}}', { time: fullTime(lastOkAt, timezone) })}</span>}
        {counts
          .filter(([, count]) => count > 0)
          .map(([status, , text]) => (
            <Link key={status} component={RouterLink} to={`/messages?channel=${channel}&status=${status}`}>
              {text}
            </Link>
          ))}
      </Box>
      {isSetUp && lastError !== null && (
        <Alert severity="error">
          {serviceText(lastError)}
          {lastErrorAt && <Box sx={{ fontSize: 12, mt: 0.5 }}>{fullTime(lastErrorAt, timezone)}</Box>}
        </Alert>
      )}
    </Box>
  );
}

interface FieldsProps extends TabProps {
  readonly state: MessageChannel | undefined;
}

const SECURITY_OPTIONS = [
  ['starttls', t('STARTTLS (port 587)')],
  ['tls', t('TLS (port 465)')],
  ['none', t('None (only for this computer or its own network)')],
] as const;

function EmailFields({ merchantId, state }: FieldsProps) {
  const hasPassword = state?.channel === 'email' && state.settings?.hasPassword === true;
  return (
    <SectionForm
      merchantId={merchantId}
      name="email"
      permission="owner:channels"
      savedText={t('Saved. Send a test message to check the settings.')}
    >
      {({ values, set, faultOf }: Draft<EmailForm>, isReadOnly) => {
        const text = (field: TextField<EmailForm>, label: string, help?: string, type?: 'email') => (
          <TextSetting
            label={label}
            help={help}
            type={type}
            value={values[field]}
            onValue={(value) => set({ [field]: value })}
            fault={faultOf(field)}
            isReadOnly={isReadOnly}
          />
        );
        return (
          <>
            <Group title={SETTING_NAMES.channels.mailServer} columns={2}>
              {text('host', t('Host'), t('Such as smtp.example.com'))}
              <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: '96px minmax(0, 1fr)' }}>
                <NumberSetting
                  label={t('Port')}
                  value={values.port}
                  onValue={(port) => set({ port })}
                  fault={faultOf('port')}
                  isReadOnly={isReadOnly}
                />
                <ChoiceSetting
                  label={t('Security')}
                  value={values.security}
                  options={SECURITY_OPTIONS}
                  onValue={(security) => set({ security })}
                  fault={faultOf('security')}
                  isReadOnly={isReadOnly}
                />
              </Box>
              {text('user', t('User'), t('Leave empty if not required'))}
              <SecretSetting
                label={t('Password')}
                isKept={hasPassword}
                value={values.password}
                onValue={(password) => set({ password })}
                fault={faultOf('password')}
                isReadOnly={isReadOnly}
              />
            </Group>
            <Group title={t('Sender')} columns={2}>
              {text('fromName', t('Sender name'), t('Leave empty to use the merchant’s name'))}
              {text('fromAddress', t('Sender address'), undefined, 'email')}
              {text('replyTo', t('Reply-to address'), t('Leave empty to use the merchant’s address'), 'email')}
            </Group>
          </>
        );
      }}
    </SectionForm>
  );
}

function SmsFields({ merchantId, state }: FieldsProps) {
  const hasToken = state?.channel === 'sms' && state.settings?.hasToken === true;
  return (
    <SectionForm
      merchantId={merchantId}
      name="sms"
      permission="owner:channels"
      savedText={t('Saved. Send a test message to check the settings.')}
    >
      {({ values, set, faultOf }: Draft<SmsForm>, isReadOnly) => {
        const text = (field: TextField<SmsForm>, label: string, help: string) => (
          <TextSetting
            label={label}
            help={help}
            value={values[field]}
            onValue={(value) => set({ [field]: value })}
            fault={faultOf(field)}
            isReadOnly={isReadOnly}
          />
        );
        return (
          <Group title="Twilio" columns={2}>
            {text('accountSid', t('Account SID'), t('AC followed by 32 digits and letters'))}
            <SecretSetting
              label={t('Auth token')}
              isKept={hasToken}
              value={values.authToken}
              onValue={(authToken) => set({ authToken })}
              fault={faultOf('authToken')}
              isReadOnly={isReadOnly}
            />
            {text(
              'from',
              t('From', { context: 'sender' }),
              t('A number such as +12075550142, a sender name, or a messaging service (MG…)'),
            )}
            {text('apiUrl', t('API URL'), t('Leave empty for https://api.twilio.com'))}
          </Group>
        );
      }}
    </SectionForm>
  );
}

/** Names of the text fields of a form. */
type TextField<Form> = { [Field in keyof Form & string]: Form[Field] extends string ? Field : never }[keyof Form & string];
