import { PermissionGrid } from '#renderer/permissions';
import { useMe, useMerchant } from '#renderer/session';
import { Group, SwitchSetting } from './fields.tsx';
import type { TabProps } from './form-tabs.tsx';
import { SectionForm } from './section-form.tsx';
import type { ValuesOf } from './sections.ts';
import type { Draft } from './use-draft.ts';

/** The most that the merchant's own users and keys may do, whatever their roles. */
export function Ceiling({ merchantId }: TabProps) {
  const { user: me } = useMe();
  const { name } = useMerchant();
  // Only users of the whole account may set this.
  if (me.merchantId !== null) return null;
  return (
    <SectionForm merchantId={merchantId} name="ceiling">
      {(draft: Draft<ValuesOf<'ceiling'>>, isReadOnly) => {
        const { permissions } = draft.values;
        return (
          <Group title={`What ${name}'s own people and keys may do at most`}>
            <SwitchSetting
              label="Everything that their roles allow"
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
