import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { ConfirmDialog, FailureNote, QueryContent, useSubmit } from '#renderer/kit/ui';
import { AllowedAddressesField, PermissionGrid, roleName } from '#renderer/session/permissions';
import { useMay, useMe } from '#renderer/session/user';
import { LostKeys } from './lost-keys.tsx';
import { changeRole, createRole, deleteRole, refreshUsers, rolesQuery } from './queries.ts';
import { RoleAbilities } from './role-abilities.tsx';

/** The selected role: a saved one, or a new one without an ID. */
interface RoleDraft {
  readonly id: string | null;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly allowedAddresses: readonly string[];
  readonly builtIn: boolean;
}

/** List of roles with an editor. Built-in roles can only be copied. */
export function RolesTab() {
  const may = useMay();
  const { user } = useMe();
  const canWrite = may('roles:write') && user.merchantId === null;
  const roles = useQuery(rolesQuery);
  const [selected, setSelected] = useState<RoleDraft>();
  return (
    <QueryContent query={roles} skeleton={<Box sx={{ flex: 1 }} />}>
      {({ items }) => {
        const shown = selected ?? items[0];
        return (
          <Box
            sx={{
              display: 'grid',
              gap: 5,
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '184px minmax(0, 1fr)' },
              overflow: 'auto',
              pb: 6,
            }}
          >
            <Box sx={{ display: 'grid', gap: 3, alignContent: 'start' }}>
              <Box component="ul" aria-label={t('Roles')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
                {items.map((role) => (
                  <li key={role.id}>
                    <Button
                      variant={role.id === shown?.id ? 'outlined' : 'text'}
                      aria-pressed={role.id === shown?.id}
                      onClick={() => setSelected(role)}
                      sx={{ width: '100%', justifyContent: 'space-between' }}
                    >
                      <span>{roleName(role.name)}</span>
                      <Box component="span" sx={{ fontSize: 12, fontWeight: 400 }}>
                        {role.builtIn ? t('Built in') : t('Custom')}
                      </Box>
                    </Button>
                  </li>
                ))}
              </Box>
              {canWrite && (
                <Button
                  variant="outlined"
                  onClick={() => setSelected({ id: null, name: '', permissions: [], allowedAddresses: [], builtIn: false })}
                >
                  {t('New role')}
                </Button>
              )}
            </Box>
            {shown && (
              <RoleEditor
                key={`${shown.id}/${shown.name}`}
                role={shown}
                canWrite={canWrite}
                onCopy={() =>
                  setSelected({
                    id: null,
                    name: t('{{role}} copy', { role: shown.name }),
                    permissions: shown.permissions.filter(isGrantable),
                    allowedAddresses: shown.allowedAddresses,
                    builtIn: false,
                  })
                }
                onSaved={setSelected}
                onDeleted={() => setSelected(undefined)}
              />
            )}
          </Box>
        );
      }}
    </QueryContent>
  );
}

/** Owner permissions are granted only with the role owner. */
const isGrantable = (permission: string) => !permission.startsWith('owner:');

interface RoleEditorProps {
  readonly role: RoleDraft;
  readonly canWrite: boolean;
  readonly onCopy: () => void;
  readonly onSaved: (role: Role) => void;
  readonly onDeleted: () => void;
}

function RoleEditor({ role, canWrite, onCopy, onSaved, onDeleted }: RoleEditorProps) {
  const { user: me } = useMe();
  const [name, setName] = useState(role.name);
  const [permissions, setPermissions] = useState<string[]>([...role.permissions]);
  const [addresses, setAddresses] = useState([...role.allowedAddresses]);
  const [kept, setKept] = useState<string[]>([]);
  const [isDeleting, setDeleting] = useState(false);
  const isReadOnly = role.builtIn || !canWrite;
  const save = useSubmit({
    send: () => {
      const form = { name: name.trim(), permissions, allowedAddresses: addresses };
      return role.id === null ? createRole(form) : changeRole(role.id, { ...form, keepApiKeyIds: kept });
    },
    refresh: refreshUsers,
    toast: t('Saved. Applies from each user’s next request.'),
    onDone: onSaved,
  });
  const remove = useSubmit({
    send: () => deleteRole(role.id ?? ''),
    refresh: refreshUsers,
    onDone: onDeleted,
    onFailure: () => setDeleting(false),
    onClose: () => setDeleting(false),
  });
  const isNameWrong = save.failure?.field === 'name';
  const addressFault = save.failure?.field?.startsWith('allowedAddresses') ? save.failure.message : undefined;
  const failure = (isNameWrong || addressFault !== undefined ? null : save.failure) ?? remove.failure;
  return (
    <Box
      component="form"
      noValidate
      aria-label={t('Role')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReadOnly && !save.isBusy) save.onSubmit();
      }}
      sx={{ display: 'grid', gap: 4, alignContent: 'start' }}
    >
      {isReadOnly ? (
        <Box component="h2" sx={{ m: 0, fontSize: 16, fontWeight: 600 }}>
          {roleName(role.name)}
        </Box>
      ) : (
        <TextField
          id="role-name"
          label={t('Name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isNameWrong}
          helperText={isNameWrong ? save.failure?.message : undefined}
          autoFocus={role.id === null}
          sx={{ maxWidth: 320 }}
          slotProps={{ htmlInput: { maxLength: 60, autoComplete: 'off' } }}
        />
      )}
      <Box sx={{ display: 'flex', gap: 10, flexWrap: 'wrap' }}>
        <PermissionGrid value={permissions} onValue={setPermissions} within={me.permissions} isReadOnly={isReadOnly} />
        <RoleAbilities permissions={permissions} />
      </Box>
      {!isReadOnly && (
        <Box sx={{ maxWidth: 480, display: 'grid' }}>
          <AllowedAddressesField value={addresses} onValue={setAddresses} fault={addressFault} />
        </Box>
      )}
      {!isReadOnly && role.id !== null && (
        <LostKeys people={{ creatorRole: role.id }} rights={{ permissions, merchantId: null }} kept={kept} onKept={setKept} />
      )}
      {failure && <FailureNote failure={failure} />}
      <Box sx={{ display: 'flex', gap: 2 }}>
        {!isReadOnly && (
          <Button type="submit" variant="contained" color="primary" loading={save.isBusy}>
            {role.id === null ? t('Create role') : t('Save')}
          </Button>
        )}
        {canWrite && (
          <Button variant="outlined" onClick={onCopy}>
            {role.builtIn ? t('Copy to edit') : t('Copy')}
          </Button>
        )}
        {!isReadOnly && role.id !== null && (
          <Button variant="outlined" color="error" onClick={() => setDeleting(true)}>
            {t('Delete role')}
          </Button>
        )}
      </Box>
      <ConfirmDialog
        {...remove}
        failure={null}
        title={t('Delete {{role}}?', { role: role.name })}
        isOpen={isDeleting}
        submitLabel={t('Delete {{role}}', { role: role.name })}
        isDangerous
      >
        {t('A role that is assigned to a user can’t be deleted.')}
      </ConfirmDialog>
    </Box>
  );
}
