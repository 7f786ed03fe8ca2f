import { ActionIcon, Menu, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import type { Hub } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { useMay } from '../../lib/session.ts'
import { useConfirm } from '../../ui/dialogs/confirm.tsx'
import { toastFailed } from '../../ui/dialogs/toast.tsx'
import { useActions } from '../../ui/dialogs/use-actions.ts'
import { Icon } from '../../ui/icon.tsx'
import { useRemoveHub, useRenewJoinCode } from './hubs.api.ts'
import { type JoinCode, JoinSteps } from './join-steps.tsx'
import { RenameHubDialog } from './rename-hub-dialog.tsx'

interface HubMenuProps {
  hub: Hub
  /** The hub is gone: its page shows nothing any more. */
  onRemoved: () => void
}

/** Rename, hand over to another machine, remove. */
export function HubMenu({ hub, onRemoved }: HubMenuProps) {
  const [isRenaming, setIsRenaming] = useState(false)
  const [joining, setJoining] = useState<{ code: JoinCode; claimedBefore: string | null }>()
  const confirm = useConfirm()
  const renew = useRenewJoinCode(hub.id)
  const mayJoin = useMay('admin')
  const remove = useRemoveHub(hub.id)
  const { perform } = useActions()
  const isNew = hub.claimed_at === null

  async function askToJoin() {
    const isConfirmed =
      isNew ||
      (await confirm({
        title: t('Replace the token of {name}?', { name: hub.name }),
        body: t(
          'You get a join code. Once a machine joins with it, the token that {name} has now is void and whatever uses it is disconnected. Until then nothing changes.',
          { name: hub.name },
        ),
        confirmLabel: t('Make a join code'),
      }))
    if (!isConfirmed) return
    renew.mutate(undefined, {
      onSuccess: (code) => setJoining({ code, claimedBefore: hub.claimed_at }),
      onError: (error) => toastFailed(t('No join code could be made for {name}', { name: hub.name }), error),
    })
  }

  async function askToRemove() {
    const isRemoved = await perform({
      id: hub.id,
      question: {
        title: t('Remove {name}?', { name: hub.name }),
        body: t('Its token is void at once, and the machine is disconnected. This cannot be undone.'),
        confirmLabel: t('Remove the hub'),
        isDangerous: true,
      },
      call: () => remove.mutateAsync(),
      done: t('{name} is removed', { name: hub.name }),
      failed: t('{name} could not be removed', { name: hub.name }),
    })
    if (isRemoved) onRemoved()
  }

  const attached = hub.printer_count
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={280}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('More about {name}', { name: hub.name })}
            loading={renew.isPending}
          >
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => setIsRenaming(true)}>
            {t('Rename')}
          </Menu.Item>
          {mayJoin && (
            <Menu.Item leftSection={<Icon name="key" size={16} />} onClick={() => void askToJoin()}>
              {isNew ? t('Make a join code') : t('Replace the token')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<Icon name="trash" size={16} />}
            color="red"
            disabled={attached > 0}
            onClick={() => void askToRemove()}
          >
            {t('Remove')}
            {attached > 0 && (
              <Text size="xs">
                {t('Give its {attached, plural, one {# printer} other {# printers}} to another hub first', {
                  attached,
                })}
              </Text>
            )}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameHubDialog hub={hub} isOpen={isRenaming} onClose={() => setIsRenaming(false)} />
      <Modal
        opened={joining !== undefined}
        onClose={() => setJoining(undefined)}
        title={t('Join a machine as {name}', { name: hub.name })}
        size="lg"
      >
        {joining && (
          <JoinSteps {...joining} onRenewed={(code) => setJoining({ code, claimedBefore: joining.claimedBefore })} />
        )}
      </Modal>
    </>
  )
}
