import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { actorText, TimeText } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { SETTING_NAMES } from '#renderer/shared/settings-pages';
import { LANGUAGE_CODES, LANGUAGES } from '#shared/languages';
import { ChoiceSetting, Group, SwitchSetting, TextSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import { sectionQuery, type ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

type Settings = ValuesOf<'settings'>;

/** Public address of this server, and the language for payers. */
export function PayersTab({ merchantId }: TabProps) {
  const isOwner = useMay()('owner:addresses');
  const { byPin } = useMe().user;
  return (
    <SectionForm merchantId={merchantId} name="settings" savedText={t('Saved. Applies to new invoices, links and messages.')}>
      {({ values, set, faultOf }: Draft<Settings>, isReadOnly) => (
        <>
          <Group title={t('Pay pages')}>
            <TextSetting
              label={SETTING_NAMES.payers.publicAddress}
              help={t(
                'Base URL of invoices and payment links, such as https://pay.example.com. Leave empty to use the address of this server.',
              )}
              value={values.publicUrl ?? ''}
              onValue={(value) => set({ publicUrl: value.trim() === '' ? null : value.trim() })}
              fault={faultOf('publicUrl')}
              isReadOnly={isReadOnly || !isOwner}
            />
            {!isOwner && !byPin && (
              <Alert severity="info">{t('Only an owner can change the public address, because customers type their cards there.')}</Alert>
            )}
            <FormerAddress merchantId={merchantId} />
            <ReachabilityNote publicUrl={values.publicUrl} />
          </Group>
          <Group title={SETTING_NAMES.payers.customerPage}>
            <SwitchSetting
              label={SETTING_NAMES.payers.customerPageLink}
              help={t('Invoices, receipts and reminders, if they go to the email address on file of the customer')}
              checked={values.customerPageInEmails}
              onChecked={(customerPageInEmails) => set({ customerPageInEmails })}
              isReadOnly={isReadOnly}
            />
            <SwitchSetting
              label={SETTING_NAMES.payers.maySkip}
              checked={values.customerPageSkip}
              onChecked={(customerPageSkip) => set({ customerPageSkip })}
              isReadOnly={isReadOnly}
            />
            <SwitchSetting
              label={SETTING_NAMES.payers.mayCancel}
              checked={values.customerPageCancel}
              onChecked={(customerPageCancel) => set({ customerPageCancel })}
              isReadOnly={isReadOnly}
            />
          </Group>
          <Group title={t('Language')}>
            <ChoiceSetting
              label={SETTING_NAMES.payers.languageForPayers}
              help={t('Used for receipts, invoices, pay pages, emails and texts')}
              value={values.language}
              options={LANGUAGE_CODES.map((code) => [code, LANGUAGES[code]] as const)}
              onValue={(language) => set({ language })}
              fault={faultOf('language')}
              isReadOnly={isReadOnly}
            />
          </Group>
        </>
      )}
    </SectionForm>
  );
}

const DAY_MS = 86_400_000;

/** Previous public address for 24 hours after a change, so that a hostile one is noticed. */
function FormerAddress({ merchantId }: { merchantId: string }) {
  const { data: merchant } = useQuery(sectionQuery(merchantId, 'profile'));
  const change = merchant?.publicUrlChange;
  if (!change || Date.parse(change.changedAt) + DAY_MS < Date.now()) return null;
  return (
    <Alert severity="warning">
      {t('{{name}} changed the public address from {{from}} to {{to}}.', {
        name: actorText(change.changedBy),
        from: change.from ?? t('the address of this server'),
        to: change.to ?? t('the address of this server'),
      })}{' '}
      <TimeText at={change.changedAt} timeZone={merchant?.timezone ?? 'UTC'} />
    </Alert>
  );
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Explains from where an address can be opened. */
function ReachabilityNote({ publicUrl }: { publicUrl: string | null }) {
  const host = URL.parse(publicUrl ?? location.origin)?.hostname;
  if (host === undefined || !LOOPBACK.test(host)) {
    return publicUrl === null ? null : (
      <Alert severity="info">
        {t(
          'This host must point to this server through your HTTPS proxy. Only pay pages are available there, none of these screens. Start the server with --trusted-proxy and the proxy’s address, so that rate limits and the audit log can tell payers apart.',
        )}
      </Alert>
    );
  }
  return (
    <Alert severity="warning">
      {publicUrl === null
        ? t(
            'Links open only on this computer, unless the server was started with a public address. Enter the address at which your customers reach this server.',
          )
        : t('Links open only on this computer. Enter the address at which your customers reach this server.')}
    </Alert>
  );
}
