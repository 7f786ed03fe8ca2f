import { Button, Group, Menu, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '../../../lib/api/api-routes.ts'
import type { Member } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { manageableRoles, roleWords } from '../../../lib/roles.ts'
import { useSession } from '../../../lib/session.ts'
import { useConfirm } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { Time } from '../../../ui/time.tsx'
import { keysThatStay } from '../api-keys/key-state.ts'
import {
  useChangeRole,
  useEndMemberSessions,
  useLeaveAccount,
  useMakeResetLink,
  useRemoveMember,
  workingKeysQuery,
} from '../settings.api.ts'
import { MadeLink } from './invite-dialog.tsx'
import { RoleInput } from './role-input.tsx'

const lastOwner = t('The only owner. Make another member an owner first.')

/** What may be done about a member by anyone who is signed in; nothing when that is nothing. */
export function MemberMenu({ member, isLastOwner }: { member: Member; isLastOwner: boolean }) {
  const session = useSession()
  const confirm = useConfirm()
  const [isChoosing, setIsChoosing] = useState(false)
  const remove = useRemoveMember()
  const leave = useLeaveAccount()
  const link = useMakeResetLink()
  const signOut = useEndMemberSessions()
  const queryClient = useQueryClient()
  const isSelf = member.id === session.member_id
  const mayManage = manageableRoles(session.role).includes(member.role)
  const name = member.name || member.email || t('this member')
  if (!isSelf && !mayManage) return null

  async function describeKeys(): Promise<string> {
    try {
      const keys = await queryClient.fetchQuery({ ...workingKeysQuery(member.user_id), staleTime: 0 })
      return keysThatStay(keys.map((key) => key.name))
    } catch {
      // Whether to remove a person does not wait for a list that cannot be read.
      return t('API keys that they made belong to the account and stay.')
    }
  }

  async function askToRemove() {
    const isConfirmed = await confirm({
      title: isSelf ? t('Leave {name}?', { name: session.account.name }) : t('Remove {name}?', { name }),
      body: isSelf
        ? t('You are signed out of this account. Only an invitation brings you back.')
        : t('{name} is signed out of this account at once. {keys}', { name, keys: await describeKeys() }),
      confirmLabel: isSelf ? t('Leave') : t('Remove'),
      isDangerous: true,
    })
    if (!isConfirmed) return
    if (isSelf) {
      leave.mutate(member.id, { onError: (error) => toastFailed(t('You could not leave'), error) })
    } else {
      remove.mutate(member.id, {
        onSuccess: () => toastDone(t('{name} is no member any more', { name })),
        onError: (error) => toastFailed(t('{name} could not be removed', { name }), error),
      })
    }
  }

  async function askForLink() {
    const isConfirmed = await confirm({
      title: t('Make a link for a new password of {name}?', { name }),
      body: t(
        'With it {name} sets a new password within an hour, and is signed out everywhere. A second factor stays.',
        { name },
      ),
      confirmLabel: t('Make the link'),
    })
    if (!isConfirmed) return
    link.mutate(member.id, { onError: (error) => toastFailed(t('No link could be made for {name}', { name }), error) })
  }

  async function askToSignOut() {
    const isConfirmed = await confirm({
      title: t('End all sessions of {name}?', { name }),
      body: t(
        '{name} is signed out of this account on every device, and can sign in again. To keep them out, remove them.',
        {
          name,
        },
      ),
      confirmLabel: t('End all sessions'),
      isDangerous: true,
    })
    if (!isConfirmed) return
    signOut.mutate(member.id, {
      onSuccess: () => toastDone(t('The sessions of {name} are ended', { name })),
      onError: (error) => toastFailed(t('The sessions of {name} could not be ended', { name }), error),
    })
  }

  return (
    <>
      <RowMenu
        label={t('Change {name}', { name })}
        isBusy={remove.isPending || link.isPending || leave.isPending || signOut.isPending}
        shadow="md"
        width={260}
      >
        {isLastOwner && <Menu.Label>{lastOwner}</Menu.Label>}
        {mayManage && (
          <Menu.Item
            leftSection={<Icon name="users" size={16} />}
            disabled={isLastOwner}
            onClick={() => setIsChoosing(true)}
          >
            {t('Change the role')}
          </Menu.Item>
        )}
        {mayManage && !isSelf && (
          <Menu.Item leftSection={<Icon name="key" size={16} />} onClick={() => void askForLink()}>
            {t('Link for a new password')}
          </Menu.Item>
        )}
        {mayManage && !isSelf && (
          <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={() => void askToSignOut()}>
            {t('End all sessions')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<Icon name={isSelf ? 'leave' : 'trash'} size={16} />}
          color="red"
          disabled={isLastOwner}
          onClick={() => void askToRemove()}
        >
          {isSelf ? t('Leave this account') : t('Remove')}
        </Menu.Item>
      </RowMenu>
      <Modal opened={isChoosing} onClose={() => setIsChoosing(false)} title={t('Role of {name}', { name })}>
        <ChangeRole member={member} name={name} isSelf={isSelf} onDone={() => setIsChoosing(false)} />
      </Modal>
      <Modal
        opened={link.data !== undefined}
        onClose={() => link.reset()}
        title={t('New password of {name}', { name })}
        size="lg"
      >
        {link.data && (
          <Stack>
            <MadeLink link={link.data} label={t('Link for a new password')} whom={name} />
            <Text size="sm" c="dimmed">
              <Rich text="It works once and ends {time}." values={{ time: <Time at={link.data.expires_at} /> }} />
            </Text>
          </Stack>
        )}
      </Modal>
    </>
  )
}

interface ChangeRoleProps {
  member: Member
  name: string
  isSelf: boolean
  onDone: () => void
}

function ChangeRole({ member, name, isSelf, onDone }: ChangeRoleProps) {
  const { role: own } = useSession()
  const [role, setRole] = useState<Role>(member.role)
  const change = useChangeRole()
  return (
    <Stack>
      <FormProblem problem={change.error ?? undefined} />
      <RoleInput choices={manageableRoles(own)} value={role} onChange={setRole} />
      <Text size="sm" c="dimmed">
        {isSelf
          ? t('You are signed out of this account, and have the new role when you sign in again.')
          : t('{name} is signed out of this account, and has the new role when they sign in again.', { name })}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t('Cancel')}
        </Button>
        <Button
          loading={change.isPending}
          disabled={role === member.role}
          onClick={() =>
            change.mutate(
              { id: member.id, role },
              {
                onSuccess: () => {
                  toastDone(t('{name} is {role} now', { name, role: roleWords[role] }))
                  onDone()
                },
              },
            )
          }
        >
          {t('Change the role')}
        </Button>
      </Group>
    </Stack>
  )
}
