import Alert from '@mui/material/Alert';
import { ChoiceSetting, Group, TextSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

type Settings = ValuesOf<'settings'>;

const LANGUAGES = [
  ['en', 'English'],
  ['es', 'Spanish'],
] as const;

/** Address of this server for payers, and the language of their messages. */
export function PayersTab({ merchantId }: TabProps) {
  return (
    <SectionForm merchantId={merchantId} name="settings" savedWords="Saved. It holds for the next invoice, link and message.">
      {({ values, set, faultOf }: Draft<Settings>, isReadOnly) => (
        <>
          <Group title="Pay pages">
            <TextSetting
              label="Address for payers"
              help="Invoices and payment links lead to it, such as https://pay.example.com. Empty is the address of this server."
              value={values.publicUrl ?? ''}
              onValue={(value) => set({ publicUrl: value.trim() === '' ? null : value.trim() })}
              fault={faultOf('publicUrl')}
              isReadOnly={isReadOnly}
            />
            <Reach publicUrl={values.publicUrl} />
          </Group>
          <Group title="Language">
            <ChoiceSetting
              label="What payers read"
              help="Receipts, invoices, pay pages, and the e-mails and texts that go to payers"
              value={values.language}
              options={LANGUAGES}
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

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Explains where an address can be opened, before it is sent to a customer. */
function Reach({ publicUrl }: { publicUrl: string | null }) {
  const host = URL.parse(publicUrl ?? location.origin)?.hostname;
  if (host === undefined || !LOOPBACK.test(host)) {
    return publicUrl === null ? null : (
      <Alert severity="info">
        The name must lead to this server, through a proxy of yours that speaks HTTPS. Only the pages of payers answer there, nothing of
        this desk. Start the server with --trusted-proxy and the address of the proxy, so that limits and the audit log know payers apart.
      </Alert>
    );
  }
  return (
    <Alert severity="warning">
      Links open only on this computer{publicUrl === null ? ', unless the server was started with an address for payers' : ''}. Give the
      address under which your customers reach it.
    </Alert>
  );
}
