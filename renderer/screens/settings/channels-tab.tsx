import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { type MessageChannel, messageChannelsQuery } from '#renderer/client';
import { useMe, useMerchant } from '#renderer/session';
import { Answer, exactTime, StatusChip } from '#renderer/ui';
import { ChannelActions } from './channel-actions.tsx';
import type { EmailForm, SmsForm } from './channels.ts';
import { ChoiceSetting, Group, NumberSetting, TextSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SecretSetting } from './secret-setting.tsx';
import { SectionForm } from './section-form.tsx';
import type { Draft } from './use-draft.ts';

const CHANNELS = [
  ['email', 'E-mail'],
  ['sms', 'Texts'],
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
        For all of {tenant.name}. Without a way out, messages wait under{' '}
        <Link component={RouterLink} to="/messages" underline="always">
          Messages
        </Link>
        ; nothing is lost.
      </Box>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={chosen}
        aria-label="Channel"
        onChange={(_, channel: string | null) => channel && setParams({ channel })}
        sx={{ justifySelf: 'start' }}
      >
        {CHANNELS.map(([channel, name]) => (
          <ToggleButton key={channel} value={channel}>
            {name}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Answer of={channels} skeleton={<Box sx={{ height: 320 }} />}>
        {(states) => {
          const state = states.find(({ channel }) => channel === chosen);
          return (
            <>
              {state && <Standing state={state} />}
              {chosen === 'email' ? (
                <EmailFields merchantId={merchantId} state={state} />
              ) : (
                <SmsFields merchantId={merchantId} state={state} />
              )}
              {state?.isSetUp && <ChannelActions key={chosen} state={state} />}
            </>
          );
        }}
      </Answer>
    </Box>
  );
}

/** Health of the channel by its last results. */
function Standing({ state: { isSetUp, lastError, lastErrorAt, lastOkAt, waiting, failed, channel } }: { state: MessageChannel }) {
  const { timezone } = useMerchant();
  const counts = [
    [waiting, 'waiting'],
    [failed, 'failed'],
  ] as const;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center', fontSize: 13 }}>
        {isSetUp ? (
          <StatusChip state={lastError === null ? 'active' : 'failed'} word={lastError === null ? 'Set up' : 'Not going out'} />
        ) : (
          <StatusChip state="disabled" word="Not set up" />
        )}
        {lastOkAt && <span>Last sent {exactTime(lastOkAt, timezone)}</span>}
        {counts
          .filter(([count]) => count > 0)
          .map(([count, status]) => (
            <Link key={status} component={RouterLink} to={`/messages?channel=${channel}&status=${status}`}>
              {count} {status}
            </Link>
          ))}
      </Box>
      {isSetUp && lastError !== null && (
        <Alert severity="error">
          {lastError}
          {lastErrorAt && <Box sx={{ fontSize: 12, mt: 0.5 }}>{exactTime(lastErrorAt, timezone)}</Box>}
        </Alert>
      )}
    </Box>
  );
}

interface FieldsProps extends TabProps {
  readonly state: MessageChannel | undefined;
}

const SECURITY_WORDS = [
  ['starttls', 'STARTTLS, usual on port 587'],
  ['tls', 'TLS, usual on port 465'],
  ['none', 'None: this machine or its own network only'],
] as const;

function EmailFields({ merchantId, state }: FieldsProps) {
  const hasPassword = state?.channel === 'email' && state.settings?.hasPassword === true;
  return (
    <SectionForm merchantId={merchantId} name="email" permission="owner:channels" savedWords="Saved. Send a test to see that it works.">
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
            <Group title="Mail server" columns={2}>
              {text('host', 'Host', 'Such as smtp.example.com')}
              <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: '96px minmax(0, 1fr)' }}>
                <NumberSetting
                  label="Port"
                  value={values.port}
                  onValue={(port) => set({ port })}
                  fault={faultOf('port')}
                  isReadOnly={isReadOnly}
                />
                <ChoiceSetting
                  label="Security"
                  value={values.security}
                  options={SECURITY_WORDS}
                  onValue={(security) => set({ security })}
                  fault={faultOf('security')}
                  isReadOnly={isReadOnly}
                />
              </Box>
              {text('user', 'User', 'Empty where it asks for no sign-in')}
              <SecretSetting
                label="Password"
                isKept={hasPassword}
                value={values.password}
                onValue={(password) => set({ password })}
                fault={faultOf('password')}
                isReadOnly={isReadOnly}
              />
            </Group>
            <Group title="What recipients see" columns={2}>
              {text('fromName', 'From, name', "Empty for the merchant's own")}
              {text('fromAddress', 'From, address', undefined, 'email')}
              {text('replyTo', 'Replies go to', "Empty for the merchant's own address", 'email')}
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
    <SectionForm merchantId={merchantId} name="sms" permission="owner:channels" savedWords="Saved. Send a test to see that it works.">
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
            {text('accountSid', 'Account SID', 'AC and 32 digits and letters')}
            <SecretSetting
              label="Auth token"
              isKept={hasToken}
              value={values.authToken}
              onValue={(authToken) => set({ authToken })}
              fault={faultOf('authToken')}
              isReadOnly={isReadOnly}
            />
            {text('from', 'From', 'A number as +12075550142, a sender name, or a messaging service (MG…)')}
            {text('apiUrl', 'Address of the service', 'Empty for https://api.twilio.com')}
          </Group>
        );
      }}
    </SectionForm>
  );
}

/** The fields of a form that hold text. */
type TextField<Form> = { [Field in keyof Form & string]: Form[Field] extends string ? Field : never }[keyof Form & string];
