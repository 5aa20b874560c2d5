import { t } from '#renderer/base/language';
import { PermissionGrid } from '#renderer/session/permissions';
import { useMe, useMerchant } from '#renderer/session/user';
import { Group, SwitchSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

/** Maximum permissions of the merchant's users and keys, independent of their roles. */
export function MaximumPermissions({ merchantId }: TabProps) {
  const { user: me } = useMe();
  const { name } = useMerchant();
  // Only users of the whole account may set this.
  if (me.merchantId !== null) return null;
  return (
    <SectionForm merchantId={merchantId} name="ceiling">
      {(draft: Draft<ValuesOf<'ceiling'>>, isReadOnly) => {
        const { permissions } = draft.values;
        return (
          <Group title={t('Maximum permissions of {{merchant}}’s users and API keys', { merchant: name })}>
            <SwitchSetting
              label={t('Everything their roles allow')}
              checked={permissions === null}
              onChecked={(everything) => draft.set({ permissions: everything ? null : [...me.permissions] })}
              fault={draft.faultOf('permissions')}
              isReadOnly={isReadOnly}
            />
            {permissions !== null && (
              <PermissionGrid
                value={permissions}
                onValue={(chosen) => draft.set({ permissions: chosen })}
                within={me.permissions}
                isReadOnly={isReadOnly}
              />
            )}
          </Group>
        );
      }}
    </SectionForm>
  );
}
