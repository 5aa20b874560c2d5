import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '#renderer/client';
import { PermissionGrid } from '#renderer/permissions';
import { useMay, useMe } from '#renderer/session';
import { Answer, ConfirmDialog, FailureNote, sentenceCase, showToast } from '#renderer/ui';
import { changeRole, createRole, deleteRole, refreshPeople, rolesQuery } from './queries.ts';
import { SeenAs } from './seen-as.tsx';

/** A role on the desk: one that is kept, or a new one that began as a copy. */
interface Desk {
  readonly id: string | null;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly builtIn: boolean;
}

/** The roles beside what each may do. Built-in ones are copied to be changed. */
export function RolesTab() {
  const may = useMay();
  const { user } = useMe();
  const canWrite = may('roles:write') && user.merchantId === null;
  const roles = useQuery(rolesQuery);
  const [desk, setDesk] = useState<Desk>();
  return (
    <Answer of={roles} skeleton={<Box sx={{ flex: 1 }} />}>
      {({ items }) => {
        const shown = desk ?? items[0];
        return (
          <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: { xs: '1fr', md: '216px minmax(0, 1fr)' }, overflow: 'auto', pb: 6 }}>
            <Box sx={{ display: 'grid', gap: 3, alignContent: 'start' }}>
              <Box component="ul" aria-label="Roles" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
                {items.map((role) => (
                  <li key={role.id}>
                    <Button
                      variant={role.id === shown?.id ? 'outlined' : 'text'}
                      aria-pressed={role.id === shown?.id}
                      onClick={() => setDesk(role)}
                      sx={{ width: '100%', justifyContent: 'space-between' }}
                    >
                      <span>{sentenceCase(role.name)}</span>
                      <Box component="span" sx={{ fontSize: 12, fontWeight: 400 }}>
                        {role.builtIn ? 'Built in' : 'Own'}
                      </Box>
                    </Button>
                  </li>
                ))}
              </Box>
              {canWrite && (
                <Button variant="outlined" onClick={() => setDesk({ id: null, name: '', permissions: [], builtIn: false })}>
                  New role
                </Button>
              )}
            </Box>
            {shown && (
              <RoleDesk
                key={`${shown.id}/${shown.name}`}
                role={shown}
                canWrite={canWrite}
                onCopy={() =>
                  setDesk({ id: null, name: `${shown.name} copy`, permissions: shown.permissions.filter(isGrantable), builtIn: false })
                }
                onSaved={setDesk}
                onGone={() => setDesk(undefined)}
              />
            )}
          </Box>
        );
      }}
    </Answer>
  );
}

/** The rights of an owner are granted with the role owner alone. */
const isGrantable = (permission: string) => !permission.startsWith('owner:');

interface RoleDeskProps {
  readonly role: Desk;
  readonly canWrite: boolean;
  readonly onCopy: () => void;
  readonly onSaved: (role: Role) => void;
  readonly onGone: () => void;
}

function RoleDesk({ role, canWrite, onCopy, onSaved, onGone }: RoleDeskProps) {
  const { user: me } = useMe();
  const [name, setName] = useState(role.name);
  const [permissions, setPermissions] = useState<string[]>([...role.permissions]);
  const [isDeleting, setDeleting] = useState(false);
  const isReadOnly = role.builtIn || !canWrite;
  const save = useMutation({
    mutationFn: () => {
      const form = { name: name.trim(), permissions };
      return role.id === null ? createRole(form) : changeRole(role.id, form);
    },
    onSuccess: (saved) => {
      refreshPeople();
      showToast('Saved. It holds with the next request of everybody who has it.');
      onSaved(saved);
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteRole(role.id ?? ''),
    onSuccess: () => {
      refreshPeople();
      onGone();
    },
    onError: () => setDeleting(false),
  });
  const isNameWrong = save.error?.field === 'name';
  const failure = (isNameWrong ? null : save.error) ?? remove.error;
  return (
    <Box
      component="form"
      noValidate
      aria-label="Role"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReadOnly && !save.isPending) save.mutate();
      }}
      sx={{ display: 'grid', gap: 4, alignContent: 'start' }}
    >
      {isReadOnly ? (
        <Box component="h2" sx={{ m: 0, fontSize: 16, fontWeight: 600 }}>
          {sentenceCase(role.name)}
        </Box>
      ) : (
        <TextField
          id="role-name"
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isNameWrong}
          helperText={isNameWrong ? save.error?.message : undefined}
          autoFocus={role.id === null}
          sx={{ maxWidth: 320 }}
          slotProps={{ htmlInput: { maxLength: 60, autoComplete: 'off' } }}
        />
      )}
      <Box sx={{ display: 'flex', gap: 10, flexWrap: 'wrap' }}>
        <PermissionGrid value={permissions} onValue={setPermissions} within={me.permissions} isReadOnly={isReadOnly} />
        <SeenAs permissions={permissions} />
      </Box>
      {failure && <FailureNote failure={failure} />}
      <Box sx={{ display: 'flex', gap: 2 }}>
        {!isReadOnly && (
          <Button type="submit" variant="contained" color="primary" loading={save.isPending}>
            {role.id === null ? 'Make the role' : 'Save'}
          </Button>
        )}
        {canWrite && (
          <Button variant="outlined" onClick={onCopy}>
            {role.builtIn ? 'Copy to edit' : 'Copy'}
          </Button>
        )}
        {!isReadOnly && role.id !== null && (
          <Button variant="outlined" color="error" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )}
      </Box>
      <ConfirmDialog
        title={`Delete ${role.name}?`}
        isOpen={isDeleting}
        confirmLabel={`Delete ${role.name}`}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setDeleting(false)}
      >
        A role that somebody has cannot be deleted.
      </ConfirmDialog>
    </Box>
  );
}
